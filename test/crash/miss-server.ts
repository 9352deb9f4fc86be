import {collectGarbage} from "../collect-garbage.ts";
import {deltaWorkshop} from "../delta/delta-workshop.ts";
import {everyParcel} from "./known-county.ts";

// A server in its own process, to be killed. Arguments: the workshop folder and its key; it sends its port.
const [root = "", key = ""] = process.argv.slice(2);
const server = await deltaWorkshop(root, everyParcel(), key).start();
process.send?.(server.port);
process.on("SIGTERM", () => void server.stop().then(() => process.exit(0)));

// Memory is compared after a garbage collection, which leaves only what is retained.
process.on("SIGUSR2", collectGarbage);
