import {setFlagsFromString} from "node:v8";
import {runInNewContext} from "node:vm";
import {deltaWorkshop} from "../delta/delta-workshop.ts";
import {everyParcel} from "./known-county.ts";

// A server in a process of its own, to be killed. Arguments: the workshop's folder and its key; it sends its port.
const [root = "", key = ""] = process.argv.slice(2);
const server = await deltaWorkshop(root, everyParcel(), key).start();
process.send?.(server.port);
process.on("SIGTERM", () => void server.stop().then(() => process.exit(0)));

// Memory is compared after a collection: what is left then is held.
setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc") as () => void;
// Without the name of the signal: an argument would make it a collection of young objects alone.
process.on("SIGUSR2", () => gc());
