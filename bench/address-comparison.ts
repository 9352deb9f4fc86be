import {
  cardinalWords,
  directionals,
  foldText,
  ordinalWords,
  parseAddress,
  stateCodes,
  stateNames,
  streetTypes,
} from "@open-cattle/us-address";
import type {LabelledAddress} from "./labelled-addresses.ts";

/** House number and street (with directionals and type) that a parser read from a line. */
export type Reading = {readonly number: string; readonly street: string};

/** Number and street as this project's parser reads them. */
export function readOwn(line: string): Reading {
  const {number, numberHi, fraction, pre, name, type, post} = parseAddress(line);
  const whole = `${number ?? ""}${numberHi === null ? "" : `-${numberHi}`} ${fraction ?? ""}`;
  return {number: whole, street: [pre, name, type, post].filter((part) => part !== null).join(" ")};
}

/** True if number and street match the label, apart from spelling. */
export function isRight({number, street}: LabelledAddress, read: Reading): boolean {
  const wanted = comparableNumber(number);
  const found = comparableNumber(read.number);
  // The second number of a range may be abbreviated: 3700-08 means 3700-3708.
  const short = /^(\d+)-(\d+)$/.exec(number);
  const whole = short === null ? null : short[1] + short[1]!.slice(0, -short[2]!.length) + short[2];
  return (found === wanted || found === whole) && comparable(read.street) === comparable(street);
}

const classWords: Readonly<Record<string, string>> = {
  CR: "COUNTY RD",
  CO: "COUNTY",
  CNTY: "COUNTY",
  SR: "STATE RTE",
  SH: "STATE HWY",
  IH: "INTERSTATE",
  I: "INTERSTATE",
  RR: "RANCH RD",
  BUSINESS: "BUS",
  BSNSS: "BUS",
  SAINT: "ST",
  MOUNT: "MT",
  FORT: "FT",
  ...Object.fromEntries([...ordinalWords].map(([word, digits]) => [word, digits.replace(/\D+$/, "")])),
};

/** Normalises a street so that all its spellings are equal, whichever parser read it. */
function comparable(street: string): string {
  const folded = foldText(street)
    .replace(/\bU S\b/, "US")
    .replace(/\bC R\b/, "CR")
    .replace(/\bNO (?=\d)/, "")
    .replace(/\b([SN]) ([EW])\b/, "$1$2")
    .replace(/\bST (?=HWY|HIGHWAY|RTE|RT|ROUTE)/, "STATE ")
    .replace(/\bFARM TO MARKET( RD| ROAD)?\b/, "FM");
  return folded
    .split(" ")
    .map((word) => word.replace(/^(\d+)(?:ST|ND|RD|TH)$/, "$1"))
    .map((word) => classWords[word] ?? directionals.get(word) ?? streetTypes.get(word)?.short ?? word)
    .join(" ")
    .replace(/\bBUS (?:HWY )?(\d+)\b/, "HWY $1 BUS")
    .replace(/^([A-Z]) (\d+)$/, "$1$2")
    .replace(/\b(HWY|RTE) (HWY|RTE)\b/, "$1")
    .replace(/\b(\d+)([NSEW])\b/, "$1 $2")
    .replace(/\bUS (\d+)(?: HWY)?\b/, "US HWY $1")
    .replace(/\b([A-Z]+(?: [A-Z]+)?) (?=(?:HWY|RTE) \d)/, (words, state: string) => stateClass(words, state));
}

/** Replaces the name of a state by STATE: `INDIANA HIGHWAY 212` is a state highway. */
function stateClass(words: string, state: string): string {
  const name = state.replace(/^[NSEW] /, "");
  const isState = stateNames.has(name) || (stateCodes.has(name) && name !== "OR");
  return isState ? words.replace(name, "STATE") : words;
}

function comparableNumber(number: string): string {
  const folded = foldText(number).replaceAll(" ", "");
  // Zero means no number.
  return (cardinalWords.get(folded) ?? folded).replace(/^0+(?=\d)/, "").replace(/^0$/, "");
}
