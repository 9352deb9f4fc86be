import {makeOwnFolder, sharedFolder} from "@open-cattle/safe-files";
import type {Command} from "commander";
import {UsageError, UserError} from "../../lib/errors.ts";
import {addressOf, readDecisions, statementOf} from "../../lib/registry/layer-terms.ts";
import {
  allCadastreSources,
  loadParcelSources,
  registeredCadastreSource,
} from "../../lib/registry/parcel-sources.ts";
import type {DataFolder} from "../../lib/storage/data-folder.ts";
import type {TermsDecisions} from "../../schemas/terms.ts";
import {replaceJson} from "../fetch/snapshots/snapshot-folder.ts";
import {refusalOfBulk} from "../parcels/datasets.ts";
import {chosenData, print, printJson, runClock, textTable} from "./command-line.ts";

/** Adds `sources terms`, `allow` and `disallow`, with which the operator decides what is pulled as a whole, without editing files. */
export function termsCommands(sources: Command): void {
  sources
    .command("terms")
    .description(
      "list the sources that are not downloaded in bulk: who may, the terms, the page with them; and what was decided",
    )
    .option("--layers", "include the layers of counties")
    .option("--out <dir>", "data folder, instead of CATTLE_DATA")
    .option("--json", "as JSON")
    .action((flags: {layers?: boolean; out?: string; json?: boolean}) => showTerms(flags));
  sources
    .command("allow <id>")
    .description(
      "decide that a source may be downloaded in bulk; the decision is stored in the data folder, and builds cite it",
    )
    .requiredOption("--licence <text>", "name or address of the licence, or what the publisher says")
    .requiredOption("--evidence <url>", "page on which it is published")
    .option("--out <dir>", "data folder, instead of CATTLE_DATA")
    .action((id: string, flags: {licence: string; evidence: string; out?: string}) => allow(id, flags));
  sources
    .command("disallow <id>")
    .description("withdraw a decision")
    .option("--out <dir>", "data folder, instead of CATTLE_DATA")
    .action((id: string, flags: {out?: string}) => disallow(id, flags));
}

function showTerms({
  layers = false,
  out,
  json = false,
}: {
  layers?: boolean;
  out?: string;
  json?: boolean;
}): void {
  const decisions = readDecisions(chosenData(out));
  const waiting = [...loadParcelSources(), ...(layers ? allCadastreSources() : [])]
    .filter((source) => addressOf(source) !== undefined && refusalOfBulk(source) !== null)
    .filter(({id}) => decisions[id] === undefined)
    .map((source) => {
      const open = addressOf(source)!;
      const {words = "none seen", page = open, read = null, who = null} = statementOf(source) ?? {};
      return {id: source.id, state: source.coverage.state, words, who, page, read, open};
    });
  const decided = Object.entries(decisions).map(([id, decision]) => ({id, ...decision}));
  if (json) {
    printJson({waiting, decided});
    return;
  }
  const rows = waiting.map(({id, state, who, words, page, open}) => [
    ...[id, state, who ?? "not said", words],
    ...[page === open ? "-" : page, open],
  ]);
  print(textTable(["not taken", "state", "who may", "words", "words read in", "page to open"], rows));
  if (waiting.length > 0) print("to decide: cattle sources allow ID --licence TEXT --evidence URL");
  const columns = decided.map(({id, licence, evidence, decided_at}) => [id, licence, evidence, decided_at]);
  if (decided.length > 0) print(textTable(["allowed here", "licence", "evidence", "on"], columns));
}

async function allow(
  id: string,
  {licence, evidence, out}: {licence: string; evidence: string; out?: string},
): Promise<void> {
  const source = loadParcelSources().find((entry) => entry.id === id) ?? registeredCadastreSource(id);
  if (source === undefined || addressOf(source) === undefined)
    throw new UsageError(
      `${id}: no source with an address. "cattle sources terms --layers" lists those that wait.`,
    );
  if (licence.trim() === "") throw new UsageError("--licence: is empty, expected what the publisher says.");
  if (!/^https?:$/.test(URL.parse(evidence)?.protocol ?? ""))
    throw new UsageError(`--evidence: expected the address of a page, got ${JSON.stringify(evidence)}.`);
  const data = chosenData(out);
  const decided_at = runClock()().toISOString().slice(0, 10);
  await writeDecisions(data, {...readDecisions(data), [id]: {licence: licence.trim(), evidence, decided_at}});
  const said = statementOf(source);
  if (said !== undefined) print(`its publisher says: ${said.words} (${said.page})`);
  print(`${id}: allowed, as ${licence.trim()}; cattle fetch --source ${id} takes it whole`);
}

async function disallow(id: string, {out}: {out?: string}): Promise<void> {
  const data = chosenData(out);
  const {[id]: taken, ...others} = readDecisions(data);
  if (taken === undefined)
    throw new UserError(`${id}: nothing was decided here. "cattle sources terms" lists what was.`);
  await writeDecisions(data, others);
  print(`${id}: the decision is taken back; what its publisher says counts again`);
}

/** Replaces the stored decisions, sorted by source. */
async function writeDecisions({root, terms}: DataFolder, decisions: TermsDecisions): Promise<void> {
  makeOwnFolder(root, sharedFolder);
  const sorted = Object.entries(decisions).sort(([a], [b]) => (a < b ? -1 : 1));
  await replaceJson(terms, Object.fromEntries(sorted));
}
