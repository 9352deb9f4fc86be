// A copy of the checkout whose tests and types judge a change, so that a change does no harm.
import {type ChildProcess, execFile, fork} from "node:child_process";
import {once} from "node:events";
import {cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync} from "node:fs";
import {dirname, join} from "node:path";
import {packageRoot} from "../../lib/paths.ts";
import {projectFiles} from "../project-files.ts";
import type {Question, Reply} from "./judge.ts";

/** A judge silent for this long hangs because of the change. */
const silenceMs = 120_000;

const compiler = join(packageRoot, "node_modules/typescript/bin/tsc");

/** A copy of the checkout, so that changes do no harm. */
export function copiedTree(folder: string): string {
  for (const file of projectFiles()) {
    mkdirSync(dirname(join(folder, file)), {recursive: true});
    cpSync(join(packageRoot, file), join(folder, file));
  }
  // Our own packages are those of the copy.
  const modules = join(packageRoot, "node_modules");
  const own = join(folder, "node_modules/@open-cattle");
  mkdirSync(own, {recursive: true});
  for (const name of readdirSync(modules))
    if (name !== "@open-cattle" && !name.startsWith(".vite"))
      symlinkSync(join(modules, name), join(folder, "node_modules", name));
  for (const name of readdirSync(join(folder, "packages")))
    symlinkSync(join(folder, "packages", name), join(own, name));
  return folder;
}

/** A copy of the tree with a warm vitest over it. */
export class Judge {
  readonly #tree: string;
  #child: ChildProcess | undefined;
  readonly #changed = new Set<string>();

  constructor(tree: string) {
    this.#tree = copiedTree(tree);
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.#tree, file), text);
    this.#changed.add(file);
  }

  /** The test files that fail, up to the first; all of them if the run hangs or ends its process. */
  async failuresOf(tests: readonly string[]): Promise<readonly string[]> {
    this.#child ??= this.#start();
    const child = this.#child;
    const question: Question = {changed: [...this.#changed], tests};
    this.#changed.clear();
    child.send(question);
    let timer = setTimeout(() => this.#kill(), silenceMs);
    let ended = () => {};
    const failed = await new Promise<readonly string[]>((resolve) => {
      ended = () => resolve(tests);
      child.once("exit", ended);
      child.on("message", (reply: Reply) => {
        clearTimeout(timer);
        if (reply === "at work") timer = setTimeout(() => this.#kill(), silenceMs);
        else resolve(reply.failed);
      });
    });
    clearTimeout(timer);
    child.off("exit", ended).removeAllListeners("message");
    return failed;
  }

  /** True when the compiler accepts the tree. */
  async hasRightTypes(): Promise<boolean> {
    const {exitCode} = await new Promise<ChildProcess>((resolve) => {
      const known = ["--incremental", "--tsBuildInfoFile", `${this.#tree}.tsbuildinfo`];
      const words = [compiler, "--noEmit", "-p", this.#tree, ...known];
      const child = execFile(process.execPath, words, () => resolve(child));
    });
    return exitCode === 0;
  }

  /** Stops vitest and all processes that its tests started. */
  async stop(): Promise<void> {
    if (this.#child === undefined) return;
    const ended = once(this.#child, "exit");
    this.#kill();
    await ended;
  }

  #kill(): void {
    if (this.#child !== undefined) process.kill(-this.#child.pid!, "SIGKILL");
  }

  #start(): ChildProcess {
    const temporary = `${this.#tree}-temporary`;
    mkdirSync(temporary, {recursive: true});
    // The tests draw what they draw in `make test`.
    const {SEED: _, ...env} = process.env;
    const child = fork(join(this.#tree, "test/mutants/judge.ts"), {
      cwd: this.#tree,
      detached: true,
      stdio: "ignore",
      env: {...env, TMPDIR: temporary},
    });
    child.once("exit", () => {
      this.#child = undefined;
    });
    return child;
  }
}
