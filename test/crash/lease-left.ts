import {holdLease} from "../../lib/process/leases.ts";
import {dataFolder} from "../../lib/storage/data-folder.ts";

// Takes the lease on a build, as a server does, and ends without removing it.
const [, , root = "", buildId = ""] = process.argv;
await holdLease(dataFolder(root)).moveTo(buildId);
process.kill(process.pid, "SIGKILL");
