import type {Random} from "../../server/parcels/invented-state.ts";
import {type Damaged, mostDamages} from "./damage.ts";
import type {Specimen} from "./specimens.ts";
import {openTable, type Table, type Workshop} from "./table.ts";

type Change = {readonly table: Table; readonly told: string; readonly changed?: number};
type Damage = (table: Table, random: Random) => Change | null;

/** Columns with words, by a part of their names, and words that publishers print there. */
const columnWords: readonly (readonly [RegExp, readonly (string | null)[]])[] = [
  [
    /^age|^category_age/,
    ["<2", "2-4", "2-8", "5-8", ">8", "Aged (>8 yrs)", "Young/Middle Aged (2-8 yrs)", "aged", "N/A", null],
  ],
  [/stage|pregnancy/, ["O", "T1", "T1-2", "T3", "Open", "1st/2nd Stage (1-6 mo)", "All Stages", "P", null]],
  [/muscle/, ["1", "1-2", "2", "2-3", "3-4", "4", "9", "N/A", null]],
  [/quality|^grade$/, ["Choice 2 - 3", "Boner 80-85%", "Lean", "M&L 1-2", "Medium and Large 9-9", "", null]],
  [/frame/, ["Medium and Large", "Large", "Small and Medium", "Gigantic", "N/A", null]],
  [/dressing/, ["Average", "High", "Low", "Very Low", "Enormous", null]],
  [/lot_desc|annotation|note/, ["None", "Unweaned", "Fancy", "Beef Cross", "Return to Feed", "Pink", null]],
  [
    /class|^type$|cattle_type/,
    ["Steers", "Heifers", "Bulls", "Cows", "Bred Cows", "Beef/Dairy Steers", "Goats"],
  ],
  [/price_unit|pricing/, ["Per Cwt", "Per Unit", "Per Head", "Per Family", "cwt", "Per Dozen", null]],
];

const isPlace = (table: Table, random: Random) => random.below(table.rows.length);
/** The rows with another value in one place; a row that lost a value may be too short for it. */
const withValue = ({rows}: Table, row: number, at: number, value: unknown) =>
  rows.with(row, Object.assign([...rows[row]!], {[at]: value}));
const without = (values: readonly unknown[], at: number, count = 1) => values.toSpliced(at, count);

const damages: Readonly<Record<string, Damage>> = {
  "rows cut out": (table, random) => {
    const [at, count] = [isPlace(table, random), 1 + random.below(8)];
    return {table: {...table, rows: table.rows.toSpliced(at, count)}, told: `${count} from ${at + 1}`};
  },
  "a row twice": (table, random) => {
    const at = isPlace(table, random);
    return {table: {...table, rows: table.rows.toSpliced(at, 0, table.rows[at]!)}, told: `row ${at + 1}`};
  },
  "rows in another order": (table) => ({
    table: {...table, rows: table.rows.toReversed()},
    told: "last first",
  }),
  "a column left out": ({columns, rows}, random) => {
    const at = random.below(columns.length);
    const cut = {columns: columns.toSpliced(at, 1), rows: rows.map((row) => without(row, at))};
    return {table: cut, told: columns[at]!};
  },
  "a column renamed": ({columns, rows}, random) => {
    const at = random.below(columns.length);
    const name = random.pick([`${columns[at]}_x`, columns[at]!.toUpperCase(), `x${at}`]);
    // Two columns of one name cannot be saved as Parquet.
    if (columns.some((other, place) => place !== at && other.toLowerCase() === name.toLowerCase()))
      return null;
    return {table: {columns: columns.with(at, name), rows}, told: `${columns[at]} -> ${name}`};
  },
  "columns in another order": ({columns, rows}, random) => {
    const turn = random.below(columns.length);
    const turned = <T>(values: readonly T[]) => [...values.slice(turn), ...values.slice(0, turn)];
    return {table: {columns: turned(columns), rows: rows.map(turned)}, told: `turned by ${turn}`};
  },
  "another word": (table, random) => {
    const known = table.columns.flatMap((name, at) => {
      const words = columnWords.find(([fits]) => fits.test(name.toLowerCase()))?.[1];
      return words === undefined ? [] : [{name, at, words}];
    });
    if (known.length === 0) return null;
    const {name, at, words} = random.pick(known);
    const row = isPlace(table, random);
    const word = random.pick(words);
    return {
      table: {...table, rows: withValue(table, row, at, word)},
      told: `row ${row + 1} ${name} -> ${word}`,
      changed: 1,
    };
  },
  "another number": (table, random) => {
    const numbers = table.columns.flatMap((name, at) => (/head|price|weight|wt/i.test(name) ? [at] : []));
    const at = random.pick(numbers);
    if (at === undefined) return null;
    const row = isPlace(table, random);
    const value = random.pick([0, -5, 7, 99_999, "", "N/A", null]);
    return {
      table: {...table, rows: withValue(table, row, at, value)},
      told: `row ${row + 1} ${table.columns[at]} -> ${value}`,
      changed: 1,
    };
  },
  "a value left out": (table, random) => {
    const [row, at] = [isPlace(table, random), random.below(table.columns.length)];
    return {
      table: {...table, rows: table.rows.with(row, without(table.rows[row]!, at))},
      told: `row ${row + 1} ${table.columns[at]}`,
      // The values after it are shifted one column to the left.
      changed: 1,
    };
  },
};

/** A table with several damages of its rows and columns, saved in some encoding, and sometimes cut off. */
export async function damageTable(
  {shape, content}: Pick<Specimen, "shape" | "content">,
  workshop: Workshop,
): Promise<Damaged> {
  const {random} = workshop;
  const opened = await openTable(shape, content, workshop);
  let {table} = opened;
  const [told, kinds]: [string[], string[]] = [[], []];
  let changedRows = 0;
  for (
    let left = 1 + random.below(mostDamages);
    left > 0 && table.rows.length > 2 && table.columns.length > 2;
    left--
  ) {
    const kind = random.pick(Object.keys(damages));
    const change = damages[kind]!(table, random);
    if (change === null) continue;
    table = change.table;
    told.push(`${kind} (${change.told})`);
    kinds.push(kind);
    changedRows += change.changed ?? 0;
  }
  const saved = await opened.save(table);
  told.push(...saved.encodings);
  kinds.push(...saved.encodings.map(() => "another encoding"));
  const whole = saved.content.length;
  const end = random.next() < 0.05 ? Math.floor(whole * random.next()) : whole;
  if (end < whole) {
    told.push(`cut off at byte ${end}`);
    kinds.push("the end cut off");
  }
  const cut = saved.content.subarray(0, end);
  return {content: cut, told: told.join("; "), kinds, changedRows, unsaid: [], traceless: false};
}
