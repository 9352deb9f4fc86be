import {cpSync, mkdirSync, readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {afterAll, beforeAll, describe, expect, it} from "vitest";
import {marketServing} from "../../lib/storage/build-layout.ts";
import {marketStage} from "../../pipeline/parts/project-stages.ts";
import {listRawFiles} from "../../pipeline/raw/raw-files.ts";
import {openMarketArtifacts} from "../../server/tables/market-set.ts";
import {chosen, servedBy} from "../pipeline/market/recomputed/answers.ts";
import type {Named, Served} from "../pipeline/market/recomputed/figures.ts";
import {generationOf, type TestServer, temporaryFolder, testServer} from "../server/server-fixture.ts";
import {corpus} from "./corpus.ts";

const [auctions, trades] = ["2026-08-24", "2026-10-03"];
const every = "commodity=feeder_cattle,slaughter_cattle,replacement_cattle,dairy_calves&limit=500";

/** A line of a printed table under its heading, read here by one regular expression, independent of the program's readers. */
type Line = {
  slug: string;
  date: string;
  kind: string;
  grade: string;
  unit: string;
  /** Words before the head count: age and stage, or the delivery. */
  before: string;
  head: number;
  weight: number;
  price: number;
  dressing: string;
  comment: string;
};
type Print = {slug: string; date: string; title: string; receipts: number | null; lines: Line[]};

const number = (text: string) => Number(text.replaceAll(",", ""));
const slugged = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9<>-]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
const rowOf =
  /^(.*?)\s*\b(\d[\d,]*)\s+[\d,]+(?:\s?-\s?[\d,]+)?\s+([\d,]+)\s+[\d,.]+(?:\s?-\s?[\d,.]+)?\s+([\d,]+\.\d\d)(?:\s{2,}(.*))?$/;
const headingOf = /^\s*([A-Za-z][A-Za-z/ -]*?)\s+-\s+(.+?)\s*\(Per (Cwt|Unit|Head|Family)/;

function printOf(name: string, text: string): Print {
  const slug = `ams-${/(?:ams|AMS)_(\d{4})/.exec(name)![1]}`;
  const stated = [...text.matchAll(/(?:Report for|ending|-)\s+(\d{1,2})\/(\d{1,2})\/(\d{4})/g)].map(
    ([, month, day, year]) => `${year}-${month!.padStart(2, "0")}-${day!.padStart(2, "0")}`,
  );
  const weekly = /Summary|Weekly/i.test(text.slice(0, 300));
  const date = weekly ? stated.sort().at(-1)! : stated[0]!;
  const receipts = /Total (?:Direct )?Receipts:\s+([\d,]+)/.exec(text)?.[1];
  const lines: Line[] = [];
  let [kind, grade, unit, before] = ["", "", "", ""];
  for (const line of text.replaceAll(/[\f\r]/g, "").split("\n")) {
    const heading = headingOf.exec(line);
    if (heading !== null) [kind, grade, unit, before] = [heading[1]!, heading[2]!, heading[3]!, ""];
    const row = rowOf.exec(line);
    if (row === null || kind === "") continue;
    const [, words, head, weight, price, tail = ""] = row;
    before = words!.trim() === "" ? before : words!.trim().replaceAll(/\s+/g, " ");
    const dressing = /^(Very Low|Very High|Average|High|Low)\b/.exec(tail)?.[0] ?? "";
    const comment = tail.slice(dressing.length).trim();
    lines.push({
      ...{slug, date, kind, grade, unit, before, dressing, comment},
      head: number(head!),
      weight: number(weight!),
      price: number(price!),
    });
  }
  const title = text.trimStart().split("\n")[0]!;
  return {slug, date, title, receipts: receipts === undefined ? null : number(receipts), lines};
}

const units: Named = {Cwt: "per_cwt", Head: "per_head", Unit: "per_head", Family: "per_pair"};

/** The printed lines of a record's cell; a summary's whole week counts as one date. */
function linesOf(prints: readonly Print[], record: Named): Line[] {
  const {report_slugs: slugs} = record["upstream"] as {report_slugs: string[]};
  const [first, last] = [
    record["first_sale_date"] ?? record["week_end_date"],
    record["last_sale_date"] ?? record["week_end_date"],
  ];
  const grade =
    record["quality_grade"] ?? [record["frame"], record["muscle_grade"]].filter(Boolean).join("_");
  const isPair = /pairs/.test(String(record["class"]));
  const descriptors = record["lot_descriptors"] as string[];
  const crossed = descriptors.includes("beef_cross");
  const comment = descriptors.filter((word) => word !== "beef_cross").join();
  return prints
    .filter(({slug, date}) => slugs.includes(slug) && date >= String(first) && date <= String(last))
    .flatMap(({lines}) => lines)
    .filter((line) => {
      const name = slugged(line.kind.replace(/^Beef\/Dairy /i, "")).replaceAll("-", "_");
      const printed = line.grade.replace(/\s*\d+-\d+%.*$/, "").replace(/\s+w\/.*$/, "");
      const calf = /w\/ (.*) lbs/.exec(line.grade)?.[1] ?? null;
      const unit = line.unit === "Unit" && isPair ? "per_pair" : units[line.unit];
      const [low, high] = String(record["weight_bin"] ?? "0-99999")
        .split("-")
        .map(Number);
      const told = `${record["age_class"] ?? ""} ${record["pregnancy_stage"] ?? ""}`.trim();
      return (
        name === record["class"] &&
        slugged(printed) === grade &&
        unit === record["price_unit"] &&
        calf === record["offspring_weight"] &&
        /^Beef\/Dairy/i.test(line.kind) === crossed &&
        slugged(line.comment) === comment &&
        (slugged(line.dressing) || null) === record["dressing"] &&
        (record["commodity"] !== "feeder_cattle" || (line.weight >= low! && line.weight <= high!)) &&
        (record["commodity"] !== "replacement_cattle" || line.before === told)
      );
    });
}

/** Pounds-weighted mean, or head-weighted for prices per head or pair. */
function meanOf(lines: readonly Line[]): {head: number; price: number} {
  const total = (of: (line: Line) => number) => lines.reduce((sum, line) => sum + of(line), 0);
  const share = (line: Line) => line.head * (line.unit === "Cwt" ? line.weight : 1);
  return {head: total(({head}) => head), price: total((line) => share(line) * line.price) / total(share)};
}

const isNear = (a: number, b: unknown) => Math.abs(a - Number(b)) < 0.00501;

describe.skipIf(corpus === null)("claims of records of all kinds against the printed reports", () => {
  const folder = temporaryFolder();
  const servers: TestServer[] = [];
  let prints: Print[];

  beforeAll(async () => {
    const dir = join(folder.path, "raw/market");
    mkdirSync(dir, {recursive: true});
    for (const feed of ["ams-text", "directory"])
      cpSync(join(corpus!, "market", feed), join(dir, feed), {recursive: true});
    for (const name of texts("new-market"))
      cpSync(join(corpus!, "new-market", name), join(dir, "ams-text", name));
    prints = ["market/ams-text", "new-market"].flatMap((from) =>
      texts(from).map((name) => printOf(name, readFileSync(join(corpus!, from, name), "utf8"))),
    );
    for (const asOf of [auctions, trades]) servers.push(await served(join(folder.path, "raw"), asOf!));
  }, 900_000);
  afterAll(async () => {
    for (const server of servers) await server.close();
    folder.remove();
  });

  it("says of 60 records what the print says, and of none another figure", async () => {
    const [now, later] = servers as [TestServer, TestServer];
    const wrong: string[] = [];
    const counted: Record<string, number> = {};
    const check = (kind: string, found: readonly Served[], faultOf: (served: Served) => string | null) => {
      for (const one of found) {
        counted[kind] = (counted[kind] ?? 0) + 1;
        const fault = faultOf(one);
        if (fault !== null) wrong.push(`${kind}: ${fault}: ${one.evidence["claim"]}`);
      }
    };
    const whole = ({record}: Served) => record["price_avg"] !== null && (record["rows_excluded"] ?? 0) === 0;
    const picked = async (
      server: TestServer,
      question: string,
      count: number,
      fits: (served: Served) => boolean,
    ) =>
      chosen(
        (await servedBy(server, [question])).filter((one) => whole(one) && fits(one)),
        count,
        28,
      );
    const observed = ({record}: Served) => record["price_basis"] === "observed_in_county";
    const summary = ({record}: Served) => record["price_basis"] === "official_state_summary";
    check("county", await picked(now, `/price-by-county?state=KS&${every}`, 14, observed), pooledFault);
    check("state", await picked(now, `/price-by-state?state=KS&${every}`, 14, summary), pooledFault);
    check("venue", await picked(now, `/latest-prices?${every}`, 12, scoped("venue")), rowFault);
    check("video", await picked(later, `/latest-prices?${every}`, 6, scoped("video_internet")), rowFault);
    check("direct", await picked(later, `/latest-prices?${every}`, 6, scoped("direct")), rowFault);
    const printed = ({record}: Served) =>
      (record["report_slugs"] as string[]).some((slug) => prints.some((print) => print.slug === slug));
    const barns = (await servedBy(now, ["/barns?limit=500"])).filter(
      (one) => printed(one) && one.record["last_reported_sale_date"] !== null,
    );
    check("barn", barns.slice(0, 2), barnFault);
    const registered = (await servedBy(now, ["/cattle-sale-barn-directory?limit=500"])).filter(({record}) =>
      barns.some((barn) => barn.record["venue_id"] === record["venue_id"]),
    );
    check("registry", registered.slice(0, 2), ({record, evidence}) =>
      prints.some(({title}) => title.includes(String(record["city"]))) &&
      claimHas(evidence, String(record["city"]))
        ? null
        : "no title has the town",
    );
    for (const question of [
      "class=steers&weight=775",
      "class=heifers&weight=725",
      "class=steers&weight=625",
      "class=heifers&weight=625",
    ]) {
      const fault = await summaryFault(now, `/price-by-county?state=KS&${question}`);
      counted["summary"] = (counted["summary"] ?? 0) + 1;
      if (fault !== null) wrong.push(`summary ${question}: ${fault}`);
    }
    process.stderr.write(`claims checked against print: ${JSON.stringify(counted)}, ${wrong.length} wrong\n`);
    expect(wrong).toEqual([]);
    expect(Object.values(counted).reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(60);
  }, 900_000);

  const scoped =
    (scope: string) =>
    ({record}: Served) =>
      (scope === "venue") === (record["venue_id"] !== null) &&
      (scope === "venue" || scopeOf(record) === scope);
  const scopeOf = (record: Named) => record["report_scope"] ?? record["price_scope"];
  const claimHas = (evidence: Named, ...words: string[]) =>
    words.every((word) => withoutSeparators(evidence["claim"]).includes(word));
  const withoutSeparators = (claim: unknown) => String(claim).replaceAll(/(\d),(?=\d)/g, "$1");

  function pooledFault({record, evidence}: Served): string | null {
    const {head, price} = meanOf(linesOf(prints, record));
    if (head !== record["head_count"] || !isNear(price, record["price_avg"]))
      return `${record["cell_id"]}: print ${head} head at ${price.toFixed(3)}, served ${record["head_count"]} at ${record["price_avg"]}`;
    return claimHas(evidence, `${Number(record["price_avg"]).toFixed(2)} USD`, `${head} `)
      ? null
      : "the claim lacks the figures";
  }

  function rowFault({record, evidence}: Served): string | null {
    const {report_slugs: slugs} = record["upstream"] as {report_slugs: string[]};
    const print = prints.find(
      ({slug, date}) => slugs.includes(slug) && date === (record["sale_date"] ?? record["last_sale_date"]),
    );
    const line = print?.lines.find(
      ({head, price, kind}) =>
        head === record["head_count"] &&
        isNear(price, record["price_avg"]) &&
        slugged(kind).endsWith(String(record["class"])),
    );
    if (line === undefined) return `${record["cell_id"]} ${slugs}: no printed line`;
    const receipts = /receipts (\d+) head/.exec(String(evidence["claim"]))?.[1];
    if (receipts !== undefined && print!.receipts !== null && Number(receipts) !== print!.receipts)
      return `receipts ${receipts}, printed ${print!.receipts}`;
    return claimHas(evidence, `${line.price.toFixed(2)} USD`, `${line.head} `)
      ? null
      : "the claim lacks the figures";
  }

  function barnFault({record, evidence}: Served): string | null {
    const slugs = record["report_slugs"] as string[];
    const last = prints
      .filter(({slug, date}) => slugs.includes(slug) && date <= auctions!)
      .map(({date}) => date)
      .sort()
      .at(-1);
    return last === record["last_reported_sale_date"] && claimHas(evidence, last!) ? null : `print ${last}`;
  }

  /** The figure of the curve stands beside the print of 50 lb around the weight: the printed mean lies within its range. */
  async function summaryFault(server: TestServer, question: string): Promise<string | null> {
    const answer = (await server.get(`${question}&limit=500`)).json();
    const said = answer["summary"] as Named;
    const plain = answer.records.filter(
      (record) =>
        record["price_basis"] === "observed_in_county" &&
        record["thin"] === false &&
        (record["lot_descriptors"] as string[]).length === 0 &&
        `${record["frame"]} ${record["muscle_grade"]}` === "medium_and_large 1",
    );
    const {head, price} = meanOf(plain.flatMap((record) => linesOf(prints, record)));
    return Number(said["price_low"]) < price &&
      price < Number(said["price_high"]) &&
      withoutSeparators(said["sentence"]).includes(Number(said["price_avg"]).toFixed(2))
      ? null
      : `print ${head} head at ${price.toFixed(3)}: ${said["sentence"]}`;
  }
});

function texts(folder: string): string[] {
  return readdirSync(join(corpus!, folder)).filter((name) => /(?:ams|AMS)_\d{4}.*\.txt$/.test(name));
}

async function served(raw: string, asOf: string): Promise<TestServer> {
  const outDir = join(raw, `../build-${asOf}`);
  const files = await listRawFiles(raw);
  await marketStage({files, outDir, asOf, previousDir: null, sample: false, tempDir: join(raw, "../temp")});
  const generation = generationOf(openMarketArtifacts(join(outDir, marketServing)), {asOf});
  return testServer({generation: () => generation});
}
