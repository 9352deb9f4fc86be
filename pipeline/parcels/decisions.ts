import {mkdir} from "node:fs/promises";
import type {DataFolder} from "../../lib/storage/data-folder.ts";
import type {TermsDecisions} from "../../schemas/terms.ts";
import {replaceJson} from "../fetch/snapshots/snapshot-folder.ts";

type Decided = Pick<DataFolder, "root" | "terms">;

/** Writes the decisions, sorted by source, in place of those before. */
export async function writeDecisions({root, terms}: Decided, decisions: TermsDecisions): Promise<void> {
  await mkdir(root, {recursive: true});
  const sorted = Object.entries(decisions).sort(([a], [b]) => (a < b ? -1 : 1));
  await replaceJson(terms, Object.fromEntries(sorted));
}
