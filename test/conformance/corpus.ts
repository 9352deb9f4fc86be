import {existsSync} from "node:fs";
import {dirname, join} from "node:path";
import {packageRoot} from "../../lib/paths.ts";

const folder = join(dirname(packageRoot), "shared", "corpus");

/** Folder of real payloads beside the checkout; null if missing, and then conformance tests report that they did not run. */
export const corpus: string | null = existsSync(folder) ? folder : null;

if (corpus === null) process.stderr.write(`conformance: not run, ${folder} is absent\n`);
