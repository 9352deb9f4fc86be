import {join} from "node:path";
import {z} from "zod";
import {referenceDir} from "../../../lib/paths.ts";
import {readRegistryFile} from "../../../lib/reference/registry-file.ts";
import {ReferencePage} from "../../../schemas/reference-page.ts";

/** Path of the shipped pointers from the root of the package, which builds cite. */
export const referencePagesPath = "data/reference/references.json";

/** The pointers of `data/reference/references.json`, in file order. Throws a `ConfigError` that names the field of a fault. */
export function loadReferencePages(path: string = join(referenceDir, "references.json")): ReferencePage[] {
  return readRegistryFile(z.array(ReferencePage), path);
}
