// A house of its own for each test that changes the database behind its back.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { chmod, copyFile, cp, mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type APIRequestContext, expect, type Page, request } from "@playwright/test";
import { enrol } from "./authenticator";

/** The path of the program `glasshouse`. */
const BINARY = process.env.GLASSHOUSE_E2E_BINARY ?? "";
const ADMINISTRATOR = { username: "admin", password: "c4reful-hands-of-a-keeper" };
/** The trigger of a thief. */
const HOLD = "hold";
const BACKUP = "backup.db";
const ADDRESS = "127.0.0.1";
const FIRST_PORT = 20_000;
const PORTS_PER_WORKER = 1000;
/** What `slow-line.mjs` delays on the line to each house, for finding journeys that depend on the order of answers. */
const SLOW_LINE = process.env.GLASSHOUSE_E2E_SLOW_LINE;

/** Settings of the server in addition to those of every own house. */
type Settings = Readonly<Record<string, string>>;

/** What a program has said, and its exit code. */
export type Said = { code: number; text: string };

function run(program: string, args: readonly string[], options: object, input?: string): Promise<Said> {
  return new Promise((resolve) => {
    const child = execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, text: `${stdout}${stderr}` }),
    );
    if (input !== undefined) child.stdin?.end(input);
  });
}

/** Listens on a port; null if something else does. */
const listen = (port: number): Promise<Server | null> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(null));
    server.listen(port, ADDRESS, () => resolve(server));
  });

/**
 * Different ports on which nothing listens. They are below those that the system gives to connections, and each worker
 * has its own, because a house needs a second before it listens.
 */
async function freePorts(count: number): Promise<number[]> {
  const first = FIRST_PORT + Number(process.env.TEST_PARALLEL_INDEX ?? 0) * PORTS_PER_WORKER;
  const servers = new Map<number, Server>();
  while (servers.size < count) {
    const port = first + randomInt(PORTS_PER_WORKER);
    const server = await listen(port);
    if (server !== null) servers.set(port, server);
  }
  for (const server of servers.values()) await new Promise((resolve) => server.close(resolve));
  return [...servers.keys()];
}

/** A server with its own SQLite database, in a temporary folder. */
export class OwnHouse {
  readonly #folder: string;
  readonly #settings: NodeJS.ProcessEnv;
  readonly url: string;
  /** The address of the sandbox's pages. */
  readonly sandbox: string;
  #server: ChildProcess | null = null;
  #line: ChildProcess | null = null;
  #recoveryCodes: string[] = [];

  private constructor(folder: string, ports: readonly number[], settings: Settings) {
    const [port, metrics, sandbox, line] = ports;
    this.#folder = folder;
    this.url = `http://${ADDRESS}:${SLOW_LINE ? line : port}`;
    this.sandbox = `http://${ADDRESS}:${sandbox}`;
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("GLASSHOUSE_"));
    this.#settings = {
      ...Object.fromEntries(inherited),
      GLASSHOUSE_BIND: `${ADDRESS}:${port}`,
      GLASSHOUSE_PUBLIC_URL: this.url,
      GLASSHOUSE_METRICS_BIND: `${ADDRESS}:${metrics}`,
      GLASSHOUSE_SANDBOX_BIND: `${ADDRESS}:${sandbox}`,
      GLASSHOUSE_RATE_LIMIT: "off",
      DATABASE_URL: "sqlite://data/glasshouse.db",
      ...settings,
    };
  }

  static async open(settings: Settings = {}): Promise<OwnHouse> {
    if (BINARY === "") throw new Error("GLASSHOUSE_E2E_BINARY must be the path of the program glasshouse");
    const folder = await mkdtemp(join(tmpdir(), "glasshouse-manipulated-"));
    const house = new OwnHouse(folder, await freePorts(4), settings);
    await house.#createAdministrator();
    if (SLOW_LINE) house.#slowDown(SLOW_LINE);
    await house.start();
    return house;
  }

  #slowDown(late: string): void {
    const { port } = new URL(this.url);
    const line = ["scripts/slow-line.mjs", `http://${this.#settings.GLASSHOUSE_BIND}`, port, late];
    this.#line = spawn("node", line, { stdio: "ignore" });
  }

  file(name: string): string {
    return join(this.#folder, name);
  }

  /** An administrator with a password that need not be changed, as that of the first start would have to be. */
  async #createAdministrator(): Promise<void> {
    const create = ["admin", "create", ADMINISTRATOR.username, "--password-stdin"];
    const options = { cwd: this.#folder, env: this.#settings };
    const { code, text } = await run(BINARY, create, options, ADMINISTRATOR.password);
    expect(code, text).toBe(0);
  }

  async start(): Promise<void> {
    const log = openSync(this.file("server.log"), "a");
    this.#server = spawn(BINARY, ["serve"], {
      cwd: this.#folder,
      env: this.#settings,
      stdio: ["ignore", log, log],
    });
    closeSync(log);
    const isReady = async () => (await fetch(`${this.url}/readyz`).catch(() => null))?.ok;
    await expect.poll(isReady, { intervals: [50], message: "the server becomes ready" }).toBe(true);
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null || server.exitCode !== null) return;
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill();
    await ended;
  }

  /** Closes the pages first: they would report that the house cannot be reached any more. */
  async close(...pages: Page[]): Promise<void> {
    for (const page of pages) await page.close();
    await this.stop();
    this.#line?.kill();
    for (const folder of [this.#folder, this.#kept]) await rm(folder, { recursive: true, force: true });
  }

  get #kept(): string {
    return `${this.#folder}-kept`;
  }

  /** Stops the house and keeps all of its files as they are now. */
  async keep(): Promise<void> {
    await this.stop();
    await cp(this.#folder, this.#kept, { recursive: true });
  }

  /** Starts the house with the files that were kept. */
  async startAsKept(): Promise<void> {
    await this.stop();
    await rm(this.#folder, { recursive: true });
    await cp(this.#kept, this.#folder, { recursive: true });
    await this.start();
  }

  /** The administrator, who sets an authenticator up the first time and uses a recovery code later. */
  async administrator(): Promise<APIRequestContext> {
    const administrator = await request.newContext({ baseURL: this.url });
    const secondFactor = this.#recoveryCodes.pop();
    const data = secondFactor === undefined ? ADMINISTRATOR : { ...ADMINISTRATOR, secondFactor };
    const answer = await administrator.post("/api/login", { data });
    expect(answer.ok(), await answer.text()).toBe(true);
    if (secondFactor === undefined) this.#recoveryCodes = (await enrol(administrator)).recoveryCodes;
    return administrator;
  }

  /** Runs SQL past the house, as somebody with the database file can. */
  async sql(statements: string): Promise<string> {
    const database = this.file("data/glasshouse.db");
    const { code, text } = await run(
      "sqlite3",
      ["-bail", "-cmd", ".timeout 10000", database],
      { cwd: this.#folder },
      statements,
    );
    expect(code, text).toBe(0);
    return text.trim();
  }

  /** Changes the database without its triggers, and restores them, as a careful thief does. */
  async change(statements: string): Promise<void> {
    const isOurs = `type = 'trigger' AND name <> '${HOLD}'`;
    const triggers = await this.sql(`SELECT sql || ';' FROM sqlite_schema WHERE ${isOurs};`);
    const drop = await this.sql("SELECT 'DROP TRIGGER ' || name || ';' FROM sqlite_schema WHERE type = 'trigger';");
    await this.sql(`BEGIN IMMEDIATE;\n${drop}\n${statements}\n${triggers}\nCOMMIT;`);
  }

  /** What a statement selects from the backup, whose tables have the prefix `backup`. */
  fromBackup(select: string): Promise<string> {
    return this.sql(`ATTACH '${BACKUP}' AS backup;\n${select}`);
  }

  /** Keeps new entries out of the log until the database is changed. */
  async hold(): Promise<void> {
    await this.sql(`CREATE TRIGGER ${HOLD} BEFORE UPDATE ON log_state BEGIN SELECT RAISE(ABORT, 'wait'); END;`);
  }

  async #copy(from: string, to: string): Promise<void> {
    await copyFile(this.file(from), this.file(to));
  }

  /** Copies the database as it is now, while the house is open, and the last checkpoint beside it. */
  async backUp(): Promise<void> {
    await this.sql(`VACUUM INTO '${BACKUP}';`);
    await chmod(this.file(BACKUP), 0o600);
    await this.#copy("data/log-checkpoint", "backup-checkpoint");
  }

  /** Puts the backup in the place of the database; `withCheckpoint`, also of the checkpoint beside it. */
  async restore(withCheckpoint: boolean): Promise<void> {
    await this.stop();
    await Promise.all(["-wal", "-shm"].map((suffix) => rm(this.file(`data/glasshouse.db${suffix}`), { force: true })));
    await this.#copy(BACKUP, "data/glasshouse.db");
    if (withCheckpoint) await this.#copy("backup-checkpoint", "data/log-checkpoint");
    await this.start();
  }

  /** A command of the operator or, with the address, of anybody. */
  command(...args: string[]): Promise<Said> {
    return run(BINARY, args, { cwd: this.#folder, env: this.#settings });
  }
}
