import {openLog} from "../server/system/json-log.ts";

/** A log that is not written. */
export const silentLog = openLog("silent", () => undefined);
