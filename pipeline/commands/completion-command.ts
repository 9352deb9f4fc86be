import tab from "@bomb.sh/tab/commander";
import type {Command} from "commander";

/**
 * Adds `completion`, which prints the completion script of a shell, and the hidden `complete`, which that script calls. Call it
 * after all other commands were added: it reads their names and options.
 */
export function completionCommand(cattle: Command): void {
  tab(cattle, {completionCommandName: "completion"});
}
