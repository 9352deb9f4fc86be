/** Bits of each coordinate on the curve. */
export const hilbertOrder = 16;
/** Bits that one look-up takes, in a table of 4 x 16 x 16 entries. */
const lookupBits = 4;

/**
 * Gives the SELECT of the rows of a query in which the distance `d` along the Hilbert curve replaces the integer columns `x` and
 * `y`, 0 to 2^16 - 1 (`docs/design/measurements.md` section 5). Four bits at a time are looked up in a table, because a step for
 * each bit takes four times as long.
 */
export function hilbertSql(query: string): string {
  const table = `[${curveTable().join(", ")}]::USMALLINT[]`;
  const side = 2 ** lookupBits - 1;
  const entry = 2 * lookupBits;
  let sql = `SELECT *, 0 AS turn, 0::BIGINT AS d FROM (${query})`;
  for (let shift = hilbertOrder - lookupBits; shift >= 0; shift -= lookupBits) {
    const [x, y] = ["x", "y"].map((axis) => `((${axis} >> ${shift}) & ${side})`);
    const looked = `SELECT *, (${table})[1 + ((((turn << ${lookupBits}) | ${x}) << ${lookupBits}) | ${y})]::INTEGER AS entry FROM (${sql})`;
    sql = `SELECT * EXCLUDE (turn, d, entry), entry >> ${entry} AS turn, (d << ${entry}) | (entry & ${2 ** entry - 1}) AS d FROM (${looked})`;
  }
  return `SELECT * EXCLUDE (x, y, turn) FROM (${sql})`;
}

/** Gives, for each turn of the curve and each cell of a square of 16 x 16, the turn inside the cell and in the low bits its distance. */
function curveTable(): number[] {
  const cells = 2 ** lookupBits;
  return Array.from({length: 4 * cells * cells}, (_, i) => {
    const turn = Math.floor(i / (cells * cells));
    return entryOf(turn, Math.floor(i / cells) % cells, i % cells);
  });
}

/** Applies the plain rule bit by bit; a turn swaps the axes (1), reverses both of them (2), or does both. */
function entryOf(turn: number, cellX: number, cellY: number): number {
  const last = 2 ** lookupBits - 1;
  let [x, y, next, d] = [cellX, cellY, turn, 0];
  if ((turn & 2) !== 0) [x, y] = [last - x, last - y];
  if ((turn & 1) !== 0) [x, y] = [y, x];
  for (let bit = lookupBits - 1; bit >= 0; bit--) {
    const right = (x >> bit) & 1;
    const upper = (y >> bit) & 1;
    d = d * 4 + ((3 * right) ^ upper);
    if (upper === 1) continue;
    if (right === 1) [x, y, next] = [last - x, last - y, next ^ 2];
    [x, y, next] = [y, x, next ^ 1];
  }
  return (next << (2 * lookupBits)) | d;
}
