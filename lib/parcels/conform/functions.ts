import {nullSpellings} from "@open-cattle/us-address";
import {cleanTextSql} from "../../sql/clean-text-sql.ts";
import {type Database, sqlText} from "../../sql/duckdb.ts";
import {duckdbLibrary} from "../../sql/duckdb-library.ts";
import {isNullText} from "../../text/null-text.ts";

const blanks = "' ' || chr(9) || chr(10) || chr(13) || chr(160)";
/**
 * SQL: true for a text of printable ASCII without quotes and backslashes, as most cells are: in JSON such a text has its own length. The
 * general way costs ten times as much.
 */
const isPlain = "strlen(to_json(x)) = length(x) + 2 AND NOT contains(x, chr(127))";
const trimmed = (cleaned: string) =>
  `CASE WHEN ${isPlain} THEN CASE WHEN x >= '!' AND NOT ends_with(x, ' ') THEN x ELSE nullif(trim(x), '') END ELSE nullif(trim(${cleaned}, ${blanks}), '') END`;

const longestSpelling = Math.max(...[...nullSpellings].map((word) => word.length));
const firstLetters = [...nullSpellings].map(([first = ""]) => first).filter((first) => /[A-Z]/.test(first));
/** Runs of capital letters that no null spelling begins with. */
const otherLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
  .split(new RegExp(`[${firstLetters.join("")}]`))
  .filter(Boolean);
/**
 * Cheap tests, by first letter or length, that prove that a text is not a null spelling; a regular expression
 * is slower.
 */
const notNullTests = [
  "x BETWEEN '1' AND ':'",
  ...otherLetters.map(
    (run) => `x >= '${run[0]}' AND x < '${String.fromCharCode(run.charCodeAt(run.length - 1) + 1)}'`,
  ),
  `strlen(x) > ${longestSpelling}`,
];
/**
 * SQL that keeps a text unless it is one of the spellings. Each test is a WHEN of its own: with OR, DuckDB
 * would run all tests and sort the rows.
 */
const keepUnless = (spellings: Iterable<string>) =>
  `CASE ${notNullTests.map((test) => `WHEN ${test} THEN x`).join(" ")} WHEN NOT regexp_full_match(x, ${anyOf(spellings)}) THEN x END`;
const nullSpellingsInCodes = [...nullSpellings].filter((word) => isNullText(word, "code"));
const number = String.raw`(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?`;
const lastFour = String.raw`(?:[1-9]\d{3}|0[1-9]\d\d|00[1-9]\d|000[1-9])`;
/** An eight-digit date whose day exists in every month. */
const plainDay = String.raw`(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|1\d|2[0-8])`;
/** A time that is printed behind a date. */
const timeBehind = "(?:,? |T).*";
const dayOf = (text: string, formats: string) => `strftime(try_strptime(${text}, [${formats}]), '%Y-%m-%d')`;

/**
 * The SQL functions of the field maps; each takes trimmed text and returns text or null. The most frequent
 * form of a cell is tested first where that is cheaper than the general way. Macros copy their argument to
 * each place of use, so it should be a column.
 */
const macros: Readonly<Record<string, string>> = {
  // A cell as we keep it, without blanks around it.
  "trim_text(x)": trimmed(cleanTextSql("x")),
  // A number with a control character is another one without it: the substitute (chr 26) stays, and the row is rejected.
  "id_text(x)": trimmed(cleanTextSql(`trim(x, ${blanks})`, "chr(26)")),
  // These three mirror `lib/text/null-text.ts` in SQL, one per kind of field.
  "null_text(x)": keepUnless([...nullSpellings, "0"]),
  "null_number(x)": keepUnless(nullSpellings),
  "null_code(x)": keepUnless(nullSpellingsInCodes),
  // A comma may separate thousands or decimals; only an unambiguous thousands separator is accepted.
  "without_thousands(x)": String.raw`CASE WHEN NOT contains(x, ',') THEN x WHEN regexp_full_match(x, '[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?') THEN replace(x, ',', '') END`,
  "number_text(x)": String.raw`CASE WHEN regexp_full_match(x, '-?\d+(?:\.\d+)?') THEN x ELSE nullif(regexp_extract(without_thousands(x), '^[+-]?${number}$'), '') END`,
  "whole_text(x)": String.raw`CASE WHEN regexp_full_match(x, '\d+') THEN x ELSE nullif(regexp_extract(without_thousands(x), '^([+-]?\d+)(?:\.0*)?$', 1), '') END`,
  "money_text(x)": String.raw`CASE WHEN regexp_full_match(x, '\d+') THEN x ELSE nullif(regexp_extract(without_thousands(regexp_replace(x, '[$\s]', '', 'g')), '^${number}$'), '') END`,
  // Four digits stay as they are: only the state tells whether they lost a zero.
  "zip5_text(x)": String.raw`CASE WHEN regexp_full_match(x, '[1-9]\d{4}') THEN x WHEN regexp_full_match(x, '\d{4}(?:\.0+)?') THEN x[1:4] ELSE nullif(nullif(regexp_extract(x, '(?:^|[^0-9])(\d{5})(?:\.0+|[- ]?\d{4}|-)?\s*$', 1), ''), '00000') END`,
  "zip9_text(x)": String.raw`CASE WHEN strlen(x) > 8 THEN nullif(regexp_replace(regexp_extract(x, '(?:^|[^0-9])(\d{5}[- ]?${lastFour})\s*$', 1), '^(\d{5}) ?(\d{4})$', '\1-\2'), '') END`,
  "ymd_text(x)": `CASE WHEN regexp_full_match(x, '${plainDay}') THEN concat_ws('-', x[1:4], x[5:6], x[7:8]) ELSE ${dayOf(
    String.raw`replace(regexp_extract(x, '^(\d{8}|\d{4}[-/]\d{1,2}[-/]\d{1,2})(?:\.0+|${timeBehind})?$', 1), '/', '-')`,
    "'%Y%m%d', '%Y-%m-%d'",
  )} END`,
  "mdy_text(x)": dayOf(
    String.raw`replace(regexp_extract(x, '^(\d{1,2}[-/]\d{1,2}[-/]\d{4})(?:${timeBehind})?$', 1), '-', '/')`,
    "'%m/%d/%Y'",
  ),
  "long_date_text(x)": dayOf(
    // SQL Server pads the day with a blank: `Jan  5 2015 12:00AM`.
    String.raw`regexp_replace(regexp_replace(regexp_extract(x, '^([A-Za-z]+\.? +\d{1,2},? +\d{4}|\d{1,2}[- ]+[A-Za-z]{3,}[- ]+\d{4})(?:${timeBehind})?$', 1), '[.,]', '', 'g'), '[- ]+', ' ', 'g')`,
    "'%B %d %Y', '%b %d %Y', '%d %B %Y', '%d %b %Y'",
  ),
  "epoch_ms_text(x)": String.raw`strftime(epoch_ms(try_cast(regexp_extract(x, '^(-?\d{1,14})(?:\.0+)?$', 1) AS BIGINT)), '%Y-%m-%d')`,
  // These two mirror `lib/parcels/parcel-id/parcel-id-spellings.ts` in SQL, for plain ASCII.
  "id_tok(x)": `CASE WHEN regexp_full_match(upper(x), '[A-Z0-9]+(?:-[A-Z0-9]+)*') THEN upper(x) ELSE trim(regexp_replace(upper(x), '[^A-Z0-9]+', '-', 'g'), '-') END`,
  "id_loose(tok)": `CASE WHEN contains(tok, '-') THEN replace(regexp_replace(tok, '(^|-)0+', '\\1', 'g'), '-', '') ELSE ltrim(tok, '0') END`,
  // These four read a number and its unit; `unit_acres` does not know units of length (a
  // frontage).
  "area_number(x)": String.raw`try_cast(without_thousands(regexp_extract(upper(x), '^([\d,]*\.?\d+)\s*[A-Z]', 1)) AS DOUBLE)`,
  // Without MORE OR LESS and without brackets, unless they say that the area is calculated (`AC (CALC)`).
  "unit_word(x)": String.raw`trim(regexp_replace(trim(regexp_replace(x, '[.\s]+', ' ', 'g')), '(?: ?(?:\+ ?/? ?-|±|M/L|MOL|MORE OR LESS|\([^C()][^()]*\)))+$', ''))`,
  // M is a unit of area in a column of units alone; behind a number it may be a length.
  "unit_name(x)":
    "CASE WHEN upper(x) = 'M' THEN 'M2' WHEN regexp_full_match(x, '[A-Za-z]+') THEN upper(x) ELSE unit_word(upper(x)) END",
  "area_unit(x)": String.raw`unit_word(regexp_replace(upper(x), '^[\d,.\s]*', ''))`,
};

/** Patterns of unit names with the number of acres per unit (`docs/design/parcels.md` section 5.4). */
const acresPerUnit: readonly (readonly [acres: string, names: string])[] = [
  ["1.0", "A|ACS?|ACRES?|ACREAGE"],
  ["(1.0 / 43560.0)", "S|SF|FT2|SQ(?:UARE)?[ _]?(?:FT|FEET|FOOT)"],
  ["(1.0 / 4046.8564224)", "M2|SQ(?:UARE)?[ _]?(?:M|MET(?:ER|RE)S?)"],
  ["2.4710538", "H|HA|HECTARES?"],
];

type Change = (text: string) => string | null;

const registered = new WeakMap<Database, Set<string>>();

/**
 * Registers a JavaScript function of one text as an SQL function, unless the database has one of that name;
 * null maps to null. It runs on the main thread: in a build over distinct values, in the server over the few
 * rows of a reply. An error that it throws fails the query.
 */
export async function ensureTextFunction(db: Database, name: string, change: Change): Promise<void> {
  const names = registered.get(db) ?? new Set();
  registered.set(db, names);
  if (names.has(name)) return;
  names.add(name);
  // An unfinished stream keeps its transaction open, and a function registered in that transaction would be
  // lost with it.
  await db.run("SELECT 1");
  const {DuckDBScalarFunction, VARCHAR} = duckdbLibrary();
  db.connection.registerScalarFunction(
    DuckDBScalarFunction.create({
      name,
      parameterTypes: [VARCHAR],
      returnType: VARCHAR,
      mainFunction(_, chunk, output) {
        const input = chunk.getColumnVector(0);
        for (let row = 0; row < chunk.rowCount; row++) {
          const text = input.getItem(row);
          output.setItem(row, typeof text === "string" ? change(text) : null);
        }
        output.flush();
      },
    }),
  );
}

/** An SQL function that is borrowed for a while. */
type BorrowedUdf = {
  readonly name: string;
  /**
   * Returns the slot to the pool; SQL that still calls the function fails until the slot is borrowed again.
   */
  end(): void;
};

/** A registered SQL function and its current implementation; null while it is not borrowed. */
type Slot = {readonly name: string; change: Change | null};

const slots = new WeakMap<Database, Slot[]>();

/**
 * Makes a JavaScript function callable in SQL until `end`, otherwise like `ensureTextFunction`. DuckDB cannot
 * unregister functions, and each holds a handle that every turn of the event loop checks, so they are
 * pooled, each under the given name, or that with a number while another borrows it.
 */
export async function borrowUdf(db: Database, name: string, change: Change): Promise<BorrowedUdf> {
  const own = slots.get(db) ?? [];
  slots.set(db, own);
  const named = own.filter((each) => each.name.startsWith(name));
  const slot = named.find((each) => each.change === null) ?? {
    name: named.length === 0 ? name : `${name}_${named.length + 1}`,
    change: null,
  };
  slot.change = change;
  if (!own.includes(slot)) {
    own.push(slot);
    await ensureTextFunction(db, slot.name, (text) => changed(slot, text));
  }
  return {
    name: slot.name,
    end() {
      slot.change = null;
    },
  };
}

function changed({name, change}: Slot, text: string): string | null {
  if (change === null) throw new Error(`${name} is not borrowed any more`);
  return change(text);
}

/**
 * A pattern that matches whole cells equal to one of the words. An IN list would become a join at each place
 * of use, which takes seconds to plan.
 */
function anyOf(words: Iterable<string>): string {
  return sqlText(`(?i)${[...words].map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")}`);
}

/** Creates the SQL functions of the field maps in a database. */
export async function installMacros(db: Database): Promise<void> {
  const units = acresPerUnit.map(
    ([acres, names]) => `WHEN regexp_full_match(u, '(?i)${names}') THEN ${acres}`,
  );
  const all = {...macros, "unit_acres(u)": `CASE ${units.join(" ")} END`};
  for (const [head, body] of Object.entries(all)) await db.run(`CREATE OR REPLACE MACRO ${head} AS ${body}`);
}

const installed = new WeakSet<Database>();

/** Installs those functions in a database, once. */
export async function ensureMacros(db: Database): Promise<void> {
  if (!installed.has(db)) await installMacros(db);
  installed.add(db);
}
