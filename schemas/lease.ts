import {z} from "zod";
import {ProcessIdentity} from "./delta-record.ts";
import {BuildId} from "./manifest.ts";

/** `run/*.lease.json`: names the build that a server has open, so that `gc` keeps it, and any damage the server found in it. */
export const Lease = z.strictObject({
  build_id: BuildId,
  process: ProcessIdentity,
  damaged: z.array(z.string()).optional().describe("Paths of damaged files, below the data folder"),
});
export type Lease = z.infer<typeof Lease>;
