import {endProcess} from "../../lib/process/end-process.ts";
import {faultFacts} from "../http/log.ts";
import {type RunningServer, type StartOptions, startServer} from "./start.ts";

/**
 * Serves until SIGTERM or SIGINT and gives the exit code: 0 after a clean stop. A second signal ends the process at once,
 * SIGHUP looks at the published build and the keys; a fault that nobody caught is logged and ends with 1.
 */
export async function serve(options: StartOptions): Promise<number> {
  const {log} = options;
  endOnFaults(options);
  const server = await startServer(options);
  log.info({port: server.port, host: options.settings.CATTLE_HOST}, "listening");
  process.on("SIGHUP", () => void server.refresh());
  await stopSignal();
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
