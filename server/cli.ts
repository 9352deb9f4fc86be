import type {Command} from "commander";
import {openStateArtifacts} from "../lib/parcels/artifacts.ts";
import {keyCommands} from "./commands/key-commands.ts";
import {mcpCommand} from "./commands/mcp-command.ts";
import {questionCommands} from "./commands/question-commands.ts";
import {serveCommand} from "./commands/serve-command.ts";
import {endpoints, serverEndpoints} from "./http/routes.ts";

/** Adds the server's commands to the program: `serve`, `keys …`, `market PATH …`, `lookup …`, `mcp`. Results go to stdout. */
export function serverCommands(program: Command): void {
  const print = (text: string) => void process.stdout.write(`${text}\n`);
  serveCommand(program, {endpoints: serverEndpoints, openState: openStateArtifacts, print});
  keyCommands(program, print);
  questionCommands(program, {endpoints, openState: openStateArtifacts, print});
  mcpCommand(program, {endpoints, openState: openStateArtifacts});
}
