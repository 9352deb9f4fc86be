import {Command, CommanderError} from "commander";
import {ConfigError, textOfFault, UsageError} from "../lib/errors.ts";
import {programVersion} from "../lib/paths.ts";
import {writeNote, writeText} from "../lib/text/terminal-output.ts";

/** The commands of one module, loaded when one of them is called: most processes need no other. */
export type CommandModule = {
  readonly names: readonly string[];
  load(): Promise<(program: Command) => void>;
};

const modules: readonly CommandModule[] = [
  {names: ["add"], load: async () => (await import("./commands/add-command.ts")).addCommand},
  {names: ["nightly"], load: async () => (await import("./commands/nightly-command.ts")).nightlyCommand},
  {names: ["fetch"], load: async () => (await import("./commands/fetch-command.ts")).fetchCommand},
  {
    names: ["build", "assemble"],
    load: async () => (await import("./commands/build-commands.ts")).buildCommands,
  },
  {
    names: ["publish", "rollback", "verify", "gc"],
    load: async () => (await import("./commands/publish-commands.ts")).publishCommands,
  },
  {names: ["status"], load: async () => (await import("./commands/status-command.ts")).statusCommand},
  {names: ["delta"], load: async () => (await import("./commands/delta-commands.ts")).deltaCommands},
  {names: ["sources"], load: async () => (await import("./commands/sources-commands.ts")).sourcesCommands},
  {names: ["sql"], load: async () => (await import("./commands/sql-command.ts")).sqlCommand},
  {names: ["export"], load: async () => (await import("./commands/export-command.ts")).exportCommand},
  {names: ["sample"], load: async () => (await import("./sample/sample-command.ts")).sampleCommand},
  {names: ["doctor"], load: async () => (await import("./commands/doctor-command.ts")).doctorCommand},
];

const exitCodes = `
Exit codes: 0 done; 1 a fault; 2 wrong usage; 3 done, but something was kept back or left out;
4 nothing was published; 78 wrong configuration; 130 stopped by Ctrl-C. Settings are environment variables, CATTLE_*: see docs/reference/settings.md.`;

/**
 * Builds the program with the command that `word` calls, or with all commands; `others` are those of rooms that this one must not import.
 */
export async function program(others: readonly CommandModule[] = [], word = ""): Promise<Command> {
  const cattle = new Command("cattle")
    .description("Cattle-market and parcel intelligence: builds standard files and serves answers from them.")
    .version(programVersion())
    .configureOutput({writeOut: writeText, writeErr: writeNote})
    .addHelpText("after", exitCodes);
  if (word === "--version") return cattle;
  const all = [...modules, ...others];
  const called = all.find(({names}) => names.includes(word));
  for (const {load} of called === undefined ? all : [called]) (await load())(cattle);
  if (called === undefined) await completionCommand(cattle);
  return cattle;
}

/** Exits quietly if a reader such as `head` has closed the pipe; rethrows any other stdout error. */
function endAtClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
}

/** Runs one command line and returns the exit code (`docs/design/architecture.md` section 7). */
export async function main(argv: string[], others: readonly CommandModule[] = []): Promise<number> {
  if (!process.stdout.listeners("error").includes(endAtClosedPipe))
    process.stdout.on("error", endAtClosedPipe);
  try {
    await strict(await program(others, argv[0])).parseAsync(argv, {from: "user"});
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return exitCodeOf(error);
  }
}

/** Makes usage errors throw instead of exiting the process, in every subcommand. */
function strict(command: Command): Command {
  for (const sub of command.commands) strict(sub);
  return command.exitOverride().showHelpAfterError(`See "${commandPath(command)} --help".`);
}

/** The words that call a command, such as `cattle delta ls`. */
function commandPath(command: Command): string {
  return command.parent === null ? command.name() : `${commandPath(command.parent)} ${command.name()}`;
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  writeNote(`${textOfFault(error)}\n`);
  if (error instanceof ConfigError) return 78;
  return error instanceof UsageError ? 2 : 1;
}

/**
 * Adds `completion`, which prints a shell's completion script, and the hidden `complete`, which that script calls. Must come after all
 * other commands, because it reads their names and options.
 */
async function completionCommand(cattle: Command): Promise<void> {
  const {default: tab} = await import("@bomb.sh/tab/commander");
  tab(cattle, {completionCommandName: "completion"});
}
