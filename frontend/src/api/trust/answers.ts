// Passes what the server answers on to whoever verifies it, without delaying those who asked.

/** A parsed answer that concerns fairness; `call` is what it answers, unless it is an event. */
export type Answer = { path: string; body: unknown; call?: Call };
export type Call = {
  url: string;
  /** When it was sent. */
  askedMs: number;
  status: number;
  /** The cursor of the next page; null if this is the last one, or no list. */
  next: string | null;
};
type Listener = (answer: Answer) => void;

const SEEDS = "/api/fairness";
/** A page of the player's rounds. */
export const HISTORY = "/api/game-history";
/** One of the player's rounds with its seeds. */
export const ROUND = "/api/rounds/{id}";
/** An answer with a receipt contains this; everything else is not even parsed. */
const RECEIPT = '"receipt"';
/** Answers that are kept until somebody listens, which is soon after the page has loaded. */
const MAX_WAITING = 100;

let listener: Listener | null = null;
let waiting: Answer[] = [];
/** Counts the players of this page, so that no answer is taken for another player's. */
let player = 0;
const askedFor = new WeakMap<Request, { player: number; askedMs: number }>();

function deliver(answer: Answer): void {
  if (listener) listener(answer);
  else if (waiting.length < MAX_WAITING) waiting.push(answer);
}

/** Notes for whom a request is sent. */
export function noteRequest(request: Request): void {
  askedFor.set(request, { player, askedMs: Date.now() });
}

/** Whether an answer must be compared with what the house has signed. */
const isAboutRounds = (path: string): boolean => path === HISTORY || path === ROUND;

/** Whether a refusal says something about the house: that it does not show a round, or that it cannot write its log. */
const isTelling = (path: string, status: number): boolean =>
  (path === ROUND && (status === 404 || status === 500)) || status === 503;

async function read(copy: Response, path: string, asker: number, call: Call): Promise<void> {
  const text = await copy.text();
  const isTold = isAboutRounds(path) || path.startsWith(SEEDS) || text.includes(RECEIPT) || !copy.ok;
  if (asker !== player || !isTold) return;
  deliver({ path, body: JSON.parse(text) as unknown, call });
}

/** Takes a copy of a response, and reads it when the browser has nothing more urgent to do. */
export function noteResponse(path: string, request: Request, response: Response): void {
  if (!response.ok && !isTelling(path, response.status)) return;
  const copy = response.clone();
  const { player: asker, askedMs } = askedFor.get(request) ?? { player, askedMs: Date.now() };
  const { status, headers } = response;
  const call = { url: request.url, askedMs, status, next: headers.get("Next-Cursor") };
  setTimeout(() => {
    read(copy, path, asker, call).catch((error: unknown) =>
      console.info(`The answer to ${path} could not be read`, error),
    );
  });
}

/** Passes on an event of the live stream. */
export function noteEvent(name: string, event: object): void {
  if ("receipt" in event) deliver({ path: `/api/events#${name}`, body: event });
}

/** Receives all answers, including those from before; one listener at a time. */
export function listenToAnswers(next: Listener): void {
  listener = next;
  for (const answer of waiting.splice(0)) next(answer);
}

/** Forgets what was for the player who leaves. */
export function forgetAnswers(): void {
  player += 1;
  listener = null;
  waiting = [];
}
