import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {type Database, openDatabase} from "../../../lib/sql/duckdb.ts";
import {hilbertOrder, hilbertSql} from "../../../pipeline/parcels/order.ts";

describe("the distance along the Hilbert curve", () => {
  let db: Database;
  beforeAll(async () => {
    db = await openDatabase();
  });
  afterAll(() => db.close());

  it("equals the textbook algorithm, for corners and for random cells", async () => {
    const corners = "SELECT * FROM (VALUES (0, 0), (0, 65535), (65535, 0), (65535, 65535)) t(x, y)";
    const anywhere = "SELECT (hash(i) % 65536)::INTEGER, (hash(i, 7) % 65536)::INTEGER FROM range(5000) t(i)";
    const cells = `SELECT x, y, x AS keep_x, y AS keep_y FROM (${corners} UNION ALL ${anywhere})`;
    const rows = await db.rows<{keep_x: number; keep_y: number; d: bigint}>(hilbertSql(cells));
    expect(rows).toHaveLength(5004);
    for (const {keep_x, keep_y, d} of rows) expect(Number(d)).toBe(bitByBit(keep_x, keep_y));
  });

  it("increases by one from neighbour to neighbour", async () => {
    const cells = "SELECT x.x, y.y, x.x AS keep_x, y.y AS keep_y FROM range(64) x(x), range(64) y(y)";
    const integers = `SELECT x::INTEGER AS x, y::INTEGER AS y, keep_x, keep_y FROM (${cells})`;
    const rows = await db.rows<{keep_x: bigint; keep_y: bigint; d: bigint}>(
      `SELECT * FROM (${hilbertSql(integers)}) ORDER BY d`,
    );
    rows.slice(1).forEach((row, i) => {
      const before = rows[i]!;
      expect(row.d - before.d).toBe(1n);
      const apart =
        Math.abs(Number(row.keep_x - before.keep_x)) + Math.abs(Number(row.keep_y - before.keep_y));
      expect(apart).toBe(1);
    });
  });

  it("is null for a row without a cell", async () => {
    const rows = await db.rows<{d: bigint | null}>(
      hilbertSql("SELECT NULL::INTEGER AS x, NULL::INTEGER AS y"),
    );
    expect(rows).toEqual([{d: null}]);
  });
});

/** The textbook algorithm: one quadrant per bit, then rotate the square. */
function bitByBit(cellX: number, cellY: number): number {
  let [x, y, d] = [cellX, cellY, 0];
  for (let side = 2 ** (hilbertOrder - 1); side >= 1; side /= 2) {
    const rx = (x & side) > 0 ? 1 : 0;
    const ry = (y & side) > 0 ? 1 : 0;
    d += side * side * ((3 * rx) ^ ry);
    if (ry === 1) continue;
    if (rx === 1) [x, y] = [2 ** hilbertOrder - 1 - x, 2 ** hilbertOrder - 1 - y];
    [x, y] = [y, x];
  }
  return d;
}
