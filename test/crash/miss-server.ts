import {collectGarbage} from "../collect-garbage.ts";
import {deltaWorkshop} from "../delta/delta-workshop.ts";
import {everyParcel} from "./known-county.ts";

// A server in a process of its own, to be killed. Arguments: the workshop's folder and its key; it sends its port.
const [root = "", key = ""] = process.argv.slice(2);
const server = await deltaWorkshop(root, everyParcel(), key).start();
process.send?.(server.port);
process.on("SIGTERM", () => void server.stop().then(() => process.exit(0)));

// Memory is compared after a collection: what is left then is held.
process.on("SIGUSR2", collectGarbage);
