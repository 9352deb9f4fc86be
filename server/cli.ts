import type {Command} from "commander";
import {openStateArtifacts} from "../lib/parcels/artifacts.ts";
import {keyCommands} from "./key-commands.ts";
import {questionCommands} from "./question-commands.ts";
import {endpoints, serverEndpoints} from "./routes.ts";
import {serveCommand} from "./serve-command.ts";

/** Adds the server's commands to the program: `serve`, `keys …`, `market PATH …`, `lookup …`. Results go to stdout. */
export function serverCommands(program: Command): void {
  const print = (text: string) => void process.stdout.write(`${text}\n`);
  serveCommand(program, {endpoints: serverEndpoints, openState: openStateArtifacts, print});
  keyCommands(program, print);
  questionCommands(program, {endpoints, openState: openStateArtifacts, print});
}
