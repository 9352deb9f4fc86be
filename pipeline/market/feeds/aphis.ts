import {states} from "@open-cattle/us-address";
import {slug} from "../documents/json-values.ts";
import {countyNamed, stateOfCounty} from "../signals/areas.ts";
import {lookupSql} from "../signals/context.ts";
import {reject} from "../signals/reading.ts";
import {type Row, tableReader} from "../signals/signal-reader.ts";
import type {SignalFeed} from "./feed.ts";

const dates = [
  ...["date", "confirmeddate", "dateconfirmed", "confirmed", "confirmationdate", "collectiondate"],
  ...["noticedate", "datepublished"],
];

/** Diseases of cattle, and of other animals if they restrict cattle movement, by the words that notices use. */
const diseases: readonly [RegExp, string][] = [
  [/screw.?worm|\bnws\b/i, "new world screwworm"],
  [/hpai|avian.?influenza|h5n1/i, "highly pathogenic avian influenza"],
  [/foot.?and.?mouth|\bfmd\b/i, "foot-and-mouth disease"],
  [/tubercul|\btb\b/i, "bovine tuberculosis"],
  [/brucell/i, "brucellosis"],
  [/vesicular.?stomatitis|\bvsv?\b/i, "vesicular stomatitis"],
  [/anthrax/i, "anthrax"],
  [/spongiform|\bbse\b/i, "bovine spongiform encephalopathy"],
  [/theileri/i, "theileriosis"],
  [/cattle.?fever.?tick|babesi/i, "cattle fever"],
  [/blue.?tongue/i, "bluetongue"],
];

const stateOfFips = lookupSql(
  "left(area, 2)",
  states.map(({fips, state}) => [fips, state]),
);

/**
 * Animal-health notices: a table or list of confirmed cases or notices, each with a date and a state. Places finer than a
 * county, names of premises and free-text notes are dropped.
 */
export const aphis: SignalFeed = {
  kind: "signals",
  source: "aphis",
  // Many a table has a date and a state.
  sign: /\b(disease|diagnos\w+|confirmed|detections?|outbreaks?|premises|special id|species|notices?|screw.?worm|hpai|h5n1)\b/i,
  takesAnyTable: true,
  tables: ["animal_health"],
  read: tableReader("animal_health", {
    needs: [["state"], dates],
    expected: "a date and a state",
    // Two rows of one day and place are two cases unless they share an id.
    identity: (row) => idOf(row) ?? row,
    columns(row, {file}) {
      const valid_from = row.date(...dates) ?? reject("bad_date", "expected a calendar date");
      const state = row.state("state") ?? reject("unknown_area", `state ${row.text("state") ?? "missing"}`);
      const words = row.text("disease", "title", "event", "diagnosis") ?? "";
      const disease = diseaseIn(words) ?? diseaseIn(file.path) ?? "animal disease";
      const [fips, named] = [row.text("fips", "countyfips"), row.text("county", "countyname")];
      const isFips = fips !== null && /^\d{5}$/.test(fips) && stateOfCounty(fips) === state;
      const county = isFips ? fips : countyNamed(named, state);
      const species = row.lower("species", "productiontype", "animal", "production");
      const id = idOf(row) ?? `${valid_from}-${slug(species ?? "")}`;
      return {
        signal: "animal_health",
        key: [slug(disease), county ?? state, id].join("/"),
        valid_from,
        area_type: county === null ? "state" : "county",
        area: county ?? state,
        disease,
        title: row.text("title") ?? `${disease} confirmed${species === null ? "" : `, ${species}`}`,
        species,
        status: row.lower("status", "currentstatus"),
        note: county === null && named !== null ? "county_not_known" : null,
      };
    },
  }),
  context: [
    {
      table: "animal_health",
      carries: "is_current AND NOT regexp_matches(coalesce(status, ''), 'withdrawn|retracted|rescinded')",
      places: {
        county: "if(area_type = 'county', [area], [])",
        state: `[if(area_type = 'state', area, ${stateOfFips})]`,
      },
      group: "disease",
      values: [
        "disease",
        "last(title ORDER BY valid_from, seq) AS latest_notice",
        "last(status ORDER BY valid_from, seq) AS latest_status",
        "count(*) AS notices",
        "count(*) FILTER (status = 'active') AS notices_marked_active",
        "min(valid_from) AS first_date",
        "max(valid_from) AS latest_date",
      ],
      lasting: true,
      limitation: "Published notices; not the status of any herd or premises, and no statement on permits.",
    },
  ],
  sample: ["sample.csv"],
};

function idOf(row: Row): string | null {
  return row.text("id", "specialid", "caseid");
}

/** The disease named in a text, such as a notice title or a file name; null if none is known. */
function diseaseIn(words: string): string | null {
  const plain = words.replaceAll(/[_/.-]+/g, " ");
  return diseases.find(([pattern]) => pattern.test(plain))?.[1] ?? null;
}
