import {type DestinationStream, type Logger, pino} from "pino";
import type {Settings} from "../../schemas/settings.ts";

/** The log: one JSON line per event, UTC times, no host name. Nothing but named facts goes in, never a request value. */
export function createLog(settings: Settings, destination?: DestinationStream): Logger {
  const options = {
    level: settings.CATTLE_LOG_LEVEL,
    base: {process: settings.CATTLE_PROCESS_NUMBER},
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {level: (label: string) => ({level: label})},
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** Name and frames of a thrown error, for the log. Its message is left out, since it may repeat a request value. */
export function faultFacts(thrown: unknown): {errorName: string; frames: string[]} {
  if (!(thrown instanceof Error)) return {errorName: typeof thrown, frames: []};
  const frames = (thrown.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {errorName: thrown.name, frames: frames.map((frame) => frame.trim())};
}
