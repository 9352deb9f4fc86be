import {expect, test} from "vitest";
import {seededRandom} from "../server/parcels/invented-state.ts";
import {type Cell, faults, matrixSources, playCell} from "./fault-matrix.ts";
import {wrongWith} from "./fault-table.ts";

const seed = Number(process.env["SEED"] ?? 49);
const count = Number(process.env["FAULT_CELLS"] ?? 60);

/** Cells in an order that the seed decides. */
function shuffledCells() {
  const cells = matrixSources().flatMap((source) => faults.map((fault) => ({source, fault})));
  const random = seededRandom(seed);
  return cells.map((cell) => ({...cell, order: random.next()})).sort((a, b) => a.order - b.order);
}

test("one fault at one source costs that piece alone, and the operator reads why", async () => {
  const wrong: string[] = [];
  let played = 0;
  for (const {source, fault} of shuffledCells()) {
    if (played === count) break;
    const cell: Cell | null = await playCell(source, fault);
    if (cell === null) continue;
    played++;
    const why = wrongWith(cell);
    if (why !== null) wrong.push(`${source}, ${fault}: ${why}`);
  }
  expect(wrong).toEqual([]);
  expect(played).toBe(count);
});
