import {
  directionals,
  longestTown,
  parseAddress,
  stateCodes,
  stateNames,
  stateOfZip,
  streetTypes,
} from "@open-cattle/us-address";
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

const country = String.raw`U\.?S\.?(?:A\.?)?|UNITED STATES(?: OF AMERICA)?`;
const countryLine = new RegExp(`^(?:${country}|CANADA)$`, "i");
const countryEnd = new RegExp(`(?<=[\\s,])(?:${country})$`, "i");
const namedState = new RegExp(
  `(?<=[\\s,])(${[...stateNames.keys()].join("|")}|[A-Z]\\. ?[A-Z]\\.)[\\s,.]+(\\d{5})$`,
  "i",
);
/** The end of a mailing line: a state and its ZIP, which may be missing behind a comma. */
const lineEnd = /^(.*?)[\s,]+([A-Z]{2})[\s,.]*(\d{5})?$/;
/** Codes that the armed forces use in place of a state; their towns are APO, DPO and FPO. */
const militaryStates: ReadonlySet<string> = new Set(["AA", "AE", "AP"]);
const militaryTown = /^[ADF]PO$/;

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
 * Parses a mailing address from its published lines, separated by line feeds: the last line but for a country, or the one before it, that
 * ends in a state or ZIP becomes city, state and ZIP, and the other lines are joined. A line with more than those is split from its end
 * (`docs/design/parcels.md` section 5.3). Returns packed `mailParts`.
 */
export function parsedMail(text: string): string {
  const printed = text.split("\n").filter((line) => line.trim() !== "");
  const hasCountry = printed.length > 1 && countryLine.test(printed.at(-1)!.trim());
  const lines = hasCountry ? printed.slice(0, -1) : printed;
  const mail = lines.length === 1 ? ofLine(lines[0]!) : ofLines(lines);
  const isSplit = mail.city !== null || mail.state !== null || mail.zip !== null;
  const {line, city, state, zip, unread} = isSplit ? mail : {...mail, line: printed.join(", ")};
  return pack([line, city, state, zip, unread === true ? "1" : null]);
}

function ofLines(lines: readonly string[]): Mail {
  for (let at = lines.length - 1; at >= 0 && at >= lines.length - 2; at--) {
    const place = placeLine(lines[at]!);
    if (place === null) continue;
    // What stands below a town may be a country: BERLIN, DE 10115 is not in Delaware.
    if (at < lines.length - 1 && (place.zip === null || stateOfZip(place.zip) !== place.state)) continue;
    const others = lines.with(at, place.line ?? "").filter((line) => line !== "");
    return {...place, line: others.join(", ")};
  }
  return unsplit(lines.join(", "));
}

/** A line that ends in a place; null for another one. */
function placeLine(line: string): Mail | null {
  const text = plainEnd(line);
  if (/\d.*[A-Z]{2}/i.test(text)) {
    const mail = ofLine(text);
    return mail.state === null ? withoutZip(text) : mail;
  }
  const {city, state, zip} = townAndState(text) ?? parseAddress(`, ${text}`);
  return city !== null && (state !== null || zip !== null) ? {line: null, city, state, zip} : null;
}

/**
 * A line that ends in a town and its state, without a ZIP; null for another line. A state whose code may also end a street (`12 SALEM CT`,
 * `5 MAIN ST NE`) is none without its ZIP.
 */
function withoutZip(line: string): Mail | null {
  const [, rest = "", state = "", zip] = lineEnd.exec(line.toUpperCase()) ?? [];
  if (zip !== undefined || !stateCodes.has(state) || directionals.has(state) || streetTypes.has(state))
    return null;
  const words = rest.split(/\s+/);
  const from = townAt(state, words, [isPlace]);
  if (from === null) return null;
  const before = line.slice(0, rest.length).split(/\s+/).slice(0, from).join(" ");
  return {line: withoutComma(before), city: words.slice(from).join(" "), state, zip: null};
}

/** A line of town and state alone, in which NE is Nebraska and no direction, or of a military post office; null for another line. */
function townAndState(line: string): {city: string; state: string; zip: string | null} | null {
  const [, city = "", state = "", zip = null] =
    /^([A-Z][A-Z .'-]+?),? ([A-Z]{2})(?:,? (\d{5}))?$/.exec(line.toUpperCase()) ?? [];
  const isMilitary = militaryStates.has(state) && militaryTown.test(city);
  return isMilitary || (zip === null && stateCodes.has(state)) ? {city, state, zip} : null;
}

/** A mailing address that stays one line; a ZIP in it is unread. */
function unsplit(line: string): Mail {
  const hasZip = parseAddress(`, ${line}`).zip !== null;
  return {line, city: null, state: null, zip: null, ...(hasZip ? {unread: true} : {})};
}

/**
 * Splits one line: ZIP and state from the right, then the town behind the last comma, else the longest end that is a place of that
 * state. An unknown town stays in the line.
 */
function ofLine(line: string): Mail {
  const text = plainEnd(line);
  const [, rest = "", state = "", zip] = lineEnd.exec(text.toUpperCase()) ?? [];
  if ((!stateCodes.has(state) && !militaryStates.has(state)) || rest === "") return unsplit(line);
  const cut = text.slice(0, rest.length);
  const comma = rest.lastIndexOf(",");
  if (zip === undefined && comma < 0) return unsplit(line);
  const behind = rest.slice(comma + 1).trim();
  const zipCode = zip ?? null;
  if (comma >= 0 && /^[A-Z][A-Z .'-]*$/.test(behind) && (zip !== undefined || isPlace(state, behind)))
    return {line: withoutComma(cut.slice(0, comma)), city: behind, state, zip: zipCode};
  if (zip === undefined) return unsplit(line);
  if (isPlace(state, rest)) return {line: null, city: rest, state, zip: zipCode};
  const words = rest.split(/\s+/);
  const from = townAt(state, words);
  if (from === null) return {line: withoutComma(cut), city: null, state, zip: zipCode, unread: true};
  const town = words.slice(from).join(" ");
  return {line: withoutComma(cut.split(/\s+/).slice(0, from).join(" ")), city: town, state, zip: zipCode};
}

/** A line without country, with five digits of its ZIP, and the code of its state where that is printed as a name or with dots. */
function plainEnd(line: string): string {
  return withoutComma(line.trim().replace(countryEnd, ""))
    .replace(/(\d{5})(?:[- ]?\d{4}|-)$/, "$1")
    .replace(namedState, (printed, name: string, zip: string, at: number, whole: string) => {
      const state = stateNames.get(name.toUpperCase()) ?? name.toUpperCase().replace(/[. ]/g, "");
      if (stateOfZip(zip) !== state) return printed;
      // New York is a state and its town; without another town it is both.
      const before = withoutComma(whole.slice(0, at)).toUpperCase().split(/\s+/);
      return `${isPlace(state, name) && townAt(state, before) === null ? `${name} ` : ""}${state} ${zip}`;
    });
}

function isPlace(state: string, name: string): boolean {
  return militaryStates.has(state) ? militaryTown.test(name) : placeOf(state, name) !== null;
}

/** The first of the words that end a line in a town of the state, which are as many as can be; null without one. */
function townAt(
  state: string,
  words: readonly string[],
  // A name as listed goes before a spelling of one: the N of `12 BROADWAY N MIAMI` is the street's.
  kinds = [isPlace, isSpellingOfPlace],
): number | null {
  for (const isTown of kinds)
    for (let from = Math.max(1, words.length - longestTown); from < words.length; from++) {
      const town = words.slice(from).join(" ");
      if (!town.includes(",") && isTown(state, town)) return from;
    }
  return null;
}

function withoutComma(text: string): string {
  return text.replace(/[\s,]+$/, "");
}
