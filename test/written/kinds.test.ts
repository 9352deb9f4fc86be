import {afterAll, expect, test} from "vitest";
import {kinds as addressKinds, writtenCases} from "../../packages/us-address/test/written-lines.ts";
import {rowOfAnswer} from "./address-answers.ts";
import {fileKinds, fileOutcomes, type Outcome} from "./file-kinds.ts";

/** `make kinds` makes 200 of each kind and prints the table; a push makes fewer files. */
const count = Number(process.env["KINDS"] ?? 0);
const seed = Number(process.env["SEED"] ?? 1);
const table: string[] = [];

function judge(kind: string, outcomes: readonly Outcome[]): void {
  const found = outcomes.filter((outcome) => outcome === "found").length;
  const wrong = outcomes.flatMap((outcome) => (typeof outcome === "object" ? [outcome.wrong] : []));
  const share = `${found} of ${outcomes.length}`.padStart(12);
  table.push(`${kind.padEnd(52)} ${share} ${String(wrong.length).padStart(6)}`);
  expect(wrong).toEqual([]);
  expect(found).toBe(outcomes.length);
}

test.each(addressKinds)("addresses: %s is answered by its parcel, and by no other", (kind) => {
  const outcomes = writtenCases(kind, count || 200, seed).map((written): Outcome => {
    const row = rowOfAnswer(written);
    if (row === written.right) return "found";
    const shown = `${written.question} of ${JSON.stringify(written.rows)}: ${row}`;
    return row === null || row === "several" ? "missing" : {wrong: shown};
  });
  judge(kind, outcomes);
});

test.each(Object.keys(fileKinds))("files: %s is read as it is printed", async (kind) => {
  judge(kind, await fileOutcomes(kind, count || 20, seed));
});

afterAll(() => {
  if (count === 0) return;
  process.stdout.write(`\n${"kind".padEnd(52)} ${"found".padStart(12)} ${"wrong".padStart(6)}\n`);
  process.stdout.write(`${table.join("\n")}\n`);
});
