import {build, exitCode} from "../../pipeline/publish/build.ts";
import {deltaWorkshop} from "../delta/delta-workshop.ts";
import {everyParcel} from "./known-county.ts";

// A build in a process of its own, to be killed. Arguments: the workshop's folder, its key, the day.
const [root = "", key = "", asOf = ""] = process.argv.slice(2);
process.exitCode = exitCode(await build(deltaWorkshop(root, everyParcel(), key).options({asOf})));
