import {build} from "../../../pipeline/publish/build.ts";
import {openWorkshop} from "./workshop.ts";

// A build in a process of its own, so that a failpoint can kill it. Its one argument is the workshop's folder.
await build(openWorkshop(process.argv[2]!).options());
