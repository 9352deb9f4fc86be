import {z} from "zod";
import {ProcessIdentity} from "./delta-record.ts";
import {BuildId} from "./manifest.ts";

/** `run/*.lease.json`: names the build that a server has open, so that `gc` keeps it. */
export const Lease = z.strictObject({build_id: BuildId, process: ProcessIdentity});
export type Lease = z.infer<typeof Lease>;
