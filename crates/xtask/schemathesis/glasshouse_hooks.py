"""Signs in with the role from `cargo xtask fuzz`; half of the calls use IDs that exist."""

import base64
import hashlib
import hmac
import json
import os
import struct
import time
import urllib.error
import urllib.request

import schemathesis

URL = os.environ["GLASSHOUSE_FUZZ_URL"]
ROLE = os.environ["GLASSHOUSE_FUZZ_ROLE"]
ADMINISTRATOR = {"username": "admin", "password": os.environ["GLASSHOUSE_FUZZ_ADMIN_PASSWORD"]}
PLAYER = {"username": "fuzzed", "password": "tr4vel-lamp"}
OTHER = {"username": "bystander", "password": "tr4vel-lamp"}
ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"


def post(path, body, cookie=None):
    """Returns the response's body and the session cookie, if one was set."""
    headers = {"Content-Type": "application/json"} | ({"Cookie": cookie} if cookie else {})
    request = urllib.request.Request(URL + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as response:
        cookies = [value.split(";")[0] for value in response.headers.get_all("Set-Cookie") or []]
        session = [cookie for cookie in cookies if cookie.startswith("glasshouse=")]
        return json.loads(response.read() or b"null"), (session or [None])[0]


def sign_in(credentials):
    """Returns a session cookie. Registers the user if it does not exist."""
    try:
        return post("/api/login", credentials)[1]
    except urllib.error.HTTPError as error:
        if error.code != 401:
            raise
        return post("/api/register", credentials)[1]


def code_of(secret):
    """Returns the code that an authenticator with this secret shows now (RFC 6238)."""
    counter = struct.pack(">Q", int(time.time()) // 30)
    mac = hmac.new(base64.b32decode(secret), counter, hashlib.sha1).digest()
    number = struct.unpack_from(">I", mac, mac[-1] & 15)[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06}"


def enrol(administrator):
    """Sets the administrator's authenticator up and returns its secret."""
    path = "/api/account/second-factor/authenticator"
    secret = post(path, {}, administrator)[0]["secret"]
    post(path + "/confirm", {"code": code_of(secret)}, administrator)
    return secret


def prepare():
    """Creates rounds, a deposit and withdrawals, and returns the administrator's session and secret, and their IDs."""
    administrator = sign_in(ADMINISTRATOR)
    secret = enrol(administrator)
    player = sign_in(PLAYER)
    sign_in(OTHER)
    post("/api/admin/users/2/balance", {"balance": "900000.00"}, administrator)
    dice, _ = post("/api/dice/play", {"betAmount": "1.00", "targetNumber": 50, "betType": "over"}, player)
    hand, _ = post("/api/poker/play", {"betAmount": "5.00", "action": "fold"}, player)
    deposit, _ = post("/api/deposits/create", {"amount": "50.00", "cryptoCurrency": "btc"}, player)
    withdrawal = {"amount": "25.00", "currency": "btc", "walletAddress": ADDRESS}
    requests = [post("/api/withdraw-requests", withdrawal, player)[0] for _ in range(3)]
    invoice = deposit["deposit"]["invoiceId"]
    return administrator, secret, {
        "id": dice["roundId"],
        "round_id": hand["roundId"],
        "invoiceId": invoice,
        "paymentId": invoice,
        "requestId": requests[0]["id"],
        "userId": 3,
        "list": "users",
    }


KEEPER, SECRET, EXISTING = prepare()
COOKIE = KEEPER if ROLE == "administrator" else sign_in(PLAYER)
calls = 0


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    """Uses existing IDs in every second call."""
    global calls
    calls += 1
    if calls % 2 == 0 and path_parameters:
        return {name: EXISTING.get(name, value) for name, value in path_parameters.items()}
    return path_parameters


@schemathesis.auth(refresh_interval=200)
class Session:
    """Uses one session for the whole run; an administrator repeats the step-up, which lasts five minutes."""

    def get(self, case, context):
        if ROLE == "administrator":
            try:
                post("/api/admin/step-up", {"secondFactor": code_of(SECRET)}, COOKIE)
            except urllib.error.HTTPError as error:
                # The code was used within this half minute, so the session was confirmed then.
                if error.code != 401:
                    raise
        return COOKIE

    def set(self, case, data, context):
        case.headers["Cookie"] = data
