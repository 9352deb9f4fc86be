import {foldText} from "./fold-text.ts";
import {lineWords} from "./line-words.ts";
import type {ParsedAddress} from "./parsed-address.ts";
import {standaloneUnits, unitAt, unitDesignators} from "./unit-part.ts";

/** A unit as an address stores it: one part with its designator, or several parts in the text of the unit. */
export type Unit = Pick<ParsedAddress, "unitType" | "unit">;

/** A part of a unit: its kind, the designator as printed, and its values, joined by `&`; empty for a part such as REAR. */
export type PartOfUnit = {readonly kind: string; readonly designator: string | null; readonly value: string};

/** Kinds of parts in the order in which they are written; every other designator with a value is a UNIT. */
const order = ["BLDG", "TOWER", "FL", "LOT", "SPC", "UNIT"];
/** Kinds that hold units. */
const outer: ReadonlySet<string> = new Set(["BLDG", "TOWER", "FL"]);
/** Kinds of which a unit of a single part is not meant by another kind's value: building 3 is not unit 3. */
const coarse: ReadonlySet<string> = new Set([...outer, "LOT", "SPC"]);
const longestSpan = 100;
/** A part with its value, in a unit of several parts: its kind, and the value in a group. */
export const valuedPart = new RegExp(`(?:${order.join("|")}) (\\S+)`);
const onePart = `(?:${valuedPart.source}|[A-Z]{4,5})`;
/** A unit of several parts, as `unit` holds it: `BLDG 3 UNIT 12`, `BLDG 3 REAR`. */
export const severalParts = new RegExp(`^${onePart}(?: ${onePart})+$`);

/** The parts of a unit, in their order. */
export function partsOfUnit({unitType, unit}: Unit): PartOfUnit[] {
  if (unit === null && unitType === null) return [];
  if (unitType !== null || unit === null || !severalParts.test(unit)) return [partOf(unitType, unit)];
  const words = unit.split(" ");
  const parts: PartOfUnit[] = [];
  for (let at = 0; at < words.length; ) {
    const isPair = order.includes(words[at]!) && at + 1 < words.length;
    parts.push(isPair ? partOf(words[at]!, words[at + 1]!) : partOf(words[at]!, null));
    at += isPair ? 2 : 1;
  }
  return parts;
}

function partOf(designator: string | null, unit: string | null): PartOfUnit {
  const value = valuesIn(unit ?? "")
    .map(foldedValue)
    .join("&");
  // A source may have FRONT in its unit column, where a line has it as a designator.
  const alone = standaloneUnits.get(value) ?? (order.includes(value) ? value : undefined);
  if (alone !== undefined && designator === null) return {kind: alone, designator: alone, value: ""};
  const standard = designator === null ? null : (unitDesignators.get(designator) ?? designator);
  if (value === "") return {kind: standard ?? "UNIT", designator, value};
  const kind = standard !== null && order.includes(standard) ? standard : "UNIT";
  return {kind, designator, value};
}

/** The values of `1 & 2` or `1 TO 4`; letters between two are not known. */
function valuesIn(text: string): string[] {
  const [, low = "", high = ""] = /^(\d{1,5}) TO (\d{1,5})$/.exec(text) ?? [];
  const span = low === "" ? 0 : Number(high) - Number(low);
  if (span > 0 && span <= longestSpan) return Array.from({length: span + 1}, (_, i) => `${Number(low) + i}`);
  return text.split(/&| TO /);
}

function foldedValue(text: string): string {
  // A slash or a hyphen between digits is no sign that says nothing: neither unit 1/2 nor unit 1-2 is unit 12.
  const value = foldText(text.replace(/(?<=\d)[/-](?=\d)/g, "OF")).replaceAll(" ", "");
  return value.replace(/^0+(?=.)/, "");
}

/** Joins a further part to a unit; null where both have a part of one kind. */
export function joinedUnit(before: Unit, next: Unit): Unit | null {
  const parts = [...partsOfUnit(before), ...partsOfUnit(next)];
  if (new Set(parts.map(({kind}) => kind)).size < parts.length) return null;
  const rank = ({kind}: PartOfUnit) => (order.includes(kind) ? order.indexOf(kind) : order.length);
  const text = parts
    .sort((a, b) => rank(a) - rank(b))
    .map(({kind, value}) => (value === "" ? kind : `${kind} ${value}`));
  return {unitType: null, unit: text.join(" ")};
}

/** The values of a unit without their designators: `3 12` for `BLDG 3 UNIT 12`. */
export function strippedUnit(unit: Unit): string | null {
  const parts = partsOfUnit(unit);
  if (parts.length < 2) return unit.unit;
  return parts.map(({kind, value}) => (value === "" ? kind : value)).join(" ");
}

/**
 * The unit of a question that gives it beside the line: with its words (`APT 2B`), or the values without them (`24`, `3 12`). It is joined to
 * a building or floor of the line; null where the two contradict each other.
 */
export function unitBeside(text: string, line: Unit): Unit | null {
  const given = unitAlone(text);
  if (line.unit === null && !standaloneUnits.has(line.unitType ?? ""))
    return given.unitType === null ? {...given, unitType: line.unitType} : given;
  const compared = compareUnits({unitType: null, unit: strippedUnit(given) ?? given.unitType}, line);
  if (compared === "equal" || compared === "row") return line;
  const holdsUnits = partsOfUnit(line).every(({kind, value}) => value === "" || outer.has(kind));
  return holdsUnits ? joinedUnit(line, given) : null;
}

/** A unit with all its words, or the whole text as its value. */
function unitAlone(text: string): Unit {
  const {words, breaks} = lineWords(text);
  let unit: Unit | null = {unitType: null, unit: null};
  for (let at = 0; at < words.length && unit !== null; ) {
    const next = unitAt(words, at, {end: words.length, breaks});
    unit = next === null ? null : at === 0 ? next : joinedUnit(unit, next);
    at = next?.next ?? words.length;
  }
  return unit === null || (unit.unit === null && unit.unitType === null)
    ? {unitType: null, unit: text.toUpperCase()}
    : {unitType: unit.unitType, unit: unit.unit};
}

type Comparison = "equal" | "query" | "row" | "other";

/** How two units compare: equal, a part or value of the first or of the second only, or another unit. */
export function compareUnits(query: Unit, row: Unit): Comparison {
  const [asked, printed] = [partsOfUnit(query), partsOfUnit(row)];
  const [a, b] = [asked[0], printed.at(-1)];
  if (a !== undefined && b !== undefined && asked.length === 1) {
    if (printed.length > 1 && foldText(query.unit ?? "") === strippedUnit(row)) return "equal";
    const isOneKind = a.kind === b.kind || !(coarse.has(a.kind) || coarse.has(b.kind));
    const isWordless = isBare(a) ? b.value !== "" : isBare(b) && !outer.has(a.kind);
    if (isWordless || (isOneKind && printed.length === 1)) {
      if (a.value === "" && a.kind !== b.kind) return "other";
      const compared = compareValues(a.value, b.value);
      if (compared !== "equal") return compared;
      return printed.length > 1 || (!isOneKind && coarse.has(b.kind)) ? "row" : isOneKind ? "equal" : "query";
    }
  }
  const values = new Map(printed.map(({kind, value}) => [kind, value]));
  const found = asked.map(({kind, value}) => {
    const there = values.get(kind);
    return there === undefined ? "query" : compareValues(value, there);
  });
  const worst = (["other", "query", "row"] as const).find((each) => found.includes(each));
  return worst ?? (asked.length < printed.length ? "row" : "equal");
}

/** True for a value without a word, whose kind is therefore not known. */
function isBare({designator, value}: PartOfUnit): boolean {
  return designator === null && value !== "";
}

function compareValues(asked: string, printed: string): Comparison {
  if (asked === printed) return "equal";
  const [a, b] = [asked.split("&"), printed.split("&")];
  if (a.every((value) => b.includes(value))) return "row";
  return b.every((value) => a.includes(value)) ? "query" : "other";
}
