import type {ColumnClaims} from "./column-claims.ts";
import type {FieldSpec} from "./field-proposal.ts";

type Fields = Record<string, FieldSpec>;

const mailLines = ["mail_line1", "mail_line2", "mail_line3", "mail_line4", "mail_line5"];

/** Mail columns by content. */
export type Mail = {
  lines: string[];
  /** True where the lines are the parts of one. */
  isParted?: boolean;
  city: string | null;
  state: string | null;
  zip: string | null;
  cityState: string | null;
};

export function namedMail(claims: ColumnClaims): Mail {
  const hasLine = claims.unclaimed("mail_line1").length > 0;
  const parts = hasLine ? null : mailParted(claims);
  const ofOwner = claims.unclaimed("mail_line1").find((name) => family(name) === "owner");
  const take = (role: string) => takeMail(role, claims, ofOwner);
  const lines = parts ?? mailLines.flatMap((role) => take(role) ?? []);
  if (parts === null && !isStreetAgain(lines[0], claims))
    lines.push(...[claims.take("mail_street") ?? []].flat());
  const whole = claims.take("mail_full");
  lines.push(...truncatedSiblings(lines, claims));
  const box = lines.length > 0 ? claims.take("mail_box") : null;
  return {
    ...(parts === null ? {} : {isParted: true}),
    lines: lines.length === 0 && whole !== null ? [whole] : [...lines, ...(box === null ? [] : [box])],
    city: take("mail_city"),
    state: take("mail_state"),
    zip: take("mail_zip"),
    cityState: take("mail_citystate"),
  };
}

/** Whose address a column of mail is: the owner's, or that of whoever gets the bill. */
function family(name: string): "owner" | "payer" | "mail" {
  if (/^OWN/i.test(name)) return "owner";
  return /^(?:BILL|REMIT|TAX|TP)/i.test(name) ? "payer" : "mail";
}

/** Takes a column of mail; beside an owner's line never one of whoever gets the bill. */
function takeMail(role: string, claims: ColumnClaims, ofOwner: string | undefined): string | null {
  if (ofOwner === undefined) return claims.take(role);
  const [found = null] = claims
    .unclaimed(role)
    .filter((name) => family(name) !== "payer")
    .toSorted((a, b) => Number(family(b) === "owner") - Number(family(a) === "owner"));
  if (found !== null) claims.claim(found);
  return found;
}

/** True where a mailing street has a line beside it in most rows: it is a part of that line. */
function isStreetAgain(line: string | undefined, claims: ColumnClaims): boolean {
  const [street] = claims.unclaimed("mail_street");
  if (line === undefined || street === undefined) return false;
  const lines = claims.values(line).cells;
  const {cells, filled} = claims.values(street);
  if (!claims.values(line).known) return false;
  return cells.filter((cell, i) => cell !== "" && lines[i] !== "").length >= filled.length * 0.5;
}

/**
 * The further lines whose names a DBF derived from the first one's truncated name: OWNER_AD_1 and OWNER_AD_2
 * after OWNER_ADDR.
 */
function truncatedSiblings([only, ...others]: readonly string[], claims: ColumnClaims): string[] {
  if (only === undefined || others.length > 0 || only.length !== 10) return [];
  const names = [1, 2, 3].map((n) => `${only.slice(0, 8)}_${n}`);
  const found = names.filter((name) => claims.names.includes(name) && !claims.isTaken(name));
  claims.claim(...found);
  return found;
}

const mailParts = ["mail_number", "mail_pre", "mail_name", "mail_type", "mail_post", "mail_unit"];

/** The owner's address in parts, in the order of a line; null where a table has none, or has a line. */
function mailParted(claims: ColumnClaims): string[] | null {
  if (claims.unclaimed("mail_number").length === 0 || claims.unclaimed("mail_name").length === 0) return null;
  return mailParts.flatMap((role) => claims.take(role) ?? []);
}

/**
 * The specs of the owner's address. Lines are joined when there is a city column; otherwise the last line
 * holds the city and is parsed later.
 */
export function mailFields(
  {lines, isParted, city, state, zip: code, cityState}: Mail,
  claims: ColumnClaims,
): Fields {
  const cityHoldsAll =
    city !== null && claims.values(city).share((cell) => /[A-Z]{2}\.? +\d{5}/i.test(cell)) >= 0.5;
  const ownCity = cityHoldsAll ? null : city;
  const last = cityHoldsAll ? city : ownCity === null ? cityState : null;
  const all = [...lines, ...(last === null ? [] : [last])];
  const joiner = isParted ? "join" : "join:, ";
  const joined = all.length > 1 && ownCity !== null ? {transform: [joiner]} : {};
  return {
    ...(all.length === 0 ? {} : {mail_line1: {from: all.length === 1 ? all[0]! : all, ...joined}}),
    ...(ownCity === null ? {} : {mail_city: {from: ownCity}}),
    ...(state === null ? {} : {mail_state: {from: state}}),
    ...(code === null ? {} : {mail_zip: {from: code}}),
  };
}
