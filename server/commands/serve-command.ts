import type {Command} from "commander";
import {printableSettings, readSettings, type Settings} from "../../lib/settings.ts";
import {programVersion} from "../../lib/version.ts";
import type {OpenState} from "../generation/open-generation.ts";
import {createLog} from "../http/log.ts";
import {serve} from "./main.ts";
import type {StartOptions} from "./start.ts";

export type ServeDeps = {
  endpoints: StartOptions["endpoints"];
  openState: OpenState;
  print: (text: string) => void;
};

/** Adds `serve`: answers until SIGTERM; with `--check-config` it prints the effective settings and ends. */
export function serveCommand(program: Command, {endpoints, openState, print}: ServeDeps): void {
  program
    .command("serve")
    .description("serve the published build over HTTP")
    .option("--port <n>", "port to listen on, in place of CATTLE_PORT")
    .option("--check-config", "print the effective settings, secrets masked, and end")
    .action(async ({port, checkConfig = false}: {port?: string; checkConfig?: boolean}) => {
      const settings = readSettings({...process.env, ...(port === undefined ? {} : {CATTLE_PORT: port})});
      if (checkConfig) {
        print(settingLines(settings));
        return;
      }
      const log = createLog(settings);
      log.info({settings: printableSettings(settings)}, "settings");
      process.exitCode = await serve({settings, version: programVersion(), log, endpoints, openState});
    });
}

function settingLines(settings: Settings): string {
  return Object.entries(printableSettings(settings))
    .map(([name, value]) => `${name}=${value}`)
    .join("\n");
}
