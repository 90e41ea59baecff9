// A slow line between the browser and a house, for finding journeys that depend on the order in which answers arrive:
// passes every call on, a part of them late, and a part of the answers late, too.
//
//   node scripts/slow-line.mjs http://127.0.0.1:8080 8090

import { Agent, createServer, request } from "node:http";

const [house, port] = process.argv.slice(2);
if (!house || !port) throw new Error("usage: slow-line.mjs <address of the house> <port>");
const { hostname, port: housePort } = new URL(house);
const agent = new Agent({ keepAlive: true });

/** Mostly none, at times a third of a second, and rarely so long that everything else has arrived. */
function delayMs() {
  const chance = Math.random();
  if (chance < 0.6) return 0;
  return chance < 0.9 ? Math.random() * 300 : 300 + Math.random() * 1200;
}
const later = (act) => setTimeout(act, delayMs());

createServer((call, answer) => {
  later(() => {
    const { method, url: path, headers } = call;
    const passed = request({ hostname, port: housePort, agent, method, path, headers }, (answered) =>
      later(() => {
        answer.writeHead(answered.statusCode ?? 502, answered.rawHeaders);
        // An event stream may say nothing for a while.
        answer.flushHeaders();
        answered.pipe(answer);
      }),
    );
    passed.on("error", () => answer.destroy());
    answer.on("close", () => passed.destroy());
    call.pipe(passed);
  });
}).listen(Number(port), "127.0.0.1");
