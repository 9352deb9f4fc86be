import {directionals} from "./directionals.ts";
import {cardinalWords, ordinal, ordinalWords, tensWords} from "./number-words.ts";

/** The street type of a street part, with its index. */
export type TypeChoice = {readonly type: StreetType; readonly at: number};

// Saints whose towns are larger than most streets of their name.
const saints: ReadonlySet<string> = new Set(
  "LOUIS PAUL PETERSBURG PETE CLOUD CHARLES JOSEPH GEORGE AUGUSTINE HELENS HELENA CLAIR PETERS MARYS SIMONS ALBANS ANTHONY FRANCIS IGNACE MICHAELS MARTINVILLE ROBERT LUCIE CLAIRSVILLE JOHNSBURY STEPHEN".split(
    " ",
  ),
);

const firstWords: ReadonlyMap<string, string> = new Map([
  ["ST", "SAINT"],
  ["STE", "SAINTE"],
  ["MT", "MOUNT"],
  ["FT", "FORT"],
]);
const bareNumber = /^\d{1,3}$/;
const zeroOrdinal = /^0+(\d+(?:ST|ND|RD|TH))$/;

/**
 * Street types of USPS Publication 28, appendix C1: the standard abbreviation, the full word, then the other spellings
 * that publishers use. https://pe.usps.com/text/pub28/28apc_002.htm
 */
const table = `
ALY ALLEY ALLEE ALLY|ANX ANEX ANNEX ANNX|ARC ARCADE|AVE AVENUE AV AVEN AVENU AVN AVNUE|BYU BAYOU BAYOO|BCH BEACH
BND BEND|BLF BLUFF BLUF|BLFS BLUFFS|BTM BOTTOM BOT BOTTM|BLVD BOULEVARD BOUL BOULV BLV BVD BOULEVAR|BR BRANCH BRNCH
BRG BRIDGE BRDGE|BRK BROOK|BRKS BROOKS|BG BURG|BGS BURGS|BYP BYPASS BYPA BYPAS BYPS|CP CAMP CMP|CYN CANYON CANYN CNYN
CPE CAPE|CSWY CAUSEWAY CAUSWA CAUSWAY|CTR CENTER CEN CENT CENTR CENTRE CNTER CNTR|CTRS CENTERS
CIR CIRCLE CIRC CIRCL CRCL CRCLE CI CL|CIRS CIRCLES|CLF CLIFF|CLFS CLIFFS|CLB CLUB|CMN COMMON|CMNS COMMONS|COR CORNER
CORS CORNERS|CRSE COURSE|CT COURT CRT|CTS COURTS|CV COVE|CVS COVES|CRK CREEK|CRES CRESCENT CRSENT CRSNT CRECENT|CRST CREST
XING CROSSING CRSSNG XNG CRSG CROSSINGS|XRD CROSSROAD|XRDS CROSSROADS|CURV CURVE|DL DALE|DM DAM|DV DIVIDE DIV DVD|DR DRIVE DRIV DRV|DRS DRIVES
EST ESTATE|ESTS ESTATES|EXPY EXPRESSWAY EXP EXPR EXPRESS EXPW EXPWY EXPRWY|EXT EXTENSION EXTN EXTNSN|EXTS EXTENSIONS
FALL FALL|FLS FALLS|FRY FERRY FRRY|FLD FIELD|FLDS FIELDS|FLT FLAT|FLTS FLATS|FRD FORD|FRDS FORDS|FRST FOREST FORESTS
FRG FORGE FORG|FRGS FORGES|FRK FORK|FRKS FORKS|FT FORT FRT|FWY FREEWAY FREEWY FRWAY FRWY|GDN GARDEN GARDN GRDEN GRDN
GDNS GARDENS GRDNS|GTWY GATEWAY GATEWY GATWAY GTWAY|GLN GLEN|GLNS GLENS|GRN GREEN|GRNS GREENS|GRV GROVE GROV|GRVS GROVES
HBR HARBOR HARB HARBR HRBOR|HBRS HARBORS|HVN HAVEN|HTS HEIGHTS HT HGTS HGTS|HWY HIGHWAY HIGHWY HIWAY HIWY HWAY HGHWY HGWY|HL HILL|HLS HILLS
HOLW HOLLOW HLLW HOLLOWS HOLWS|INLT INLET|IS ISLAND ISLND|ISS ISLANDS ISLNDS|ISLE ISLE ISLES|JCT JUNCTION JCTION JCTN JUNCTN JUNCTON
JCTS JUNCTIONS JCTNS|KY KEY|KYS KEYS|KNL KNOLL KNOL|KNLS KNOLLS|LK LAKE|LKS LAKES|LAND LAND|LNDG LANDING LNDNG|LN LANE LANES
LGT LIGHT|LGTS LIGHTS|LF LOAF|LCK LOCK|LCKS LOCKS|LDG LODGE LDGE LODG|LOOP LOOP LOOPS LP|MALL MALL|MNR MANOR|MNRS MANORS|MDW MEADOW
MDWS MEADOWS MEDOWS|MEWS MEWS|ML MILL|MLS MILLS|MSN MISSION MISSN MSSN|MTWY MOTORWAY|MT MOUNT MNT|MTN MOUNTAIN MNTAIN MNTN MOUNTIN MTIN
MTNS MOUNTAINS MNTNS|NCK NECK|ORCH ORCHARD ORCHRD|OVAL OVAL OVL|OPAS OVERPASS|PARK PARK PARKS PK PRK|PKWY PARKWAY PARKWAYS PARKWY PKWAY PKY PKWYS PWY PY
PASS PASS|PSGE PASSAGE|PATH PATH PATHS|PIKE PIKE PIKES|PNE PINE|PNES PINES|PL PLACE PLC|PLN PLAIN|PLNS PLAINS|PLZ PLAZA PLZA|PT POINT|PTS POINTS
PRT PORT|PRTS PORTS|PR PRAIRIE PRR|RADL RADIAL RAD RADIEL|RAMP RAMP|RNCH RANCH RANCHES RNCHS|RPD RAPID|RPDS RAPIDS|RST REST|RDG RIDGE RDGE
RDGS RIDGES|RIV RIVER RVR RIVR|RD ROAD|RDS ROADS|RTE ROUTE RT|ROW ROW|RUE RUE|RUN RUN|SHL SHOAL|SHLS SHOALS|SHR SHORE SHOAR|SHRS SHORES SHOARS
SKWY SKYWAY|SPG SPRING SPNG SPRNG|SPGS SPRINGS SPNGS SPRNGS|SPUR SPUR SPURS|SQ SQUARE SQR SQRE SQU|SQS SQUARES SQRS|STA STATION STATN STN
STRA STRAVENUE STRAV STRAVEN STRVN|STRM STREAM STREME|ST STREET STRT STR|STS STREETS|SMT SUMMIT SUMIT SUMITT|TER TERRACE TERR TE|TRWY THROUGHWAY
TRCE TRACE TRACES|TRAK TRACK TRACKS TRK TRKS|TRFY TRAFFICWAY|TRL TRAIL TRAILS TRLS TR|TUNL TUNNEL TUNEL TUNLS|TPKE TURNPIKE TRNPK TURNPK TPK TNPK TNPKE
UPAS UNDERPASS|UN UNION|UNS UNIONS|VLY VALLEY VALLY VLLY|VLYS VALLEYS|VIA VIADUCT VDCT VIADCT|VW VIEW|VWS VIEWS|VLG VILLAGE VILL VILLAG VILLG
VLGS VILLAGES|VL VILLE|VIS VISTA VIST VST VSTA|WALK WALK WALKS WK|WALL WALL|WAY WAY WY|WAYS WAYS|WL WELL|WLS WELLS|CRCS CROSS|ACRES ACRES|ACCESS ACCESS|BAY BAY|CHASE CHASE|CLOSE CLOSE
COULEE COULEE|CRAWL CRAWL|CUTOFF CUTOFF|ESPLANADE ESPLANADE ESPL|GATE GATE|HOLLOW HOLLOW|LINE LINE|NOOK NOOK|PROMENADE PROMENADE PROM|QUAY QUAY|REACH REACH|TURN TURN|WHARF WHARF|WOODS WOODS|WYND WYND`;

// Types that by themselves say "this is a street", seldom the last word of a town's name.
const strong =
  "ALY AVE BLVD BND BYP CIR CIRS CRES CSWY CT CTS CV CURV DR DRS EXPY EXT FWY HWY LN LOOP PATH PIKE PKWY PL PLZ RD RDS ROW RUN SQ SKWY ST STS STRA TER TPKE TRCE TRFY TRL WAY WYND XING PASS LNDG WALK TRWY MTWY ALY";
// Of these, the types that are hardly ever part of a town's name after a finished street.
const hard = "AVE BLVD CIR CT DR EXPY FWY HWY LN PKWY RD ST STS TPKE TRL WAY LOOP XING EXT";

/**
 * The certainty that a word is a street type: `hard` nearly always, `strong` mostly, `weak` for words that also end the
 * names of many towns.
 */
type TypeStrength = "hard" | "strong" | "weak";

/** A street type: its standard abbreviation, its full word, and the certainty that such a word is a type. */
export type StreetType = {readonly short: string; readonly full: string; readonly strength: TypeStrength};

/** Street types by every accepted spelling. */
export const streetTypes: ReadonlyMap<string, StreetType> = readTable();

function readTable(): Map<string, StreetType> {
  const strongTypes = new Set(strong.split(" "));
  const hardTypes = new Set(hard.split(" "));
  const types = new Map<string, StreetType>();
  for (const line of table.split(/[|\n]/)) {
    const [short, full, ...others] = line.trim().split(" ");
    if (short === undefined || short === "") continue;
    const strength = hardTypes.has(short) ? "hard" : strongTypes.has(short) ? "strong" : "weak";
    const type: StreetType = {short, full: full ?? short, strength};
    for (const spelling of [short, full ?? short, ...others])
      if (!types.has(spelling)) types.set(spelling, type);
  }
  return types;
}

/**
 * Gives the key form of the words of a street name: ordinals as digits, a leading ST as SAINT, type words inside the name
 * spelled out. `beforeType` says that a street type follows, `afterNumber` that a house number came before; with both, a
 * bare number is an ordinal (`600 22 ST`).
 */
export function streetName(
  words: readonly string[],
  {beforeType, afterNumber}: {beforeType: boolean; afterNumber: boolean},
): string {
  const last = words.length - 1;
  if (last === 0) return singleWord(words[0]!, beforeType && afterNumber);
  const [tens, one] = words.slice(-2) as [string, string];
  const joined = tensWords.has(tens) ? ordinalWords.get(`${tens} ${one}`) : undefined;
  if (joined !== undefined) return [...words.slice(0, -2).map(innerWord), joined].join(" ");
  return words.map((word, at) => (at === last ? lastWord(word) : innerWord(word, at))).join(" ");
}

function singleWord(word: string, isOrdinal: boolean): string {
  if (isOrdinal && bareNumber.test(word) && word !== "0") return ordinal(Number(word));
  if (isOrdinal && cardinalWords.has(word)) return word;
  return lastWord(word);
}

function lastWord(word: string): string {
  return ordinalWords.get(word) ?? zeroOrdinal.exec(word)?.[1] ?? word;
}

function innerWord(word: string, at: number): string {
  if (at === 0) return firstWords.get(word) ?? word;
  if (word === "ST") return "SAINT";
  const type = streetTypes.get(word);
  // DR inside a name is as often Doctor, CT as often Count: only sure types are spelled out.
  return type !== undefined && type.strength === "hard" && word !== "DR" ? type.full : word;
}

/**
 * Chooses the type word of the words `from` (first of the name) to `end`: the last sure type, so that OCEAN LANE DR is a
 * drive; else the last weak one (CANYON CREST), or the first when `townFollows` says that the words may end with a town.
 * The first word of a name is never its type. Null when no word is a type.
 */
export function chooseType(
  words: readonly string[],
  from: number,
  {end, townFollows}: {end: number; townFollows: boolean},
): TypeChoice | null {
  let sure: TypeChoice | null = null;
  let weak: TypeChoice | null = null;
  for (let at = from + 1; at < end; at++) {
    const type = streetTypes.get(words[at]!);
    if (type === undefined) continue;
    if (type.strength === "weak") {
      if (weak === null || !townFollows || weak.at === at - 1) weak = {type, at};
    } else if (
      !isSaint(words, at, {from, end, townFollows}) &&
      isBetter(words, sure, {type, at, townFollows})
    ) {
      sure = {type, at};
    }
  }
  if (sure === null) return weak;
  // In `WASHINGTON SQUARE VILLAGE` the weak type after the strong one is the type.
  const isLast = weak !== null && weak.at === end - 1 && weak.at === sure.at + 1;
  return isLast && !townFollows && sure.type.strength === "strong" ? weak : sure;
}

/** True for the ST of a saint: in a town after the street (`GRAVOIS PARK ST LOUIS`), or in a name (`OLD ST JAMES RD`). */
function isSaint(
  words: readonly string[],
  at: number,
  {from, end, townFollows}: {from: number; end: number; townFollows: boolean},
): boolean {
  if (words[at] !== "ST" || at + 1 >= end) return false;
  const next = words[at + 1]!;
  if (streetTypes.has(next) || directionals.has(next) || /\d/.test(next)) return false;
  const before = at > from + 1 ? streetTypes.get(words[at - 1]!)?.strength : undefined;
  if (before === "hard" || before === "strong") return true;
  if (saints.has(next) && townFollows) return true;
  for (let after = at + 2; after < end; after++) {
    if (streetTypes.get(words[after]!)?.strength === "hard") return true;
  }
  return false;
}

function isBetter(
  words: readonly string[],
  before: TypeChoice | null,
  {type, at, townFollows}: TypeChoice & {townFollows: boolean},
): boolean {
  if (before === null) return true;
  if (before.type.strength === "hard" && type.strength === "strong" && townFollows)
    return at === before.at + 1;
  // Words after a finished street that are neither types nor directionals are a town: TER in MAIN ST TEMPLE TER.
  for (let between = before.at + 1; between < at; between++) {
    const word = words[between]!;
    // A further house number begins a second address.
    if (/^\d{2,}$/.test(word)) return false;
    if (!streetTypes.has(word) && !directionals.has(word)) return type.strength === "hard";
  }
  return true;
}
