import {mkdirSync, readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {type Database, openDatabase} from "../../lib/sql/duckdb.ts";
import {servedReports} from "../../pipeline/market/samples/sample-reports.ts";
import {addsUp} from "../../schemas/build-report.ts";
import {seededRandom} from "../server/parcels/invented-state.ts";
import {temporaryFolder} from "../server/server-fixture.ts";
import {corpus} from "./corpus.ts";
import {type Damaged, damageText} from "./market-mutants/damage.ts";
import {
  builtOf,
  type Outcome,
  type Planted,
  pathOf,
  planted,
  saidNames,
  type Told,
} from "./market-mutants/mutant-build.ts";
import {type Specimen, specimens} from "./market-mutants/specimens.ts";
import {damageTable} from "./market-mutants/table-damage.ts";

const count = Number(process.env["MARKET_DAMAGES"] ?? 200);
const seed = Number(process.env["SEED"] ?? 28);
const batch = 2000;
const slipped = /^ams_(1889_2026-07-15|1891_2026-07-09|1895_2026-07-11)/;
/** A day just after the newest reports, because later builds would correctly warn that reports have stopped. */
const asOf = "2026-10-01";

describe.skipIf(corpus === null)("price reports with several damages each", () => {
  const folder = temporaryFolder();
  const random = seededRandom(seed);
  let db: Database;
  let all: Specimen[];
  /** Rows of the undamaged file, by name: what its publisher said. */
  const truth = new Map<string, Map<string, Told[]>>();

  beforeAll(async () => {
    db = await openDatabase();
    const temp = join(folder.path, "temp");
    mkdirSync(temp);
    const known = await specimens(db, join(corpus!, "market"), temp);
    all = [...known.filter(({code}) => code !== null), ...newReports(), ...servedSamples()];
    const whole = all.map((specimen, at) => planted(specimen, "whole", String(70_000 + at)));
    const {outcomes} = await builtOf(db, whole, {dir: join(folder.path, "whole"), asOf});
    for (const file of whole)
      truth.set(file.specimen.name, Map.groupBy(outcomes.get(pathOf(file))!.told, keyOf));
  }, 600_000);
  afterAll(() => {
    db.close();
    folder.remove();
  });

  it(
    `hold no build back, account for each row, and hardly ever give one that their publisher did not print (${count} files, seed ${seed})`,
    async () => {
      const faults: string[] = [];
      const falseRows: string[] = [];
      const untold: string[] = [];
      const kinds = new Map<string, number>();
      let [priced, told] = [0, 0];
      for (let from = 0; from < count; from += batch) {
        const made: {file: Planted; damaged: Damaged}[] = [];
        for (let at = from; at < Math.min(from + batch, count); at++) made.push(await damagedFile(at));
        const dir = join(folder.path, `batch-${from}`);
        const {outcomes, heldBack} = await builtOf(
          db,
          made.map(({file}) => file),
          {dir, asOf},
        );
        faults.push(...heldBack);
        for (const {file, damaged} of made) {
          const after = outcomes.get(pathOf(file));
          priced += after?.told.length ?? 0;
          for (const kind of damaged.kinds) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
          faults.push(...faultsOf(file, after));
          (damaged.traceless ? untold : falseRows).push(...falseRowsOf(file, damaged, after));
        }
        process.stderr.write(
          `${from + made.length} files with ${[...kinds.values()].reduce((a, b) => a + b, 0)} mutations, ${priced} rows priced, ${faults.length} faults, ${falseRows.length} files with a false row, ${untold.length} of two tables joined without a trace\n${falseRows
            .slice(told)
            .map((line) => `${line}\n`)
            .join("")}`,
        );
        told = falseRows.length;
      }
      process.stderr.write(
        `${[...kinds]
          .sort()
          .map(([kind, n]) => `${n} ${kind}`)
          .join(", ")}\n`,
      );
      expect(faults).toEqual([]);
      expect(falseRows).toEqual([]);
      expect(untold.length, untold.join("\n")).toBeLessThanOrEqual(Math.ceil(count / 100));
      expect(priced).toBeGreaterThan(count);
    },
    24 * 3_600_000,
  );

  async function damagedFile(at: number): Promise<{file: Planted; damaged: Damaged}> {
    const file = planted(random.pick(all), `d${at}`, String(10_000 + (at % 60_000)));
    const specimen = {...file.specimen, content: file.content};
    const damaged =
      specimen.shape === "text"
        ? damageText(file.content, random)
        : await damageTable(specimen, {db, random, tempDir: join(folder.path, "temp")});
    return {file: {...file, content: damaged.content}, damaged};
  }

  function faultsOf(file: Planted, after: Outcome | undefined): string[] {
    if (after === undefined) return [`${pathOf(file)}: no report`];
    return addsUp(after.report) ? [] : [`${pathOf(file)}: rows in and out do not add up`];
  }

  /** Rows that state something that no row of the undamaged file states; omissions are not false. */
  function falseRowsOf(
    file: Planted,
    {told, changedRows, unsaid}: Damaged,
    after: Outcome | undefined,
  ): string[] {
    // For reports whose values slipped, the undamaged file says too little to judge by.
    if (slipped.test(file.specimen.name)) return [];
    const judged = saidNames.filter((name) => !unsaid.includes(name));
    const whole = truth.get(file.specimen.name)!;
    const isFalse = (row: Told) =>
      !(whole.get(keyOf(row)) ?? []).some((known) =>
        judged.every((name) => row[name] === null || row[name] === known[name]),
      );
    const foreign = new Set((after?.told ?? []).filter(isFalse).map((row) => Object.values(row).join("|")));
    return foreign.size > changedRows
      ? [`${pathOf(file)}: ${told}: ${[...foreign].slice(0, 4).join(" ; ")}`]
      : [];
  }
});

const keyOf = ({class: kind, price_unit, price_avg}: Told) => `${kind}|${price_unit}|${price_avg}`;

/** The texts of `new-market`, which are no separate feed. */
function newReports(): Specimen[] {
  const dir = join(corpus!, "new-market");
  return readdirSync(dir).flatMap((name): Specimen[] => {
    const code = /(?:ams_|AMS_)(\d{4})/.exec(name)?.[1];
    return code === undefined || !name.endsWith(".txt")
      ? []
      : [{feed: "ams-text", name, shape: "text", content: readFileSync(join(dir, name)), code}];
  });
}

/** The generated sample's sales of one barn as the service's JSON, complete and with receipts. */
function servedSamples(): Specimen[] {
  const [report] = servedReports(asOf);
  const [{stats, results}] = JSON.parse(report!.text) as [{stats: object; results: {slug_id: number}[]}];
  const code = "99004";
  const rows = results.filter(({slug_id}) => String(slug_id) === code);
  const body = [{stats: {...stats, returnedRows: rows.length, totalRows: rows.length}, results: rows}];
  const content = Buffer.from(JSON.stringify(body, null, 1));
  return [{feed: "mars", name: `ams_${code}_sample.json`, shape: "json", content, code}];
}
