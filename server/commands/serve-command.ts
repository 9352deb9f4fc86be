import type {Command} from "commander";
import {programVersion} from "../../lib/paths.ts";
import {printableSettings, readSettings, type Settings} from "../../lib/read-settings.ts";
import {endProcess} from "../../lib/system/libc.ts";
import {createLog, faultFacts} from "../http/log.ts";
import {type RunningServer, type StartOptions, startServer} from "./start.ts";

type ServeDeps = Pick<StartOptions, "endpoints" | "openState" | "services"> & {
  print: (text: string) => void;
};

/** Adds `serve`, which runs until SIGTERM; with `--check-config` it prints the effective settings and exits. */
export function serveCommand(program: Command, {print, ...deps}: ServeDeps): void {
  program
    .command("serve")
    .description("serve the published build over HTTP")
    .option("--port <n>", "port to listen on instead of CATTLE_PORT")
    .option("--check-config", "print the effective settings, secrets masked, and exit")
    .action(async ({port, checkConfig = false}: {port?: string; checkConfig?: boolean}) => {
      const settings = readSettings({...process.env, ...(port === undefined ? {} : {CATTLE_PORT: port})});
      if (checkConfig) {
        print(settingLines(settings));
        return;
      }
      const log = createLog(settings);
      log.info({settings: printableSettings(settings)}, "settings");
      process.exitCode = await serve({settings, version: programVersion(), log, ...deps});
    });
}

function settingLines(settings: Settings): string {
  return Object.entries(printableSettings(settings))
    .map(([name, value]) => `${name}=${value}`)
    .join("\n");
}

/**
 * Serves until SIGTERM or SIGINT and returns the exit code: 0 after a clean stop. A second signal ends the process at once. SIGHUP re-reads
 * the published build and the keys. An uncaught fault is logged and ends the process with 1.
 */
export async function serve(options: StartOptions): Promise<number> {
  const {log} = options;
  endOnFaults(options);
  // A SIGTERM during startup stops the server as soon as it is up. A SIGHUP then is redundant: startup reads the same files.
  const stopped = stopSignal();
  let server: RunningServer | null = null;
  const refresh = () => void server?.refresh();
  process.on("SIGHUP", refresh);
  server = await startServer(options);
  log.info({port: server.port, host: options.settings.CATTLE_HOST}, "listening");
  await stopped;
  log.info("stopping");
  await stopOnce(server);
  log.info("stopped");
  return 0;
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGTERM", () => resolve());
    process.once("SIGINT", () => resolve());
  });
}

async function stopOnce(server: RunningServer): Promise<void> {
  const atOnce = () => endProcess(1);
  process.once("SIGTERM", atOnce);
  process.once("SIGINT", atOnce);
  await server.stop();
}

function endOnFaults({log}: StartOptions): void {
  const end = (kind: string) => (error: unknown) => {
    log.fatal({kind, ...faultFacts(error)}, "fault");
    endProcess(1);
  };
  process.once("uncaughtException", end("uncaughtException"));
  process.once("unhandledRejection", end("unhandledRejection"));
}
