// A slow line between the browser and a house, for finding journeys that depend on the order in which answers arrive:
// passes every call on, a part of them late, and a part of the answers late, too. With "writes", only and all calls
// that change something are passed on late, so that everything asked for after them is answered first; with "reads",
// only and all answers to the others are late.
//
//   node scripts/slow-line.mjs http://127.0.0.1:8080 8090 [writes|reads]

import { Agent, createServer, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";

const [house, port, late] = process.argv.slice(2);
if (!house || !port) throw new Error("usage: slow-line.mjs <address of the house> <port> [writes|reads]");
const { hostname, port: housePort } = new URL(house);
const agent = new Agent({ keepAlive: true });

/** Mostly none, at times a third of a second, and rarely so long that everything else has arrived. */
function someDelayMs() {
  const chance = Math.random();
  if (chance < 0.6) return 0;
  return chance < 0.9 ? Math.random() * 300 : 300 + Math.random() * 1200;
}

/** How late a call is passed on, and its answer. */
function delaysMs({ method, url }) {
  const isRead = method === "GET" || method === "HEAD";
  if (late === "writes") return [isRead ? 0 : 700, 0];
  if (late === "reads") return [0, isRead && url.startsWith("/api/") ? 700 : 0];
  return [someDelayMs(), someDelayMs()];
}

createServer(async (call, answer) => {
  const [callDelayMs, answerDelayMs] = delaysMs(call);
  const { method, url: path, headers } = call;
  // Read at once: what a page has sent arrives, even if the page has been left by then.
  const body = await buffer(call).catch(() => null);
  if (body === null) return;
  await setTimeout(callDelayMs);
  const passed = request({ hostname, port: housePort, agent, method, path, headers }, async (answered) => {
    await setTimeout(answerDelayMs);
    answer.writeHead(answered.statusCode ?? 502, answered.rawHeaders);
    // An event stream may say nothing for a while.
    answer.flushHeaders();
    answered.pipe(answer);
  });
  passed.on("error", () => answer.destroy());
  if (method === "GET") answer.on("close", () => passed.destroy());
  passed.end(body);
}).listen(Number(port), "127.0.0.1");
