import {parseAddress, streetColumns} from "@open-cattle/us-address";
import type {ColumnClaims} from "./column-claims.ts";
import {looksLikeOwnerAddress} from "./column-fits.ts";
import type {FieldSpec} from "./field-proposal.ts";
import {type Mail, mailFields, namedMail} from "./propose-mail.ts";
import {
  landSpec,
  lineByItsCells,
  numberCalledAddress,
  partsBesideName,
  placeInLines,
  streetWithoutNumber,
} from "./propose-parts.ts";

type Fields = Record<string, FieldSpec>;
type BlockRole = (typeof blockRoles)[number];
/** Adjacent columns whose names do not tell whose address they are (`Address`, `City`, `Zip`). */
type Block = {readonly roles: ReadonlyMap<BlockRole, string>; readonly at: number};

const blockRoles = ["line1", "line2", "line3", "city", "state", "zip", "citystate"] as const;
/**
 * If a larger share of cells can only belong to an owner's address, the block is the owner's: the limit in a
 * table with owners, and in one without.
 */
const signLimitWithOwners = 0.005;
const signLimitWithoutOwners = 0.1;

/**
 * Proposes the address of the land (situs) and that of the owner. Unlabelled columns are the land's only when
 * the table has no other situs address and nothing in the block points to an owner, such as a state column in
 * a table with owners, a PO box, or a state or ZIP elsewhere. Otherwise they are the owner's, or unused when
 * the owner already has an address.
 */
export function proposedAddresses(claims: ColumnClaims): Fields {
  const land: Fields = {};
  const mail = namedMail(claims);
  claims.take("situs_state");
  for (const role of ["situs_raw", ...streetColumns, "city", "zip"]) {
    const from = role === "situs_raw" ? takeFullestLine(claims) : claims.take(role);
    if (from !== null) land[role] = landSpec(role, from);
  }
  lineByItsCells(land, claims);
  numberCalledAddress(land, claims);
  partsBesideName(land, claims);
  placeInLines(land, claims);
  for (const block of blocks(claims, land)) placeBlock(block, {land, mail, claims});
  streetWithoutNumber(land, claims);
  dropMismatchedParts(land, claims);
  dropCopiesOfMail(land, mail, claims);
  return {...land, ...(repeatsSitus(land, mail, claims) ? {} : mailFields(mail, claims))};
}

/** Claims the line of the land's address: of several the one with most house numbers and towns, of equal ones the best by its name. */
function takeFullestLine(claims: ColumnClaims): string | null {
  const candidates = claims.unclaimed("situs_raw");
  const lines = candidates.map((name) => ({name, parts: partsIn(claims.values(name).filled, claims.state)}));
  const names = lines.sort((a, b) => b.parts - a.parts).map(({name}) => name);
  const [first = null] = names;
  if (first !== null) claims.claim(first);
  if (names.length > 1) claims.recordChoice("situs_raw", names);
  return first;
}

/** The house numbers and towns in the cells of a column. */
function partsIn(cells: readonly string[], state: string | undefined): number {
  return cells
    .map((cell) => parseAddress(cell, {state: state ?? null}))
    .reduce((sum, {number, city, zip}) => sum + Number(number !== null) + Number((city ?? zip) !== null), 0);
}

/**
 * Above this share of equal rows, the owner's address is really the land's, because in every county some
 * owners live elsewhere.
 */
const nearlyAll = 0.97;

/** True when the first mail line equals the situs line in nearly every row; one that goes on with town and ZIP is mail. */
function repeatsSitus(land: Fields, mail: Mail, claims: ColumnClaims): boolean {
  const [line, first] = [land.situs_raw?.from, mail.lines[0]];
  if (typeof line !== "string" || first === undefined) return false;
  const pairs = pairsOf(line, first, claims);
  const isLonger = pairs.filter(([own, other]) => other.length >= own.length + shortestPlace);
  return areNearlyAllSame(pairs) && isLonger.length < pairs.length / 2;
}

/** A town or a ZIP behind a line has at least as many letters and digits. */
const shortestPlace = 5;

/** Drops the city or ZIP of the land where it is only a second copy of the owner's, with all the places where owners live. */
function dropCopiesOfMail(land: Fields, mail: Mail, claims: ColumnClaims): void {
  for (const role of ["city", "zip"] as const) {
    const [own, other] = [land[role]?.from, mail[role]];
    if (typeof own !== "string" || other === null) continue;
    const pairs = pairsOf(own, other, claims);
    const places = new Set(pairs.map(([place]) => place));
    if (places.size > 1 && areNearlyAllSame(pairs)) delete land[role];
  }
}

/** The cells of two columns in the rows in which both are filled, without case and punctuation. */
function pairsOf(own: string, other: string, claims: ColumnClaims): (readonly [string, string])[] {
  const folded = (cell: string) => cell.toUpperCase().replace(/[^A-Z0-9]/g, "");
  const others = claims.values(other).cells.map(folded);
  return claims
    .values(own)
    .cells.flatMap((cell, i) => (cell !== "" && others[i] ? [[folded(cell), others[i]] as const] : []));
}

function areNearlyAllSame(pairs: readonly (readonly [string, string])[]): boolean {
  const same = pairs.filter(([own, other]) => other.startsWith(own) || own.startsWith(other));
  return pairs.length >= 20 && same.length >= pairs.length * nearlyAll;
}

/** The role of each unclaimed block column; a numbered twin (`CITY_2`) has the role of its original. */
function blockRoleOf(claims: ColumnClaims): ReadonlyMap<string, BlockRole> {
  const roles = new Map<string, BlockRole>();
  for (const role of blockRoles)
    for (const name of claims.unclaimed(`any_${role}`)) if (!roles.has(name)) roles.set(name, role);
  const twins = claims.names.flatMap((name) => {
    const role = roles.get(name.replace(/_[1-9]$/, ""));
    return role === undefined || !/_[1-9]$/.test(name) || claims.isTaken(name) ? [] : [{name, role}];
  });
  if (twins.some(({role}) => role === "city" || role === "zip"))
    for (const {name, role} of twins) roles.set(name, role);
  return roles;
}

/** The blocks in table order; a role that repeats starts a new block. */
function blocks(claims: ColumnClaims, land: Fields): Block[] {
  const roleOf = blockRoleOf(claims);
  const blocks: {roles: Map<BlockRole, string>; at: number; last: number}[] = [];
  for (const [at, name] of claims.names.entries()) {
    const role = roleOf.get(name);
    if (role === undefined) continue;
    const open = blocks.at(-1);
    const isNext = land.situs_name !== undefined && open !== undefined && isBack(role, at, open);
    if (open === undefined || open.roles.has(role) || isNext)
      blocks.push({roles: new Map([[role, name]]), at, last: at});
    else {
      open.roles.set(role, name);
      open.last = at;
    }
  }
  return blocks;
}

/** True for a first line that stands away behind a city or ZIP: beside the parts of the land's address it begins one of its own. */
function isBack(role: BlockRole, at: number, {roles, last}: {roles: Map<BlockRole, string>; last: number}) {
  return role === "line1" && at - last > 2 && (roles.has("city") || roles.has("zip"));
}

type Addresses = {readonly land: Fields; readonly mail: Mail; readonly claims: ColumnClaims};

function placeBlock(block: Block, addresses: Addresses): void {
  const {land, mail, claims} = addresses;
  const hasLine = block.roles.has("line1");
  const landIsWhole = hasLine
    ? land.situs_raw !== undefined || land.situs_name !== undefined
    : (["city", "zip"] as const).every((role) => !block.roles.has(role) || land[role] !== undefined);
  const mailIsWhole = hasLine
    ? mail.lines.length > 0
    : mail.city !== null || mail.cityState !== null || mail.zip !== null;
  const hasOwner = mail.lines.length > 0 || ownerColumns(claims).length > 0;
  const ofMail = hasLine && (block.roles.has("line2") || block.roles.has("state"));
  const signs = hasOwnerSigns(
    block,
    claims,
    (hasOwner || ofMail) && !mailIsWhole ? signLimitWithOwners : signLimitWithoutOwners,
  );
  const isPlain = !hasOwner && !block.roles.has("line2");
  const isSitus = !signs && (mailIsWhole || isPlain || looksLikeSitus(block, addresses));
  const completes = !landIsWhole || (!hasOwner && !ofMail && land.situs_raw === undefined);
  if (isSitus && completes) addLand(block, land, claims);
  else if (isSitus && mailIsWhole && hasLine) addPlace(block, land, claims);
  else if (!mailIsWhole && (hasOwner || signs || (landIsWhole && ofMail))) addMail(block, mail, claims);
}

function hasOwnerSigns({roles}: Block, claims: ColumnClaims, maxShare: number): boolean {
  return [...roles.values()].some((name) =>
    looksLikeOwnerAddress(claims.values(name), claims.state, maxShare),
  );
}

/**
 * Decides whether a block without signs of an owner, in a table with owners, is the land's. A city and ZIP
 * alone are when they follow the situs address; a block with an address line is when enough cells are known,
 * or else when it has no state column, as an owner's block would.
 */
function looksLikeSitus(block: Block, {land, mail, claims}: Addresses): boolean {
  const {roles} = block;
  if (!roles.has("line1")) return followsSitus(block, land, mail, claims);
  if ([...roles.values()].some((name) => claims.values(name).filled.length >= 100)) return true;
  return !roles.has("state") && !roles.has("line2") && !roles.has("citystate");
}

function ownerColumns(claims: ColumnClaims): string[] {
  return [
    ...claims.unclaimed("owner_raw"),
    ...claims.unclaimed("taxpayer"),
    ...claims.unclaimed("owner_second"),
  ];
}

/** True when the nearest address or owner column before the block is the land's. */
function followsSitus(block: Block, land: Fields, mail: Mail, claims: ColumnClaims): boolean {
  const before = claims.names.slice(0, block.at);
  const last = (names: readonly string[]) => Math.max(-1, ...names.map((name) => before.lastIndexOf(name)));
  const ofLand = ["situs_raw", ...streetColumns].flatMap((role) => land[role]?.from ?? []);
  return last(ofLand) > last([...mail.lines, ...ownerColumns(claims)]);
}

function addMail({roles}: Block, mail: Mail, claims: ColumnClaims): void {
  const lines = (["line1", "line2", "line3"] as const).flatMap((role) => roles.get(role) ?? []);
  if (mail.lines.length === 0)
    mail.lines.push(
      ...lines,
      ...(lines.length > 0 ? [claims.take("mail_box")] : []).flatMap((box) => box ?? []),
    );
  mail.city ??= roles.get("city") ?? null;
  mail.state ??= roles.get("state") ?? null;
  mail.zip ??= roles.get("zip") ?? null;
  mail.cityState ??= roles.get("citystate") ?? null;
  claims.claim(...roles.values());
}

function addLand({roles}: Block, land: Fields, claims: ColumnClaims): void {
  const parts = {situs_raw: roles.get("line1"), city: roles.get("city"), zip: roles.get("zip")};
  for (const [role, from] of Object.entries(parts)) {
    if (from === undefined || land[role] !== undefined) continue;
    land[role] = landSpec(role, from);
    claims.claim(from);
  }
  const state = roles.get("state");
  if (state !== undefined) claims.claim(state);
  const place = roles.get("citystate");
  const line = roles.get("line1");
  const isOfLand = line !== undefined && land.situs_raw?.from === line && land.city === undefined;
  if (place === undefined || !isOfLand) return;
  // City, state and ZIP share one column next to the line.
  land.situs_raw = {from: [line, place], transform: ["join:, "]};
  claims.claim(place);
}

/** Gives city and ZIP of the block to the land, whose line or parts it has again. */
function addPlace({roles}: Block, land: Fields, claims: ColumnClaims): void {
  const places = [...roles].filter(([role]) => role === "city" || role === "zip");
  addLand({roles: new Map(places), at: 0}, land, claims);
}

/**
 * Drops the address parts when their house numbers differ from those of the line: they belong to another
 * address.
 */
function dropMismatchedParts(land: Fields, claims: ColumnClaims): void {
  const line = land.situs_raw?.from;
  const number = land.situs_number?.from;
  if (typeof line !== "string" || typeof number !== "string") return;
  const numbers = claims.values(number).cells;
  const pairs = claims
    .values(line)
    .cells.map((cell, i) => [cell, (numbers[i] ?? "").replace(/\.0+$/, "")] as const);
  const both = pairs.filter(([cell, part]) => /^\d/.test(cell) && /^[1-9]/.test(part));
  const same = both.filter(
    ([cell, part]) => cell.startsWith(part.replace(/^0+/, "")) || cell.startsWith(part),
  );
  if (both.length >= 20 && same.length < both.length * 0.6)
    for (const role of streetColumns) delete land[role];
}
