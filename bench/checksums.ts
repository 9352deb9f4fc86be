import {linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {setImmediate as nextTurn} from "node:timers/promises";
import {crc32} from "node:zlib";
import {guardedBytes, guardOpened, mapFile, openArrowTable} from "@open-cattle/mapped-index";
import {blockBytes} from "@open-cattle/safe-files";
import {provenanceReader} from "../lib/parcels/record/provenance-file.ts";
import {joinedPieces, recordPieces} from "../lib/parcels/record/stored-record.ts";
import {readSettings} from "../lib/read-settings.ts";
import {blockSumsName, writeBlockSums} from "../lib/storage/arrow-file/block-sums.ts";
import type {Generation} from "../server/generation/generation.ts";
import {answerDirectly} from "../server/http/direct-answer.ts";
import {machineLine} from "./machine.ts";
import {type QuestionKind, questionKinds} from "./parcels/questions.ts";
import {benchEndpoints, benchGeneration, benchState, openBenchState} from "./parcels/state.ts";

/**
 * The cost of detecting a corrupt byte in a served state: a checksum per record, verified at every answer, against a checksum
 * per block, verified when a record of the block is first read; and lookups with the checksums of `checksums.arrow` against the
 * same lookups without.
 *
 *   node bench/checksums.ts [rows]      default: 200,000 rows
 */
const rows = Number(process.argv[2] ?? 200_000);
const turns = 100_000;

const folder = await benchState(rows);
const file = readFileSync(join(folder, "records.arrow"));
const table = openArrowTable(file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength));
const [values, numbers, urls] = [table.text("values"), table.number("provenance"), table.text("source_url")];
const {record} = openBenchState(folder, rows);
const provenanceFile = join(folder, "provenance.arrow");
const kindOf = provenanceReader(openArrowTable(mapFile(provenanceFile).buffer), provenanceFile);
const order = Array.from({length: turns}, (_, turn) => (turn * 7919) % rows);

/** Microseconds per call over all rows of the order; the fastest of several passes. */
function microseconds(call: (row: number) => unknown): number {
  const passes = Array.from({length: 7}, () => {
    const started = performance.now();
    for (const row of order) call(row);
    return ((performance.now() - started) * 1_000) / turns;
  });
  return Math.min(...passes);
}

const checked = microseconds((row) => joinedPieces(recordPieces(record(row), {})));
const unchecked = microseconds((row) => {
  const provenance = kindOf(numbers.at(row)!);
  const facts = provenance.factsOf(values.slice(row));
  return joinedPieces(recordPieces({facts, provenance, sourceUrl: urls.at(row)}, {}));
});
const block = file.subarray(0, Math.min(file.length, blockBytes));
const started = performance.now();
for (let turn = 0; turn < 200; turn++) crc32(block);
const blockMs = (performance.now() - started) / 200;

console.log(`${machineLine()}; ${rows} rows of ${Math.round(file.length / rows)} bytes`);
console.log(
  `a checksum a record           ${(checked - unchecked).toFixed(2)} us a record, beside ${unchecked.toFixed(2)} us to copy it; 4 bytes a row (${((400 * rows) / file.length).toFixed(1)} %)`,
);
console.log(
  `a checksum a block of 1 MiB   ${blockMs.toFixed(2)} ms for the first record of a block, ${Math.round(block.length / 4096)} pages read for it; nothing found afterwards`,
);

const guarded = readdirSync(folder).filter(
  (name) => /\.(arrow|flatbush)$/.test(name) && !/^(records|provenance|checksums)/.test(name),
);
const guardedSize = guarded.reduce((sum, name) => sum + readFileSync(join(folder, name)).length, 0);
const bytes = new Uint8Array(file);
const blocks = Math.ceil(bytes.length / guardedBytes);

/** Nanoseconds for a block, where all blocks of the file are hashed one by one; the fastest of several passes. */
function blockNanoseconds(hashAll: () => void): number {
  const passes = Array.from({length: 7}, () => {
    const started = performance.now();
    hashAll();
    return ((performance.now() - started) * 1e6) / blocks;
  });
  return Math.min(...passes);
}

const byXxh32 = blockNanoseconds(() => guardOpened(bytes.buffer, "records.arrow"));
const byCrc32 = blockNanoseconds(() => {
  for (let from = 0; from < bytes.length; from += guardedBytes)
    crc32(bytes.subarray(from, from + guardedBytes));
});
console.log(
  `a block of ${guardedBytes} bytes          ${byXxh32.toFixed(0)} ns by XXH32, ${byCrc32.toFixed(0)} by CRC-32 of zlib; ${(4 / guardedBytes) * 100} % of ${guarded.length} files, ${((4 * guardedSize) / guardedBytes / rows).toFixed(1)} bytes a row`,
);

const folders = mkdtempSync(join(tmpdir(), "cattle-checksums-"));
try {
  const bare = linked("without");
  const checkedFolder = linked("with");
  const writing = performance.now();
  await writeBlockSums(checkedFolder);
  console.log(`to write them               ${((performance.now() - writing) / 1000).toFixed(2)} s`);
  const table: Record<string, Record<string, string>> = {};
  const generations = [bare, checkedFolder].map((each) => benchGeneration(openBenchState(each, rows)));
  for (const kind of questionKinds(generations[0]!.states.get("TX")!)) {
    const [before, after] = await lookupTimes(kind, generations);
    table[kind.name] = {
      "without, us": before!.toFixed(0),
      "with, us": after!.toFixed(0),
      ratio: (after! / before!).toFixed(2),
    };
  }
  console.table(table);
} finally {
  rmSync(folders, {recursive: true});
}

/** Makes a folder with links to the state's files, except the checksums. */
function linked(name: string): string {
  const target = join(folders, name, "TX");
  mkdirSync(target, {recursive: true});
  for (const each of readdirSync(folder))
    if (each !== blockSumsName) linkSync(join(folder, each), join(target, each));
  return target;
}

/** Microseconds per lookup in each generation, asked alternately: the median over questions of each one's fastest round. */
async function lookupTimes(kind: QuestionKind, generations: readonly Generation[]): Promise<number[]> {
  const settings = readSettings({});
  const endpoint = benchEndpoints.find(({path}) => path.endsWith(kind.ask(0).path))!;
  const questions = kind.most ?? 60;
  const best = generations.map(() => new Float64Array(questions).fill(Number.POSITIVE_INFINITY));
  for (let round = 0; round < 10; round++) {
    for (const [at, generation] of generations.entries()) {
      for (let turn = 0; turn < questions; turn++) {
        const {values} = kind.ask(turn * 31 + 7);
        // Each question gets its own event-loop turn, as in a server, so that it verifies what it reads.
        await nextTurn();
        const asked = performance.now();
        await answerDirectly(endpoint, values, {generation, settings});
        best[at]![turn] = Math.min(best[at]![turn]!, (performance.now() - asked) * 1_000);
      }
    }
  }
  return best.map((times) => times.sort()[times.length >> 1]!);
}
