import {addDays} from "../../../lib/dates.ts";
import type {TestServer} from "../server-fixture.ts";
import {answerTo, type Named, pagesOf} from "./past-market.ts";

/** Members that say what the build of the day knew beside its window, or that name the window. */
const ofTheBuild = [
  "change_status evidence_id previous previous_sale window_days window_moved window_widened receipts_prior receipts_year_ago",
].flatMap((line) => line.split(" "));

type Answer = {readonly records: readonly Named[]; readonly evidence: readonly Named[]};

/** All pages of the newest prices. */
async function newestOf(server: TestServer, question: string): Promise<Answer> {
  const found = {records: [] as Named[], evidence: [] as Named[]};
  for (;;) {
    const body = await answerTo(server, `${question}&limit=500&offset=${found.records.length}`);
    const {total} = body["page"] as {total: number};
    found.records.push(...(body.records as Named[]));
    found.evidence.push(...(body["evidence"] as Named[]));
    if (found.records.length >= total) return found;
  }
}

const keyOf = (record: Named) =>
  ["county_fips", "state", "cell_id", "week_end_date"].map((name) => record[name]).join(" ");

/** What evidence says but for its name, its window, and what follows from these. */
function comparableEvidence(evidence: Named, isWidened: boolean): Record<string, unknown> {
  const {evidence_id: _, change_status: __, transformation, ...said} = evidence;
  const {parameters: ___, version: ____, ...made} = transformation as Record<string, unknown>;
  if (!isWidened) return {...said, made};
  const {operational_implication: _____, actionability: ______, ...rest} = said;
  const limitations = (said["limitations"] as string[]).filter((one) => !one.startsWith("Window widened"));
  return {...rest, limitations, made};
}

/**
 * Holds the prices of a build's own windows against those that a server makes of past sales, on the same day or later. Gives the members that
 * differ and how many records were compared.
 */
export async function comparedWindows(
  {build, past}: {readonly build: TestServer; readonly past: TestServer},
  {asOf, states}: {readonly asOf: string; readonly states: readonly string[]},
): Promise<{wrong: string[]; counties: number; weeks: number; missing: string[]}> {
  const found = {wrong: [] as string[], counties: 0, weeks: 0, missing: [] as string[]};
  const compare = (built: Answer, made: Answer, wanted: (record: Named) => boolean): number => {
    const twins = new Map(made.records.map((record) => [keyOf(record), record]));
    const evidenceOf = ({evidence}: Answer, {evidence_id: id}: Named) =>
      evidence.find((one) => one.evidence_id === id)!;
    const records = built.records.filter(wanted);
    for (const record of records) {
      const twin = twins.get(keyOf(record));
      if (twin === undefined) {
        found.missing.push(keyOf(record));
        continue;
      }
      const differ = (a: object, b: object, names: readonly string[]) =>
        names.filter((name) => JSON.stringify((a as Named)[name]) !== JSON.stringify((b as Named)[name]));
      const names = Object.keys(record).filter((name) => !ofTheBuild.includes(name));
      if (Object.keys(twin).join() !== Object.keys(record).join())
        found.wrong.push(`${keyOf(record)}: members`);
      for (const name of differ(record, twin, names))
        found.wrong.push(
          `${keyOf(record)} ${name}: ${JSON.stringify(record[name])} in the build, ${JSON.stringify(twin[name])} of past sales`,
        );
      const isWidened = record["window_widened"] === true;
      const [a, b] = [evidenceOf(built, record), evidenceOf(made, twin)].map((one) =>
        comparableEvidence(one, isWidened),
      );
      for (const name of differ(a!, b!, Object.keys(a!)))
        found.wrong.push(
          `${keyOf(record)} evidence ${name}: ${JSON.stringify((a as Record<string, unknown>)[name])} in the build, ${JSON.stringify((b as Record<string, unknown>)[name])} of past sales`,
        );
    }
    return records.length;
  };
  const ofKinds = "class=steers,heifers,bulls,cows,bred_cows,cow_calf_pairs,stock_cows,bred_heifers";
  for (const [days, widened] of [
    [14, false],
    [28, true],
  ] as const) {
    const built = await newestOf(build, `/price-by-county?${ofKinds}`);
    const made = await pagesOf(
      past,
      `/price-by-county?${ofKinds}&from=${addDays(asOf, -days)}&to=${asOf}&limit=500`,
    );
    found.counties += compare(
      built,
      made,
      (record) =>
        record["price_basis"] === "observed_in_county" &&
        record["change_status"] !== "withdrawn" &&
        record["window_widened"] === widened,
    );
  }
  for (const state of states) {
    const built = await newestOf(build, `/price-by-state?state=${state}`);
    const made = await pagesOf(
      past,
      `/price-by-state?state=${state}&from=${addDays(asOf, -28)}&to=${asOf}&limit=500`,
    );
    found.weeks += compare(
      built,
      made,
      (record) => record["price_basis"] === "derived_rollup" && record["change_status"] !== "withdrawn",
    );
  }
  return found;
}
