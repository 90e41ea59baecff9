// Passes what the server answers on to whoever verifies it, without delaying those who asked.

/** A parsed answer that concerns fairness. */
export type Answer = { path: string; body: unknown };
type Listener = (answer: Answer) => void;

const SEEDS = "/api/fairness";
/** An answer with a receipt contains this; everything else is not even parsed. */
const RECEIPT = '"receipt"';
/** Answers that are kept until somebody listens, which is soon after the page has loaded. */
const MAX_WAITING = 100;

let listener: Listener | null = null;
let waiting: Answer[] = [];
/** Counts the players of this page, so that no answer is taken for another player's. */
let player = 0;
const askedFor = new WeakMap<Request, number>();

function deliver(answer: Answer): void {
  if (listener) listener(answer);
  else if (waiting.length < MAX_WAITING) waiting.push(answer);
}

/** Notes for whom a request is sent. */
export function noteRequest(request: Request): void {
  askedFor.set(request, player);
}

async function read(copy: Response, path: string, asker: number): Promise<void> {
  const text = await copy.text();
  if (asker !== player || !(path.startsWith(SEEDS) || text.includes(RECEIPT))) return;
  deliver({ path, body: JSON.parse(text) as unknown });
}

/** Takes a copy of a successful response, and reads it when the browser has nothing more urgent to do. */
export function noteResponse(path: string, request: Request, response: Response): void {
  const copy = response.clone();
  const asker = askedFor.get(request) ?? player;
  setTimeout(() => {
    read(copy, path, asker).catch((error: unknown) => console.info(`The answer to ${path} could not be read`, error));
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
