import {execFileSync, spawn} from "node:child_process";
import {join, resolve} from "node:path";
import {setTimeout as sleep} from "node:timers/promises";
import {packageRoot} from "../lib/paths.ts";
import {loadParcelSources} from "../lib/registry/parcel-sources.ts";
import {openDatabase, sqlText} from "../lib/sql/duckdb.ts";
import {buildFolder, dataFolder, publishedBuildId} from "../lib/storage/data-folder.ts";
import {type AddressRow, addressLines} from "../test/conformance/address-mutations.ts";
import {idQuestionsOf} from "../test/conformance/id-mutations.ts";
import {ownerQuestionsOf} from "../test/conformance/owner-mutations.ts";
import {freePort} from "../test/free-port.ts";
import {seededRandom} from "../test/server/parcels/invented-state.ts";

/**
 * Which parcels are found before and after a change: two builds of the same raw files and day, each served by the checkout that made it,
 * are asked for the same parcels by number, address, owner and point, in the ways of `test/conformance`. Prints by county how
 * many questions are answered right, and each one that is answered worse than before.
 *
 *   node bench/compare-matches.ts CHECKOUT DATA_BEFORE DATA_AFTER [rows of a county]      default: 40 rows
 *
 * The rows are those of the older build. Exits with 1 if an answer is worse.
 */
const [checkout = "", dataBefore = "", dataAfter = "", rowsOfCounty = "40"] = process.argv.slice(2);
if (dataAfter === "")
  throw new Error("usage: compare-matches CHECKOUT DATA_BEFORE DATA_AFTER [rows of a county]");

type Subject = "number" | "address" | "owner" | "point";
type Question = {
  readonly subject: Subject;
  /** How the row's own text was changed. */
  readonly way: string;
  readonly row: Row;
  readonly path: string;
  readonly values: Readonly<Record<string, string>>;
};
type Row = Omit<AddressRow, "situs_raw"> & {
  readonly line: string;
  /** The parcel in the newer build; null if no row of it has the number. */
  readonly after_uid: string | null;
  readonly state: string;
  readonly county_key: string;
  readonly parcel_id: string | null;
  readonly owner_name: string | null;
  readonly owner_kind: string | null;
  readonly situs_status: string;
  readonly lat: number | null;
  readonly lon: number | null;
};
/** From worst to best. */
const outcomes = ["another parcel", "none", "one of several", "found"] as const;
type Outcome = (typeof outcomes)[number];
type Server = {ask(question: Question): Promise<Listed>; stop(): void};
type Listed = {readonly isOnly: boolean; readonly uids: readonly string[]; readonly total: number};

const sources = loadParcelSources();
const questions = (await rowsAsked()).flatMap(questionsOf);
const answersBefore = await outcomesOf(resolve(checkout), dataBefore, ({parcel_uid}) => parcel_uid);
const answersAfter = await outcomesOf(packageRoot, dataAfter, ({after_uid}) => after_uid);
print();

/** Rows of the older build, so many of each county in a reproducible order, with the parcel that the newer build has of the number. */
async function rowsAsked(): Promise<Row[]> {
  const [before, after] = await Promise.all([dataBefore, dataAfter].map(publishedParcels));
  const db = await openDatabase();
  const rows = await db.rows<Row>(`
    WITH older AS (FROM ${before} QUALIFY row_number() OVER (PARTITION BY county_key ORDER BY md5(parcel_uid)) <= ${Number(rowsOfCounty)}),
      newer AS (SELECT parcel_uid, county_key, parcel_id, left(county_key, 2) AS fips_state FROM ${after}),
      moved AS (SELECT fips_state, parcel_id, any_value(parcel_uid) AS uid FROM newer GROUP BY ALL HAVING count(*) = 1)
    SELECT older.parcel_uid, coalesce(newer.parcel_uid, moved.uid) AS after_uid, older.state, older.county_key, older.parcel_id,
      coalesce(situs_raw, concat_ws(' ', situs_number, situs_fraction, situs_pre, situs_name, situs_type, situs_post,
        CASE WHEN situs_unit IS NOT NULL THEN coalesce(situs_unit_type, '#') END, situs_unit)) AS line,
      situs_number, situs_fraction, situs_pre, situs_name, situs_type, situs_post, situs_unit, situs_status, city, zip, owner_name, owner_kind, lat, lon
    FROM older
    LEFT JOIN newer ON newer.parcel_uid = older.parcel_uid
    LEFT JOIN moved ON moved.fips_state = left(older.county_key, 2) AND moved.parcel_id = older.parcel_id
    ORDER BY older.county_key, md5(older.parcel_uid)`);
  db.close();
  return rows;
}

async function publishedParcels(root: string): Promise<string> {
  const data = dataFolder(resolve(root));
  const files = join(buildFolder(data, await publishedBuildId(data)), "**", "parcels.parquet");
  return `read_parquet(${sqlText(files)}, hive_partitioning = true, union_by_name = true)`;
}

function questionsOf(row: Row): Question[] {
  const {state, county_key: county, lat, lon} = row;
  const random = seededRandom(20261121);
  const question = (subject: Subject, path: string, asked: Iterable<[string, Record<string, string>]>) =>
    [...asked].map(([way, values]): Question => ({subject, way, row, path, values}));
  const ids = row.parcel_id === null ? [] : idQuestionsOf(row.parcel_id, random);
  const lines =
    row.situs_status === "numbered" ? addressLines({...row, situs_raw: row.line}, state, random) : [];
  const isLastFirst = ofCounty(row).every(({owners}) => owners?.order.startsWith("last") ?? false);
  const {owner_name} = row;
  const owners = owner_name === null ? [] : ownerQuestionsOf({...row, owner_name}, {random, isLastFirst});
  const place = {latitude: Number(lat).toFixed(7), longitude: Number(lon).toFixed(7), radius: "0.05"};
  const page = {limit: "100"};
  return [
    ...question(
      "number",
      "parcel-id-lookup",
      [...ids].map(([way, parcelId]) => [way, {parcelId, state}]),
    ),
    ...question(
      "address",
      "address-lookup",
      [...lines].map(([way, address]) => [way, {address, state}]),
    ),
    ...question(
      "owner",
      "owner-search",
      [...owners].map(([way, asked]) => [way, {...asked, state, county, ...page}]),
    ),
    ...question("point", "location-search", lat === null ? [] : [["own point", {...place, ...page}]]),
  ];
}

function ofCounty({state, county_key}: Row) {
  return sources.filter(({coverage: {counties, state: of}}) =>
    counties === "all" ? of === state : counties.includes(county_key),
  );
}

/** What each question brought for its parcel, asked of a server of that checkout. */
async function outcomesOf(
  program: string,
  data: string,
  uidOf: (row: Row) => string | null,
): Promise<Outcome[]> {
  const server = await served(program, resolve(data));
  const came: Outcome[] = [];
  const atOnce = 8;
  for (let first = 0; first < questions.length; first += atOnce) {
    const asked = questions.slice(first, first + atOnce).map(async (question) => {
      const {isOnly, uids, total} = await server.ask(question);
      const isListed = uids.includes(uidOf(question.row) ?? "");
      if (isOnly) return isListed ? "found" : "another parcel";
      const isSearch = question.subject === "owner" || question.subject === "point";
      if (isSearch) return isListed || total > uids.length ? "found" : "none";
      return isListed || total > uids.length ? "one of several" : "none";
    });
    came.push(...(await Promise.all(asked)));
  }
  server.stop();
  return came;
}

/** A server of a checkout over a data folder, with limits that no bench reaches; it asks no county. */
async function served(program: string, data: string): Promise<Server> {
  const node = join(program, "node_modules", ".bin", "node");
  const cattle = join(program, "bin", "cattle.js");
  const env = {...process.env, CATTLE_DATA: data};
  const said = execFileSync(node, [cattle, "keys", "create", "--label", "compare-matches"], {
    env,
    encoding: "utf8",
  });
  const key =
    said
      .trim()
      .split(/\s+/)
      .findLast((word) => word.length > 30) ?? "";
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const child = spawn(node, [cattle, "serve", "--port", String(port)], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...env,
      CATTLE_METRICS_PORT: "0",
      CATTLE_LOG_LEVEL: "error",
      CATTLE_CADASTRE: "0",
      CATTLE_RATE_PER_MINUTE: "1000000",
      CATTLE_OWNER_SEARCH_PER_DAY: "10000000",
      CATTLE_MAX_LOOP_DELAY_MS: "60000",
    },
  });
  const isReady = () =>
    fetch(`${base}/readyz`).then(
      ({ok}) => ok,
      () => false,
    );
  for (let tries = 0; !(await isReady()); tries++) {
    if (tries > 300 || child.exitCode !== null) throw new Error(`the server of ${program} does not start`);
    await sleep(100);
  }
  return {
    ask: async ({path, values}) => {
      const url = `${base}/public/land-agent/property/${path}?${new URLSearchParams(values)}`;
      const reply = await fetch(url, {headers: {"X-API-Key": key}});
      return listed(await reply.json(), url);
    },
    stop: () => child.kill(),
  };
}

function listed(body: unknown, url: string): Listed {
  type Parcel = {parcelUid: string};
  const {type, property, properties, candidates, candidateTotal, metadata} = body as {
    type?: string;
    property?: Parcel;
    properties?: Parcel[];
    candidates?: Parcel[];
    candidateTotal?: number;
    metadata?: {total?: number};
  };
  if (/unauthorized|forbidden|rate|overloaded|internal/.test(type ?? "")) throw new Error(`${url}: ${type}`);
  if (property !== undefined) return {isOnly: true, uids: [property.parcelUid], total: 1};
  const uids = (properties ?? candidates ?? []).map(({parcelUid}) => parcelUid);
  return {isOnly: false, uids, total: metadata?.total ?? candidateTotal ?? uids.length};
}

function print(): void {
  const compared = questions.map((question, i) => {
    const [before, after] = [answersBefore[i]!, answersAfter[i]!];
    return {question, before, after, gain: outcomes.indexOf(after) - outcomes.indexOf(before)};
  });
  const isRight = (outcome: Outcome) => outcome === "found" || outcome === "one of several";
  const line = (name: string, of: typeof compared) => {
    const count = (has: (each: (typeof compared)[number]) => boolean) => of.filter(has).length;
    const figures = [
      of.length,
      count(({before}) => isRight(before)),
      count(({after}) => isRight(after)),
      count(({gain}) => gain < 0),
      count(({gain}) => gain > 0),
      count(({before}) => before === "another parcel"),
      count(({after}) => after === "another parcel"),
    ];
    return `${name.padEnd(16)}${figures.map((figure) => String(figure).padStart(9)).join("")}\n`;
  };
  const heads = ["asked", "right", "then", "worse", "better", "wrong", "then"];
  process.stdout.write(`${" ".repeat(16)}${heads.map((head) => head.padStart(9)).join("")}\n`);
  const bySubject = Map.groupBy(compared, ({question}) => question.subject);
  for (const [subject, of] of bySubject) {
    process.stdout.write(line(subject, of));
    for (const [county, its] of Map.groupBy(of, ({question}) => question.row.county_key))
      process.stdout.write(line(`  ${county}`, its));
  }
  const worse = compared.filter(({gain}) => gain < 0);
  for (const {question, before, after} of worse) {
    const {subject, way, row, values} = question;
    const gone = row.after_uid === null ? "  (no such parcel any more)" : "";
    process.stdout.write(
      `${before} -> ${after}  ${subject}, ${way}: ${row.parcel_uid}  ${JSON.stringify(values)}${gone}\n`,
    );
  }
  process.stdout.write(`${questions.length} questions, ${worse.length} answered worse than before\n`);
  process.exitCode = worse.length === 0 ? 0 : 1;
}
