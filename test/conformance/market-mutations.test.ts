import {mkdirSync} from "node:fs";
import {join} from "node:path";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {type Database, openDatabase} from "../../lib/sql/duckdb.ts";
import {addsUp} from "../../schemas/build-report.ts";
import {seededRandom} from "../server/parcels/invented-state.ts";
import {temporaryFolder} from "../server/server-fixture.ts";
import {corpus} from "./corpus.ts";
import {
  missingIn,
  type Outcome,
  outcomes,
  type Planted,
  pathOf,
  planted,
} from "./market-mutants/mutant-build.ts";
import {type Mutation, mutate} from "./market-mutants/mutate.ts";
import {type Specimen, specimens} from "./market-mutants/specimens.ts";

const count = Number(process.env["MARKET_MUTATIONS"] ?? 120);
const seed = Number(process.env["SEED"] ?? 14);
const batch = 500;
const asOf = "2026-10-03";
const mutations: readonly Mutation[] = ["cell", "cell", "line", "byte"];

type Told = Planted & {
  readonly told: string;
  readonly rowOnly: boolean;
  readonly takes: number;
  readonly mutation: Mutation;
};

describe.skipIf(corpus === null)("a market file with one cell, line or byte changed", () => {
  const folder = temporaryFolder();
  const random = seededRandom(seed);
  let db: Database;
  let all: Specimen[];
  let pristine: Map<string, Outcome>;

  beforeAll(async () => {
    db = await openDatabase();
    const temp = join(folder.path, "temp");
    mkdirSync(temp);
    all = await specimens(db, join(corpus!, "market"), temp);
    pristine = await outcomes(db, witnesses(all), {dir: join(folder.path, "pristine"), asOf});
  }, 600_000);
  afterAll(() => {
    db.close();
    folder.remove();
  });

  it(
    `stops nothing, is named, and leaves all other rows as they are (${count} mutations, seed ${seed})`,
    async () => {
      const faults: string[] = [];
      for (let from = 0; from < count; from += batch) {
        const mutants = await mutantsOf(Math.min(batch, count - from), from);
        const dir = join(folder.path, `batch-${from}`);
        const made = await outcomes(db, [...witnesses(all), ...mutants], {dir, asOf});
        faults.push(...witnesses(all).flatMap((file) => witnessFaults(file, pristine, made)));
        faults.push(...mutants.flatMap((mutant) => mutantFaults(mutant, pristine, made)));
      }
      expect(faults).toEqual([]);
    },
    24 * 3_600_000,
  );

  async function mutantsOf(n: number, from: number): Promise<Told[]> {
    const made: Told[] = [];
    for (let i = 0; i < n; i++) {
      const file = planted(random.pick(all), `m${from + i}`, String(10_000 + ((from + i) % 80_000)));
      const mutation = random.pick(mutations);
      const {content, told, place, takes} = await mutate(
        db,
        {...file.specimen, content: file.content},
        mutation,
        {
          random,
          tempDir: join(folder.path, "temp"),
        },
      );
      made.push({
        ...file,
        content,
        told,
        mutation,
        takes,
        rowOnly: place === "row" && !isBroken(file.specimen),
      });
    }
    return made;
  }
});

function witnesses(all: readonly Specimen[]): Planted[] {
  return all.map((specimen, index) => planted(specimen, "witness", String(90_000 + index)));
}

function witnessFaults(file: Planted, pristine: Map<string, Outcome>, made: Map<string, Outcome>): string[] {
  const [before, after] = [pristine.get(pathOf(file))!, made.get(pathOf(file))!];
  const isPrice = file.specimen.code !== null;
  const same =
    !isPrice ||
    (missingIn(before.priced, after.priced).length === 0 && before.priced.length === after.priced.length);
  // A copy with equal rows is the same sale under another number, of which one stands.
  const isReissued = (after.report.rejected["reissued"] ?? 0) === before.priced.length;
  return (same || isReissued) && before.report.status === after.report.status
    ? []
    : [`${pathOf(file)}: another file changed it`];
}

/** Reports whose values slipped from their lines: a changed word may leave a whole table without certainty. */
function isBroken({name}: Specimen): boolean {
  return ["ams_1889_2026-07-15.txt", "ams_1891_2026-07-09.txt", "ams_1895_2026-07-11.txt"].includes(name);
}

/** Wording of the database and the runtime: a file must fail with our own message. */
const ourFault =
  /Conversion Error|Binder Error|Out of Range|Parser Error|TypeError|RangeError|Cannot read|is not a function/;

/** Broken rules: each row is accounted for, a lost one is named, and only the changed one is lost. */
function mutantFaults(mutant: Told, pristine: Map<string, Outcome>, made: Map<string, Outcome>): string[] {
  const path = pathOf(mutant);
  const before = [...pristine].find(
    ([known]) => known === `market/${mutant.specimen.feed}/witness/${witnessName(mutant, pristine)}`,
  )![1];
  const after = made.get(path);
  const tell = (rule: string) => [`${path}: ${mutant.mutation}: ${mutant.told}: ${rule}`];
  if (after === undefined) return tell("no report");
  const {report} = after;
  if (!addsUp(report)) return tell(`rows in and out do not add up: ${JSON.stringify(report)}`);
  if (report.status === "failed") {
    if (!report.reason?.includes(path)) return tell(`failed without its path: ${report.reason}`);
    if (mutant.mutation !== "byte" && ourFault.test(report.reason))
      return tell(`not foreseen: ${report.reason}`);
    return mutant.rowOnly && before.report.status !== "failed" && before.report.rowsIn > 1
      ? tell(`one cell failed the whole file: ${report.reason}`)
      : [];
  }
  if (/(?:Error|TypeError|undefined)/.test(report.reason ?? ""))
    return tell(`a fault of ours: ${report.reason}`);
  if ((report.rejected["reissued"] ?? 0) > 0) return [];
  const lost = missingIn(before.priced, after.priced);
  const gained = missingIn(after.priced, before.priced);
  const named =
    after.quarantined - before.quarantined + (after.report.merged - before.report.merged) + after.superseded;
  const isTable = mutant.specimen.shape !== "text" && mutant.mutation === "cell";
  if (isTable && mutant.specimen.code !== null && report.rowsIn !== before.report.rowsIn)
    return tell(`${before.report.rowsIn} rows came in, now ${report.rowsIn}`);
  const takes = mutant.takes + (isBroken(mutant.specimen) ? 1 : 0);
  if (lost.length - gained.length > Math.max(0, named) + takes)
    return tell(`${lost.length} rows lost, ${gained.length} gained, ${named} named`);
  if (mutant.rowOnly && lost.length > 1)
    return tell(`${lost.length} rows lost: ${lost.slice(0, 2).join(" ; ")}`);
  return [];
}

function witnessName(mutant: Told, pristine: Map<string, Outcome>): string {
  const {feed, name, code} = mutant.specimen;
  const names = [...pristine.keys()]
    .filter((path) => path.startsWith(`market/${feed}/witness/`))
    .map((path) => path.split("/").at(-1)!);
  return names.find((known) => known === name || (code !== null && known.replace(/9\d{4}/, code) === name))!;
}
