import {build} from "../../../pipeline/publish/build.ts";
import {openWorkshop} from "./workshop.ts";

// A build in its own process, so that a failpoint can kill it. Its only argument is the workshop folder.
await build(openWorkshop(process.argv[2]!).options());
