import {UserError} from "../../../../lib/errors.ts";
import type {RawFile} from "../../../raw/raw-files.ts";
import {folded, isObject, type Json, membersOf, objectsOf, slug, textAt} from "../../json-values.ts";
import {dateFrom} from "../../words/published-date.ts";
import {stateCode} from "../../words/us-states.ts";
import {countyNamed, stateOfCounty} from "../areas.ts";
import {type RowOutcome, readRows, type SignalInput, type SignalReading, tellingRow} from "../reading.ts";
import {tableRows} from "../tables.ts";

const dateNames = [
  "date",
  "confirmeddate",
  "dateconfirmed",
  "confirmed",
  "confirmationdate",
  "collectiondate",
  "noticedate",
  "datepublished",
];

/**
 * Reads animal-health notices: a table of confirmed cases or notices (CSV), or JSON with a list of them. Each needs a date
 * and a state; places finer than the county, names of premises and free notes are not kept.
 */
export function readNotices({file, content}: SignalInput): SignalReading {
  if (content.kind === "xml" || content.kind === "parquet")
    throw new UserError(`${file.path}: ${content.kind} came; JSON or CSV of notices was expected.`);
  const rows = content.kind === "text" ? tableRows(file, content.text) : listIn(file, content.body);
  const first = tellingRow(rows, isNotice);
  if (first !== undefined && !isNotice(first)) {
    throw new UserError(
      `${file.path}: columns ${Object.keys(first).slice(0, 12).join(", ")}; expected a date and a state.`,
    );
  }
  const twins = new Map<string, number>();
  return readRows(rows, (row) => noticeRow(folded(row), file, twins));
}

/** True for a row with the members of a notice: a date and a state. */
function isNotice(row: Json): boolean {
  const names = Object.keys(folded(row));
  return names.includes("state") && dateNames.some((name) => names.includes(name));
}

/** The list of a JSON body: itself, or the member that holds objects with a date. */
function listIn({path}: RawFile, body: unknown): Json[] {
  if (Array.isArray(body)) return objectsOf(body);
  const lists = isObject(body) ? Object.values(body).map(objectsOf) : [];
  const dated = lists.filter((list) => list.some(isNotice));
  if (dated.length > 0) return dated.reduce((most, list) => (list.length > most.length ? list : most));
  if (isObject(body) && Object.values(body).some((value) => Array.isArray(value) && value.length === 0))
    return [];
  throw new UserError(`${path}: ${membersOf(body)} came; expected a list of notices with date and state.`);
}

function noticeRow(row: Json, file: RawFile, twins: Map<string, number>): RowOutcome {
  const date = dateFrom(textAt(row, ...dateNames));
  if (date === null) return {reject: "bad_date", detail: "a calendar date was expected"};
  const state = stateCode(textAt(row, "state"));
  if (state === null) return {reject: "unknown_area", detail: `state ${textAt(row, "state") ?? "missing"}`};
  const disease =
    diseaseIn(textAt(row, "disease", "title", "event", "diagnosis") ?? "") ??
    diseaseIn(file.path) ??
    "animal disease";
  const county = countyOf(row, state);
  const species = textAt(row, "species", "productiontype", "animal", "production")?.toLowerCase() ?? null;
  const name = [
    slug(disease),
    county ?? state,
    textAt(row, "id", "specialid", "caseid") ?? `${date}-${slug(species ?? "")}`,
  ].join("/");
  const twin = (twins.get(name) ?? 0) + 1;
  twins.set(name, twin);
  return {
    accept: {
      table: "animal_health",
      values: {
        signal: "animal_health",
        key: twin > 1 ? `${name}#${twin}` : name,
        valid_from: date,
        area_type: county === null ? "state" : "county",
        area: county ?? state,
        source_date: date,
        disease,
        title: textAt(row, "title") ?? `${disease} confirmed${species === null ? "" : `, ${species}`}`,
        species,
        status: textAt(row, "status", "currentstatus")?.toLowerCase() ?? null,
      },
    },
    ...(county === null && textAt(row, "county", "countyname") !== null ? {note: "county_not_known"} : {}),
  };
}

function countyOf(row: Json, state: string): string | null {
  const fips = textAt(row, "fips", "countyfips");
  if (fips !== null && /^\d{5}$/.test(fips) && stateOfCounty(fips) === state) return fips;
  return countyNamed(textAt(row, "county", "countyname"), state);
}

/** Animal diseases of cattle, and of others that stop the movement of cattle, by the words that notices use. */
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

/** The disease that words name, such as a file's name or a notice's title; null when none is known. */
function diseaseIn(words: string): string | null {
  const plain = words.replaceAll(/[_/.-]+/g, " ");
  return diseases.find(([pattern]) => pattern.test(plain))?.[1] ?? null;
}
