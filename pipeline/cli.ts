import {join} from "node:path";
import tab from "@bomb.sh/tab/commander";
import {Command, CommanderError} from "commander";
import {ConfigError, textOfFault, UsageError} from "../lib/errors.ts";
import {packageRoot, programVersion} from "../lib/paths.ts";
import {writeNote, writeText} from "../lib/text/terminal-output.ts";
import {addCommand} from "./commands/add-command.ts";
import {buildCommands} from "./commands/build-commands.ts";
import {asOfDate, print} from "./commands/command-line.ts";
import {deltaCommands} from "./commands/delta-commands.ts";
import {doctorCommand} from "./commands/doctor-command.ts";
import {exportCommand} from "./commands/export-command.ts";
import {fetchCommand} from "./commands/fetch-command.ts";
import {nightlyCommand} from "./commands/nightly-command.ts";
import {publishCommands} from "./commands/publish-commands.ts";
import {sourcesCommands} from "./commands/sources-commands.ts";
import {sqlCommand} from "./commands/sql-command.ts";
import {statusCommand} from "./commands/status-command.ts";
import {writeSample} from "./sample/write-sample.ts";

/** A function that adds another room's commands to the program. */
type AddCommands = (program: Command) => void;

const exitCodes = `
Exit codes: 0 done; 1 a fault; 2 wrong usage; 3 done, but something was kept back or left out;
4 nothing was published; 78 wrong configuration; 130 stopped by Ctrl-C. Settings are environment variables, CATTLE_*: see docs/reference/settings.md.`;

/** Builds the program with all its commands; `others` add those of rooms that this one must not import. */
export function program(others: readonly AddCommands[] = []): Command {
  const cattle = new Command("cattle")
    .description("Cattle-market and parcel intelligence: builds standard files and serves answers from them.")
    .version(programVersion())
    .configureOutput({writeOut: writeText, writeErr: writeNote})
    .addHelpText("after", exitCodes);
  addCommand(cattle);
  nightlyCommand(cattle);
  fetchCommand(cattle);
  buildCommands(cattle);
  publishCommands(cattle);
  statusCommand(cattle);
  deltaCommands(cattle);
  sourcesCommands(cattle);
  sqlCommand(cattle);
  exportCommand(cattle);
  sampleCommand(cattle);
  doctorCommand(cattle);
  for (const add of others) add(cattle);
  completionCommand(cattle);
  return cattle;
}

/** Exits quietly if a reader such as `head` has closed the pipe; rethrows any other stdout error. */
function endAtClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
}

/** Runs one command line and returns the exit code (`docs/design/architecture.md` section 7). */
export async function main(argv: string[], ...others: AddCommands[]): Promise<number> {
  if (!process.stdout.listeners("error").includes(endAtClosedPipe))
    process.stdout.on("error", endAtClosedPipe);
  try {
    await strict(program(others)).parseAsync(argv, {from: "user"});
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
function completionCommand(cattle: Command): void {
  tab(cattle, {completionCommandName: "completion"});
}

/** Adds `sample`, which generates input in the publishers' own formats, for trying everything without a download. */
function sampleCommand(cattle: Command): void {
  cattle
    .command("sample")
    .description("write generated sample input (no real sale, venue, parcel or owner)")
    .option("--to <dir>", "folder to write", join(packageRoot, "data", "sample"))
    .option("--as-of <date>", "day up to which sales are generated; today in UTC when absent")
    .action(async (flags: {to: string; asOf?: string}) => {
      const files = await writeSample(flags.to, asOfDate(flags.asOf));
      print(`${files.length} files of generated sample data below ${flags.to}`);
    });
}
