import {loadCadastreSources} from "../../../lib/registry/parcel-sources.ts";
import {build, exitCode} from "../../../pipeline/publish/build.ts";
import {deltaWorkshop, rollNumbers} from "../../delta/delta-workshop.ts";
import {everyParcel} from "../known-county.ts";

// A night's build in a process of its own: the county's file with new values, and the finds of all counties of the registry. Arguments:
// the workshop's folder, its key, the value. It prints the number of finds of the delta that are in the build's files now.
const [root = "", key = "", value = ""] = process.argv.slice(2);
const shop = deltaWorkshop(root, everyParcel(), key);
shop.roll(rollNumbers(40), Number(value));
const {layers: ofWorkshop, ...stages} = shop.options().stages;
const registry = loadCadastreSources();
const layers: typeof ofWorkshop = (country, state) => registry.of(country, state);
const result = await build(shop.options({now: () => new Date(), stages: {...stages, layers}}));
process.exitCode = exitCode(result);
process.stdout.write(String(result.delta.reduce((sum, {accepted}) => sum + accepted, 0)));
