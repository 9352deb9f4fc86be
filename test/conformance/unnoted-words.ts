import {
  cardinalWords,
  directionals,
  foldText,
  ordinalWords,
  parseAddress,
  standaloneUnits,
  stateCodes,
  stateNames,
  streetTypes,
  unitDesignators,
} from "@open-cattle/us-address";

/** Words that any reader may skip: they join or mark other words. */
const marks: ReadonlySet<string> = new Set(
  "NO NUMBER OF CITY TOWN VILLAGE TOWNSHIP BOROUGH USA US STATES UNITED U S A RD ROAD HWY HIGHWAY LEVEL & AND AT".split(
    " ",
  ),
);
/** Words that parts contain in another spelling: road classes. */
const roadWords: ReadonlySet<string> = new Set(
  "ST STATE NYS CO CNTY COUNTY TRUNK RTE RT ROUTE HWY HIWAY HGHWY SH SR CR I IH INTERSTATE FARM TO MARKET F M R C H CTH STH RM RR BUSINESS BSNSS".split(
    " ",
  ),
);

/** Words of a line that no part contains in any spelling, if the reading has no note. */
export function unnotedWords(line: string): string[] {
  const read = parseAddress(line);
  if (read.notes.length > 0 || read.status === "legal_only" || read.status === "blank") return [];
  const {number, numberHi, fraction, pre, name, type, post, unitType, unit} = read;
  const parts = [number, numberHi, fraction, pre, name, type, post, unitType, unit];
  const others = [read.secondStreet, read.city, read.state, read.zip, read.zipPlusFour];
  const held = foldText([...parts, ...others].filter((part) => part !== null).join(" "));
  const heldWords = new Set(held.split(" "));
  const glued = held.replaceAll(" ", "");
  return foldText(line)
    .split(" ")
    .filter((word) => word !== "" && !isHeld(word, {heldWords, glued, state: read.state}));
}

type Held = {heldWords: ReadonlySet<string>; glued: string; state: string | null};

function isHeld(word: string, {heldWords, glued, state}: Held): boolean {
  const bare = word.replace(/^0+(?=.)/, "");
  const forms = [
    word,
    bare,
    directionals.get(word),
    streetTypes.get(word)?.short,
    streetTypes.get(word)?.full,
    ordinalWords.get(word),
    cardinalWords.get(word),
    unitDesignators.get(word),
    standaloneUnits.get(word),
    (ordinalWords.get(word) ?? word).replace(/(?<=^\d+)(?:ST|ND|RD|TH)$/, ""),
    ...(/^[A-Z]+(\d+)$/.exec(word) ?? []).slice(1),
  ];
  if (forms.some((form) => form !== undefined && heldWords.has(form))) return true;
  // In a unit of several parts, a suite is printed as UNIT.
  if (unitDesignators.has(word) && heldWords.has("UNIT")) return true;
  if (marks.has(word) || roadWords.has(word) || /^0*$/.test(word)) return true;
  if (heldWords.has("STATE") && (stateCodes.has(word) || stateNames.has(word))) return true;
  const isState =
    state !== null &&
    [...stateNames].some(([text, code]) => code === state && text.split(" ").includes(word));
  return isState || glued.includes(bare);
}
