import {parseAddress, stateCodes} from "@open-cattle/us-address";
import {isSpellingOfPlace, placeOf} from "../place/postal-places.ts";
import type {ConformEntry} from "./column-references.ts";
import {pack} from "./packed-text.ts";
import {textSql} from "./transforms.ts";

/** Columns of a mailing address. */
export const mailColumns = ["mail_line1", "mail_city", "mail_state", "mail_zip"] as const;
/** Parts of a packed answer of `parsedMail`; `unread` is 1 where the line holds a town that no list has. */
export const mailParts = [...mailColumns, "unread"] as const;

type Mail = {
  line: string | null;
  city: string | null;
  state: string | null;
  zip: string | null;
  unread?: true;
};

/** The end of a mailing line: a state, its ZIP, and the country; the ZIP may be missing behind a comma. */
const lineEnd =
  /^(.*?)[\s,]+([A-Z]{2})[\s,.]*(\d{5}(?:-?\d{4})?)?[\s,]*(?:USA|US|UNITED STATES(?: OF AMERICA)?)?$/;
const longestTown = 4;

/** SQL for mailing lines that may include the city: a line without a city column, or with a city cell that includes the state. */
export function mailSql({fields}: ConformEntry): string {
  const {mail_line1: line, mail_city: city, mail_state: state} = fields;
  if (line === undefined || line.transform !== undefined) return "NULL::VARCHAR";
  const text = textSql({...line, transform: ["join:\n"]});
  if (city === undefined) return text;
  if (state !== undefined) return "NULL::VARCHAR";
  const place = textSql(city);
  return `CASE WHEN regexp_matches(upper(${place}), '[A-Z].*[ ,][A-Z]{2}([ ,]+[0-9-]{5,10})?$') THEN concat_ws(chr(10), ${text}, ${place}) END`;
}

/**
 * Parses a mailing address from its published lines, separated by line feeds: a last line that ends in a state or ZIP becomes city, state
 * and ZIP, and the other lines are joined. A single line is split from its end (`docs/design/parcels.md` section 5.3). Returns packed
 * `mailParts`.
 */
export function parsedMail(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const last = lines.at(-1) ?? "";
  const {line, city, state, zip, unread} = lines.length === 1 ? ofLine(last) : ofLines(lines, last);
  return pack([line, city, state, zip, unread === true ? "1" : null]);
}

function ofLines(lines: readonly string[], last: string): Mail {
  const place = townAndState(last) ?? parseAddress(`, ${last}`);
  const isPlace = place.city !== null && (place.state !== null || place.zip !== null);
  if (!isPlace) return {line: lines.join(", "), city: null, state: null, zip: null};
  const {city, state, zip} = place;
  return {line: lines.slice(0, -1).join(", "), city, state, zip};
}

/** A line of town and state alone, in which NE is Nebraska and no direction; null for another line. */
function townAndState(line: string): {city: string; state: string; zip: null} | null {
  const [, city = "", state = ""] = /^([A-Z][A-Z .'-]+?),? ([A-Z]{2})$/.exec(line.trim().toUpperCase()) ?? [];
  return stateCodes.has(state) ? {city, state, zip: null} : null;
}

/**
 * Splits one line: country, ZIP and state from the right, then the town behind the last comma, else the longest end that is a place of that
 * state. An unknown town stays in the line.
 */
function ofLine(line: string): Mail {
  const unsplitMail: Mail = {line, city: null, state: null, zip: null};
  const [, rest = "", state = "", zip] = lineEnd.exec(line.trim().toUpperCase()) ?? [];
  if (!stateCodes.has(state) || rest === "") return unsplitMail;
  const cut = line.trim().slice(0, rest.length);
  const comma = rest.lastIndexOf(",");
  if (zip === undefined && comma < 0) return unsplitMail;
  const behind = rest.slice(comma + 1).trim();
  const zipCode = zip?.slice(0, 5) ?? null;
  if (
    comma >= 0 &&
    /^[A-Z][A-Z .'-]*$/.test(behind) &&
    (zip !== undefined || placeOf(state, behind) !== null)
  )
    return {line: withoutComma(cut.slice(0, comma)), city: behind, state, zip: zipCode};
  if (zip === undefined) return unsplitMail;
  if (placeOf(state, rest) !== null) return {line: null, city: rest, state, zip: zipCode};
  const words = rest.split(/\s+/);
  // A name as listed goes before a spelling of one: the N of `12 BROADWAY N MIAMI` is the street's.
  for (const isTown of [
    (name: string) => placeOf(state, name) !== null,
    (name: string) => isSpellingOfPlace(state, name),
  ])
    for (let from = Math.max(1, words.length - longestTown); from < words.length; from++) {
      const town = words.slice(from).join(" ");
      if (town.includes(",") || !isTown(town)) continue;
      return {line: withoutComma(cut.split(/\s+/).slice(0, from).join(" ")), city: town, state, zip: zipCode};
    }
  return {line: withoutComma(cut), city: null, state, zip: zipCode, unread: true};
}

function withoutComma(text: string): string {
  return text.replace(/[\s,]+$/, "");
}
