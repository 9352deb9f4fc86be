import {readFileSync} from "node:fs";
import {cpus} from "node:os";
import {join} from "node:path";
import {crc32} from "node:zlib";
import {joinedPieces, recordPieces} from "../lib/parcels/record/stored-record.ts";
import {openArrowTable} from "../lib/storage/arrow-table/open.ts";
import {blockBytes} from "../schemas/manifest.ts";
import {benchState, openBenchState} from "./parcels/state.ts";

/**
 * The cost of finding a wrong byte in a served record: a checksum a record, read at every answer, beside a checksum a block of the
 * manifest, read when a record of the block is first touched.
 *
 *   node bench/checksums.ts [rows]      200,000 rows unless said otherwise
 */
const rows = Number(process.argv[2] ?? 200_000);
const turns = 100_000;

const folder = await benchState(rows);
const file = readFileSync(join(folder, "records.arrow"));
const table = openArrowTable(file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength));
const [facts, numbers, urls] = [table.text("facts"), table.number("provenance"), table.text("source_url")];
const {record} = openBenchState(folder, rows);
const {provenance} = record(0);
const order = Array.from({length: turns}, (_, turn) => (turn * 7919) % rows);

/** Microseconds of one call over all rows of the order: of some passes the quickest. */
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
  numbers.at(row);
  const stored = {facts: facts.slice(row), provenance, sourceUrl: urls.at(row)};
  return joinedPieces(recordPieces(stored, {}));
});
const block = file.subarray(0, Math.min(file.length, blockBytes));
const started = performance.now();
for (let turn = 0; turn < 200; turn++) crc32(block);
const blockMs = (performance.now() - started) / 200;

console.log(
  `${new Date().toISOString().slice(0, 10)}, ${cpus()[0]?.model.trim()}, Node ${process.versions.node}; ${rows} rows of ${Math.round(file.length / rows)} bytes`,
);
console.log(
  `a checksum a record           ${(checked - unchecked).toFixed(2)} us a record, beside ${unchecked.toFixed(2)} us to copy it; 4 bytes a row (${((400 * rows) / file.length).toFixed(1)} %)`,
);
console.log(
  `a checksum a block of 1 MiB   ${blockMs.toFixed(2)} ms for the first record of a block, ${Math.round(block.length / 4096)} pages read for it; nothing found afterwards`,
);
