/** The subjects of the questions, taken from the build at run time, so that no person's name or place is written here. */
export type Asked = {
  /** A company with land in several counties of Montana, and its name with two letters exchanged. */
  readonly owner: string;
  readonly mistypedOwner: string;
  readonly ownerCounty: string;
  /** A numbered house of Wake County with its town, and the same with a letter of the street exchanged. */
  readonly address: string;
  readonly mistypedAddress: string;
  readonly city: string;
  readonly wakeId: string;
  /** A parcel number of Greene County, New York, with dots and hyphens. */
  readonly punctuatedId: string;
  /** A parcel of Miami-Dade in a stack, with its unit. */
  readonly unitAddress: string;
  readonly unitId: string;
  /** The two parts of the name of a person who owns land in Maricopa County. */
  readonly lastName: string;
  readonly firstName: string;
  /** Points of a Montana ranch, and of a farm and vacant land of Maricopa County. */
  readonly ranch: {readonly lat: number; readonly lon: number};
  readonly farm: {readonly lat: number; readonly lon: number};
  readonly desert: {readonly lat: number; readonly lon: number};
  readonly evidenceId: string;
};

/** Parameters for the parcels from 40 to 160 acres around the ranch, the largest first. */
export function largestFirst({ranch}: Asked): Record<string, string | number> {
  return {latitude: ranch.lat, longitude: ranch.lon, radius: 2, minAcres: 40, maxAcres: 160, sort: "acres"};
}

/** An answer as a caller sees it. */
export type Answered = {
  readonly text: string;
  /** Of HTTP, the body. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies are looked into freely by tests
  readonly body: any;
  /** Gives the first value of the first row of a query over the same tables. */
  readonly table: (sql: string) => Promise<unknown>;
};

/** A question in the asker's words, the one step that answers it, and checks of its answer: each returns true, or why not. */
export type Question = {
  readonly asks: string;
  /** Path of a GET, or the words of a command line. */
  readonly step: (asked: Asked) => string | readonly string[];
  readonly holds: (answer: Answered, asked: Asked) => boolean | Promise<boolean>;
};

const lookup = (name: string, values: Record<string, string | number>) =>
  `/public/land-agent/property/${name}?${parameters(values)}`;
const market = (path: string, values: Record<string, string | number> = {}) =>
  `/${path}?${parameters(values)}`;
const sql = (query: string) => ["sql", query] as const;
const parameters = (values: Record<string, string | number>) =>
  new URLSearchParams(
    Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();

const dodge = {zip: "67801", class: "steers", weight: 750};
/** Names that differ only in commas and full stops are equal. */
const sameName = (owner: string) => `translate(owner_name, '.,', '') = '${owner}'`;
const inMontana = "FROM parcels WHERE state = 'MT'";

/** Questions of ranchers, buyers, haulers and analysts about the market, over the reports of Kansas to 2026-08-22. */
const ofMarket: readonly Question[] = [
  {
    asks: "What are 750-lb steers bringing within 100 miles of Dodge City?",
    step: () => market("price-by-county", {...dodge, radius: 100}),
    holds: ({body}) =>
      body.summary.farthest_mi <= 100 && body.summary.sentence.includes("within 100 miles of 67801"),
  },
  {
    asks: "Is that more or less than a week ago?",
    step: () => market("price-by-county", {...dodge, radius: 300, limit: 1}),
    // Both reporters say that the market was not tested.
    holds: ({body: {summary}}) =>
      !/higher|lower/.test(summary.sentence) &&
      summary.change_week === null &&
      summary.change_14_days === null &&
      summary.change_14_days_reason === "not_tested",
  },
  {
    asks: "And against last year?",
    step: () => ["market", "price-by-county", "--zip", "67801", "--class", "steer", "--weight", "750"],
    holds: ({text}) => /Changes +no comparison with last week and last year/.test(text),
  },
  {
    asks: "What do steers of all weights bring in Kansas this week?",
    step: () => market("price-by-state", {state: "KS", class: "steers", limit: 50}),
    holds: async ({body, table}) =>
      body.page.total ===
      Number(await table("SELECT count(*) FROM state_prices WHERE state = 'KS' AND class = 'steers'")),
  },
  {
    asks: "What are boner cows worth in Kansas?",
    step: () => ["market", "price-by-state", "--state", "Kansas", "--class", "cow"],
    holds: ({text}) => /cows boner/.test(text) && /\d+\.\d\d\/cwt/.test(text),
  },
  {
    asks: "When is the next sale at Winter Livestock in Pratt?",
    step: () => ["market", "barns", "--venue", "winter pratt"],
    holds: ({text}) =>
      /^Winter Livestock, Pratt, KS: next sale expected, [^.]* on Thursday 2026-08-27/.test(text),
  },
  {
    asks: "Which barns are within 75 miles of my place (37.70 N, 99.20 W), nearest first?",
    step: () => market("barns", {lat: 37.7, lon: -99.2, radius: 75}),
    holds: ({body}) => {
      const miles = body.records.map((record: {distance_mi: number}) => record.distance_mi);
      return (
        miles.length > 0 &&
        miles.every((mile: number, i: number) => mile <= 75 && mile >= (miles[i - 1] ?? 0))
      );
    },
  },
  {
    asks: "What did the last sale in Pratt bring, every pen?",
    step: () => market("latest-prices", {venue: "ks-pratt", limit: 500}),
    holds: async ({body, table}) =>
      body.records.length ===
      Number(await table("SELECT count(*) FROM latest_prices WHERE venue_id = 'ks-pratt'")),
  },
  {
    asks: "Ford County alone: what do 550-lb heifers bring there?",
    step: () => market("price-by-county", {county: "Ford", state: "KS", class: "heifers", weight: 550}),
    holds: ({body}) =>
      body.records.every((record: {county_fips: string}) => record.county_fips === "20057") &&
      body.records.length > 0,
  },
  {
    asks: "What were the latest sales in Ford County?",
    step: () => market("latest-prices", {county: "20057"}),
    holds: ({body}) =>
      body.records.length > 0 &&
      body.records.every((record: {venue_id: string}) => record.venue_id === "ks-dodge-city"),
  },
  {
    asks: "How have 500-lb steers gone in Kansas over the last twelve weeks?",
    step: () => [
      "market",
      "price-by-state",
      "--state",
      "KS",
      "--class",
      "steers",
      "--weight",
      "500",
      "--history",
      "12",
      "--limit",
      "1",
    ],
    holds: ({text}) =>
      /Weeks: KS, steers M&L 1/.test(text) && (text.match(/^2026-\d\d-\d\d +\d+\.\d\d/gm) ?? []).length >= 3,
  },
  {
    asks: "What does a bred cow cost in Kansas?",
    step: () => market("price-by-state", {state: "KS", class: "bred_cows", limit: 5}),
    holds: ({body}) => body.records.every((record: {price_unit: string}) => record.price_unit === "per_head"),
  },
  {
    asks: "What do cow-calf pairs bring?",
    step: () => ["market", "price-by-state", "--class", "cow-calf pairs", "--limit", "5"],
    holds: ({text}) => /cow calf pairs/.test(text) && /\/pair/.test(text),
  },
  {
    asks: "How much is a 750-lb steer per head near Dodge City?",
    step: () => market("price-by-county", {...dodge, limit: 3}),
    holds: ({body}) =>
      body.records.some((record: {value_per_head: number | null}) => (record.value_per_head ?? 0) > 1000),
  },
  {
    asks: "Which barns in Kansas sell, and on which days?",
    step: () => ["market", "cattle-sale-barn-directory", "--state", "kansas"],
    holds: ({text}) => /Wed/.test(text) && /Thu/.test(text),
  },
  {
    asks: "What is the phone number of the barn in Billings?",
    step: () => market("barns", {venue: "billings livestock"}),
    holds: ({body}) => body.records.length === 1 && "phone" in body.records[0],
  },
  {
    asks: "Is the barn in Clovis still in business?",
    step: () => ["market", "barns", "--venue", "clovis"],
    holds: ({text}) =>
      /last reported sale was on 2026-04-29/.test(text) &&
      /unverified/.test(text) &&
      !/^\S.*is classed/.test(text),
  },
  {
    asks: "How many licensed dealers does Nebraska have?",
    step: () => market("dealers/stats"),
    holds: ({body}) =>
      body.summary.states_with_list === body.records.length &&
      body.limitations.some((said: string) => said.includes("lower bound")),
  },
  {
    asks: "I have calves in Alaska: where is the nearest market that reports?",
    step: () => ["market", "latest-prices", "--lat", "61.2", "--lon", "-149.9"],
    holds: ({text}) => /The nearest barn with such a report is .+ miles, last sale 20/.test(text),
  },
  {
    asks: "Which source, which day and how sure is that price for Dodge City?",
    step: () => market("price-by-county", {...dodge, limit: 1}),
    holds: ({body}) => {
      const [stated] = body.evidence;
      return (
        stated.evidence_id === body.summary.evidence_id &&
        stated.sources.length > 0 &&
        stated.confidence.score > 0
      );
    },
  },
];

/** Questions of buyers, neighbours, lenders and developers about land. */
const ofParcels: readonly Question[] = [
  {
    asks: "Whose is the house at this address?",
    step: ({address, city}) => lookup("address-lookup", {address, city, state: "NC"}),
    holds: ({body}, {wakeId}) => body.property.parcelId === wakeId && body.property.match.type !== "fuzzy",
  },
  {
    asks: "I am not sure how the street is spelled: which parcel is it?",
    step: ({mistypedAddress, city}) => [
      "lookup",
      "address",
      mistypedAddress,
      "--city",
      city,
      "--state",
      "NC",
    ],
    holds: ({text}, {address}) =>
      text.startsWith("No parcel has exactly the address") && text.includes(address.toUpperCase()),
  },
  {
    asks: "Which parcel is this flat?",
    step: ({unitAddress}) => lookup("address-lookup", {address: unitAddress, state: "FL"}),
    holds: ({body}, {unitId}) => body.property.parcelId === unitId,
  },
  {
    asks: "Which parcel has this number?",
    step: ({wakeId}) => lookup("parcel-id-lookup", {parcelId: wakeId, state: "NC"}),
    holds: ({body}, {wakeId}) => body.property.parcelId === wakeId,
  },
  {
    asks: "The same number, typed without its dots and hyphens?",
    step: ({punctuatedId}) =>
      lookup("parcel-id-lookup", {
        parcelId: punctuatedId.replaceAll(/[^0-9A-Za-z]/g, ""),
        state: "NY",
        county: "Greene",
      }),
    holds: ({body}, {punctuatedId}) => body.property.parcelId === punctuatedId,
  },
  {
    asks: "I stand here: which parcels are around me?",
    step: ({desert}) => ["lookup", "near", String(desert.lat), String(desert.lon), "--radius", "0.5"],
    holds: ({text}) => /miles/.test(text) && /Shown +1 to/.test(text),
  },
  {
    asks: "Parcels from 40 to 160 acres near here, the largest first?",
    step: (places) => lookup("location-search", largestFirst(places)),
    holds: ({body}) => {
      const acres = body.properties.map((one: {acres: number}) => one.acres);
      return (
        acres.length > 0 &&
        acres.every((each: number, i: number) => each >= 40 && each <= 160 && each <= (acres[i - 1] ?? 160))
      );
    },
  },
  {
    asks: "All land of this company in Montana: how many parcels and acres?",
    step: ({owner}) => lookup("owner-search", {owner, state: "MT", exact: "true", limit: 3}),
    holds: async ({body, table}, {owner}) =>
      body.metadata.totals.parcels ===
        Number(await table(`SELECT count(*) ${inMontana} AND ${sameName(owner)}`)) &&
      Math.abs(
        body.metadata.totals.acres -
          Number(await table(`SELECT sum(acres) ${inMontana} AND ${sameName(owner)}`)),
      ) < 1,
  },
  {
    asks: "In how many counties does it own land?",
    step: ({owner}) => ["lookup", "owner", owner, "--state", "Montana", "--exact", "true"],
    holds: async ({text, table}, {owner}) =>
      text.includes(
        `in ${await table(`SELECT count(DISTINCT county_key) ${inMontana} AND ${sameName(owner)}`)} counties`,
      ),
  },
  {
    asks: "Which are its largest pieces?",
    step: ({owner}) => lookup("owner-search", {owner, state: "MT", sort: "acres", limit: 5}),
    holds: async ({body, table}, {owner}) =>
      Math.abs(
        body.properties[0].acres -
          Number(await table(`SELECT max(acres) ${inMontana} AND ${sameName(owner)}`)),
      ) < 0.01,
  },
  {
    asks: "Has it a section or more (640 acres) in one piece?",
    step: ({owner}) => lookup("owner-search", {owner, state: "MT", minAcres: 640, exact: "true"}),
    holds: async ({body, table}, {owner}) =>
      body.metadata.total ===
      Number(await table(`SELECT count(*) ${inMontana} AND ${sameName(owner)} AND acres >= 640`)),
  },
  {
    asks: "I have misspelled the company: whom did you find instead?",
    step: ({mistypedOwner}) => ["lookup", "owner", mistypedOwner, "--state", "MT"],
    holds: ({text}, {owner}) =>
      text.startsWith("No owner is called") && text.includes(owner) && /fuzzy 0\.\d\d/.test(text),
  },
  {
    asks: "Nobody but exactly that name, please?",
    step: ({mistypedOwner}) => lookup("owner-search", {owner: mistypedOwner, state: "MT", exact: "true"}),
    holds: ({body}) => body.properties.length === 0,
  },
  {
    asks: "What does it own in that county?",
    step: ({owner, ownerCounty}) =>
      lookup("owner-search", {owner, state: "MT", county: ownerCounty, exact: "true"}),
    holds: ({body}, {ownerCounty}) =>
      body.properties.length > 0 &&
      body.properties.every(({county}: {county: string}) => county.toUpperCase() === ownerCounty),
  },
  {
    asks: "Land of a person by last and first name?",
    step: ({lastName, firstName}) => lookup("owner-search", {lastName, firstName, state: "AZ"}),
    holds: ({body}, {lastName}) =>
      body.properties.length > 0 && body.properties[0].ownerName.includes(lastName),
  },
  {
    asks: "Which land near here is worth most?",
    step: ({desert}) =>
      lookup("location-search", {
        latitude: desert.lat,
        longitude: desert.lon,
        radius: 2,
        sort: "value",
        limit: 5,
      }),
    holds: ({body}) => {
      const worth = body.properties.map((one: {totalMarketValue?: number}) => one.totalMarketValue ?? 0);
      return (
        worth[0] > 0 &&
        worth.every((each: number, i: number) => each <= (worth[i - 1] ?? Number.POSITIVE_INFINITY))
      );
    },
  },
  {
    asks: "Which land within two miles is vacant?",
    step: ({desert}) =>
      lookup("location-search", {latitude: desert.lat, longitude: desert.lon, radius: 2, use: "vacant"}),
    holds: ({body}) =>
      body.properties.length > 0 &&
      body.properties.every((one: {landUseCategory: string}) => one.landUseCategory === "vacant"),
  },
  {
    asks: "Only farm and ranch land around this point, no houses?",
    step: ({farm}) => [
      "lookup",
      "near",
      String(farm.lat),
      String(farm.lon),
      "--radius",
      "2",
      "--use",
      "agriculture",
    ],
    holds: ({text}) => /agriculture/.test(text) && !/residential/.test(text.split("\n\n")[0]!),
  },
  {
    asks: "Where does what you say of this parcel come from, how old is it?",
    step: ({wakeId}) => ["lookup", "parcel", wakeId, "--state", "NC"],
    holds: ({text}) => /as of +confidence +source/.test(text) && /us-nc-wake/.test(text),
  },
  {
    asks: "Do you have land in Wyoming at all?",
    step: () => ["coverage", "Wyoming"],
    holds: ({text}) => /Wyoming/.test(text.split("\n")[0]!) && /no parcels/.test(text),
  },
];

/** Questions of developers, analysts, agents and operators about the data themselves. */
const ofDataset: readonly Question[] = [
  {
    asks: "Which states have parcels, and how many?",
    step: () => "/coverage",
    holds: async ({body, table}) =>
      body.states.find((one: {state: string}) => one.state === "MT").parcels ===
        Number(await table(`SELECT count(*) ${inMontana}`)) &&
      body.states.filter((one: {parcels: number}) => one.parcels > 0).length ===
        Number(await table("SELECT count(DISTINCT state) FROM parcels")),
  },
  {
    asks: "Which counties of Montana are there, and how much of each?",
    step: () => ["coverage", "montana"],
    holds: async ({text, table}) =>
      text.startsWith(
        `Montana: 6,062 parcels in ${await table(`SELECT count(DISTINCT county_key) ${inMontana}`)} of 56 counties, from extracts`,
      ),
  },
  {
    asks: "How old are the prices?",
    step: () => "/coverage?state=KS",
    holds: ({body}) =>
      body.sources.some(
        (one: {id: string; newest: string; age_days: number}) =>
          one.id === "ams-lmr-datamart" && one.newest === "2026-08-22" && one.age_days === 2,
      ),
  },
  {
    asks: "Under which terms may I use each source?",
    step: () => ["coverage"],
    holds: ({text}) => /us-tx-stratmap.*CC0-1.0/.test(text) && /futures.*licensed/.test(text),
  },
  {
    asks: "Is the published build whole, byte for byte?",
    step: () => ["verify"],
    holds: ({text}) => /\d+ files as the manifest says/.test(text),
  },
  {
    asks: "What did the last build publish, and what is missing from it?",
    step: () => ["status"],
    holds: ({text}) => /as of 2026-08-24/.test(text) && /states planned/.test(text),
  },
  {
    asks: "Which tables are there?",
    step: () => sql("SHOW TABLES"),
    holds: ({text}) => /county_prices/.test(text) && /parcel_sources/.test(text),
  },
  {
    asks: "Which columns has the table of county prices?",
    step: () => sql("DESCRIBE county_prices"),
    holds: ({text}) => /price_avg +D/.test(text),
  },
  {
    asks: "How many parcels of each use has Montana, with acres?",
    step: () =>
      sql(
        `SELECT land_use_category, count(*) AS parcels, round(sum(acres)) AS acres ${inMontana} GROUP BY 1 ORDER BY 2 DESC`,
      ),
    holds: ({text}) => /vacant +[\d,]+/.test(text) && /NULL/.test(text),
  },
  {
    asks: "In which states do parcels lack acres?",
    step: () =>
      sql(
        "SELECT state, count(*) - count(acres) AS without_acres FROM parcels GROUP BY 1 HAVING without_acres > 0 ORDER BY 2 DESC",
      ),
    holds: ({text}) => /DE +72949/.test(text),
  },
  {
    asks: "Who holds most land in Montana, by county?",
    step: () =>
      sql(
        "SELECT county_name, owner_kind, parcels, round(acres) AS acres FROM landowners_by_county WHERE state = 'MT' ORDER BY acres DESC LIMIT 5",
      ),
    holds: ({text}) => /company/.test(text) && /5 rows/.test(text),
  },
  {
    asks: "Which rows were rejected, and why?",
    step: () => sql("SELECT part, source, reason, rows FROM rejections ORDER BY rows DESC LIMIT 10"),
    holds: ({text}) => /reason +rows/.test(text) && /10 rows/.test(text),
  },
  {
    asks: "Where does this very figure come from?",
    step: ({evidenceId}) =>
      sql(
        `SELECT claim, sources, source_date, transformation->>'$.method' AS method FROM evidence WHERE evidence_id = '${evidenceId}'`,
      ),
    holds: ({text}) => /1 rows/.test(text) && /ams-lmr-datamart/.test(text),
  },
  {
    asks: "Head and receipts of each sale in Clovis, as CSV?",
    step: () => [
      "sql",
      "SELECT sale_date, receipts, head_reported FROM sale_events WHERE venue_id = 'nm-clovis' ORDER BY 1 DESC",
      "--csv",
    ],
    holds: async ({text, table}) =>
      text.trim().split("\n").length ===
      1 + Number(await table("SELECT count(*) FROM sale_events WHERE venue_id = 'nm-clovis'")),
  },
  {
    asks: "Weekly prices of 500-lb steers since 2017, for a plot?",
    step: () => [
      "sql",
      "SELECT week_end_date, price_avg, head_count FROM weekly_prices WHERE class = 'steers' AND weight_bin = '500-549' ORDER BY 1",
      "--json",
    ],
    holds: ({text}) => JSON.parse(text).length > 100,
  },
  {
    asks: "What changed against the night before?",
    step: () => sql("SELECT change_status, count(*) AS records FROM evidence GROUP BY 1 ORDER BY 2 DESC"),
    holds: ({text}) => /new +\d+/.test(text),
  },
  {
    asks: "Montana's parcels as a CSV for a spreadsheet?",
    step: () => ["export", "--state", "Montana", "--format", "csv", "--to", "{folder}/mt.csv"],
    holds: ({text}) => /6,062/.test(text) && /mt\.csv/.test(text),
  },
  {
    asks: "Which sources wait for my word on their terms?",
    step: () => ["sources", "terms"],
    holds: ({text}) => /us-/.test(text) && /https:/.test(text),
  },
  {
    asks: "Is this machine fit to serve?",
    step: () => ["doctor"],
    holds: ({text}) => /disk|space/i.test(text) && /memory/i.test(text),
  },
  {
    asks: "Which requests can I send, with which parameters and fields?",
    step: () => "/openapi.json",
    holds: ({body}) => Object.keys(body.paths).includes("/latest-prices") && body.openapi.startsWith("3."),
  },
];

/** The sixty: of the market, of land, of the data. */
export const questions: Readonly<Record<"market" | "parcels" | "dataset", readonly Question[]>> = {
  market: ofMarket,
  parcels: ofParcels,
  dataset: ofDataset,
};
