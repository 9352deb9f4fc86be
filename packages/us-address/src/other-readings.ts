import {directionals} from "./directionals.ts";
import {upperPlain} from "./fold-text.ts";
import {readHouseNumber} from "./house-number.ts";
import {lineWords} from "./line-words.ts";
import {readLocalityEnd} from "./locality-end.ts";
import {parseAddress} from "./parse-address.ts";
import type {ScoredAddress} from "./parsed-address.ts";
import {stateNames} from "./state-names.ts";
import {streetName, streetTypes} from "./street-types.ts";
import {longestTown} from "./town-names.ts";
import {mayBeUnit} from "./unit-part.ts";

type IsTown = (name: string) => boolean;

const spelled: Readonly<Record<string, string>> = {N: "NORTH", S: "SOUTH", E: "EAST", W: "WEST"};

/**
 * Alternative readings of an address whose first reading matches nothing: the last word is a type that
 * belongs to the name because the real type was omitted (`744 OAK FOREST`), a directional belongs to the name
 * (`WEST UNION RD`) or is all of it (`31 N AVE`), the end of the name was read as a town, or a range is one
 * hyphenated number.
 */
export function otherReadings(address: ScoredAddress, isTown: IsTown): ScoredAddress[] {
  const {name} = address;
  if (name === null) return [];
  return [
    ...numberWithHyphen(address),
    ...nameWithArticle(address, name),
    ...nameOfPerson(address, name),
    ...countyGrid(address, name),
    ...roadOfState(address, name),
    ...letterOfNumber(address, name),
    ...typeInName(address, name),
    ...directionalInName(address, name),
    ...joinedDirection(address, name),
    ...firstOfTwo(address, name),
    ...trailingUnit(address, name),
    ...wholeNames(address, isTown),
  ];
}

/** Reads a range, or a unit before a number, as one hyphenated number, as in New York City and elsewhere. */
function numberWithHyphen(address: ScoredAddress): ScoredAddress[] {
  const [, low, high] = /^\s*(\d{1,7}) ?- ?(\d{1,7})(?=\s)/.exec(upperPlain(address.raw ?? "")) ?? [];
  const isRead = address.numberHi !== null || (address.number === high && address.unit === low);
  if (low === undefined || !isRead) return [];
  const unit = address.numberHi === null ? null : address.unit;
  return [{...address, number: `${low}-${high}`, numberLo: Number(low), numberHi: null, unit}];
}

/** Adds a missing THE to a name, or removes it: at its start, and behind OF (`AVENUE OF AMERICAS`). */
function nameWithArticle(address: ScoredAddress, name: string): ScoredAddress[] {
  const names = [name.startsWith("THE ") ? name.slice(4) : `THE ${name}`];
  if (name.includes(" OF ")) names.push(name.replace(/ OF (THE )?/, (_, the) => (the ? " OF " : " OF THE ")));
  return names.map((each) => ({...address, name: each, isNameChanged: true}));
}

const kings = ["MARTIN LUTHER KING", "M L KING", "MLK"];
const person = /^(DR )?(.+?)( JR)?$/;

/**
 * Adds or removes DR and JR of a person after whom a street is named: ADAM CLAYTON POWELL, DR MARTIN LUTHER
 * KING JR. The last is also printed by its initials.
 */
function nameOfPerson(address: ScoredAddress, name: string): ScoredAddress[] {
  const [, , own = ""] = person.exec(name) ?? [];
  if (!own.includes(" ") && !kings.includes(own)) return [];
  const plain = kings.includes(own) ? kings : [own];
  const names = plain.flatMap((each) => [each, `${each} JR`, `DR ${each}`, `DR ${each} JR`]);
  return names.flatMap((each) => (each === name ? [] : [{...address, name: each, isNameChanged: true}]));
}

/** Reads `E 400 N` as county road 400, with or without its class. */
function countyGrid(address: ScoredAddress, name: string): ScoredAddress[] {
  const number = /^(?:COUNTY ROAD )?(\d{2,5})$/.exec(name)?.[1];
  if (number === undefined || address.pre === null || address.post === null) return [];
  return [{...address, name: name === number ? `COUNTY ROAD ${number}` : number}];
}

const classesOfState = ["HIGHWAY", "STATE HIGHWAY", "STATE ROUTE", "STATE ROAD"];

/** Reads `NEW MEXICO 14` as that state's highway, of any class name. */
function roadOfState(address: ScoredAddress, name: string): ScoredAddress[] {
  const [, state = "", number = ""] = /^(\D+) (\d{1,4}[A-Z]?)$/.exec(name) ?? [];
  return stateNames.has(state) ? classesOfState.map((each) => ({...address, name: `${each} ${number}`})) : [];
}

/** Reads a letter before the name as part of the house number: 20B of `20 B COURT ST`. */
function letterOfNumber(address: ScoredAddress, name: string): ScoredAddress[] {
  const [, letter = "", rest = ""] = /^([A-Z]) (.+)$/.exec(name) ?? [];
  if (letter === "" || address.numberHi !== null || !/^\d+$/.test(address.number ?? "")) return [];
  return [{...address, number: `${address.number}${letter}`, name: rest}];
}

/**
 * Reads the type as the last word of the name (in `S TERRACE`, as all of it); and reads `120 COURT`, first
 * read as 120th Court, as number 120.
 */
function typeInName(address: ScoredAddress, name: string): ScoredAddress[] {
  const type = streetTypes.get(address.type ?? "");
  if (type === undefined) return [];
  const dir = directionals.get(name);
  if (dir !== undefined && address.pre === null) return [{...address, pre: dir, name: type.full, type: null}];
  if (address.number === null) return numbered(address, name, type.full);
  return [{...address, name: `${name} ${type.full}`, type: null}];
}

function numbered(address: ScoredAddress, ordinal: string, name: string): ScoredAddress[] {
  const number = /^(\d{1,3})(?:ST|ND|RD|TH)$/.exec(ordinal)?.[1];
  if (number === undefined) return [];
  return [{...address, number, numberLo: Number(number), name, type: null, status: "numbered"}];
}

function directionalInName(address: ScoredAddress, name: string): ScoredAddress[] {
  const [before, behind] = [spelled[address.pre ?? ""], spelled[address.post ?? ""]];
  const whole = spelled[name];
  // SOUTH WEST TEMPLE is also the south end of West Temple.
  const [, second] = /\b(?:NORTH|SOUTH) (EAST|WEST) /.exec(upperPlain(address.raw ?? "")) ?? [];
  const first = address.pre?.length === 2 ? address.pre[0]! : null;
  return [
    ...(second === undefined || first === null ? [] : [{...address, pre: first, name: `${second} ${name}`}]),
    ...(whole === undefined ? [] : [{...address, name: whole}]),
    ...(before === undefined ? [] : [{...address, pre: null, name: `${before} ${name}`}]),
    ...(behind === undefined ? [] : [{...address, post: null, name: `${name} ${behind}`}]),
  ];
}

const wordsOfDirections = Object.entries(spelled);

/** Reads a direction and a name as one word, and the reverse: WESTVIEW and WEST VIEW. */
function joinedDirection(address: ScoredAddress, name: string): ScoredAddress[] {
  const before = spelled[address.pre ?? ""];
  if (before !== undefined) return [{...address, pre: null, name: before + name, isNameChanged: true}];
  const [dir, word] =
    wordsOfDirections.find(([, each]) => name.startsWith(each) && name.length > each.length + 2) ?? [];
  if (dir === undefined || word === undefined || name[word.length] === " ") return [];
  return [{...address, pre: dir, name: name.slice(word.length), isNameChanged: true}];
}

/** Reads the first street of a corner (`STATE S & ELM AVE`) whose type was omitted. */
function firstOfTwo(address: ScoredAddress, name: string): ScoredAddress[] {
  const whole = `${spelled[address.pre ?? ""] ?? ""} ${name}`.trim();
  const at = whole.indexOf(" & ");
  if (at < 0) return [];
  const words = whole.slice(0, at).split(" ");
  return splitNames(words).map((parts) => ({...address, ...parts, type: null}));
}

/** Reads the last word of a name without type as a unit (`2406 DANA C`). */
function trailingUnit(address: ScoredAddress, name: string): ScoredAddress[] {
  const words = name.split(" ");
  const unit = words.at(-1)!;
  if (address.type !== null || address.unit !== null || words.length < 2 || !mayBeUnit(unit)) return [];
  return [{...address, name: words.slice(0, -1).join(" "), unit}];
}

/** Reads all words between number and town as the name, with and without the directionals at its ends. */
function wholeNames(address: ScoredAddress, isTown: IsTown): ScoredAddress[] {
  const line = lineWords(address.raw ?? "");
  const {end} = readLocalityEnd(line);
  const from = readHouseNumber(line.words, 0, {end, hyphensOnly: false}).next;
  const comma = line.breaks.indexOf(true, from + 1);
  if (from === 0) return [];
  const isCut = comma > 0 && comma < end;
  // A unit behind the words of the name, or given beside the line, is still the unit.
  const read = parseAddress(line.words.slice(0, isCut ? comma : end).join(" "));
  const isInName = read.unit !== null || read.unitType !== null;
  const unit = isInName ? {unit: null, unitType: null} : {};
  if (isCut) {
    return splitNames(line.words.slice(from, comma)).map((parts) => ({
      ...address,
      ...unit,
      ...parts,
      type: null,
    }));
  }
  return townTails(line.words.slice(from, end), isTown).flatMap(({street, city}) =>
    splitNames(street).map((parts) => ({...address, ...unit, ...parts, type: null, city})),
  );
}

/** Splits the words into street and town: once without a town, and once for each known town at the end. */
function townTails(
  words: readonly string[],
  isTown: IsTown,
): {street: readonly string[]; city: string | null}[] {
  const found: {street: readonly string[]; city: string | null}[] = [{street: words, city: null}];
  for (let from = Math.max(1, words.length - longestTown); from < words.length; from++) {
    const city = words.slice(from).join(" ");
    if (isTown(city)) found.push({street: words.slice(0, from), city});
  }
  return found;
}

/** Reads the words as a name, with the directionals at its ends kept in the name or split off. */
function splitNames(words: readonly string[]): Pick<ScoredAddress, "pre" | "name" | "post">[] {
  const pre = words.length > 1 ? directionals.get(words[0]!) : undefined;
  const post = words.length > 1 ? directionals.get(words.at(-1)!) : undefined;
  const found: Pick<ScoredAddress, "pre" | "name" | "post">[] = [];
  for (const before of pre === undefined ? [null] : [null, pre]) {
    for (const behind of post === undefined ? [null] : [null, post]) {
      const name = words.slice(before === null ? 0 : 1, behind === null ? words.length : -1);
      if (name.length === 0) continue;
      found.push({pre: before, name: streetName(name, {beforeType: false, afterNumber: true}), post: behind});
    }
  }
  return found;
}
