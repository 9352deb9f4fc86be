import {states} from "../../geography/states.ts";

const provinces: readonly (readonly [string, string])[] = [
  ["AB", "ALBERTA"],
  ["BC", "BRITISH COLUMBIA"],
  ["MB", "MANITOBA"],
  ["NB", "NEW BRUNSWICK"],
  ["NL", "NEWFOUNDLAND AND LABRADOR"],
  ["NS", "NOVA SCOTIA"],
  ["ON", "ONTARIO"],
  ["QC", "QUEBEC"],
  ["SK", "SASKATCHEWAN"],
];

const oldAbbreviations =
  "ALA=AL ARIZ=AZ ARK=AR CALIF=CA CAL=CA COLO=CO CONN=CT FLA=FL ILL=IL KANS=KS MASS=MA MICH=MI MINN=MN MISS=MS MONT=MT NEBR=NE NEV=NV OKLA=OK OREG=OR PENN=PA PENNA=PA TENN=TN TEX=TX WASH=WA WISC=WI WYO=WY";

/** Two-letter codes of the states, territories and Canadian provinces. */
export const stateCodes: ReadonlySet<string> = new Set([
  ...states.map((state) => state.state),
  ...provinces.map(([code]) => code),
]);

/** Codes by full name in upper case, and by the abbreviations that came before the two letters. */
export const stateNames: ReadonlyMap<string, string> = new Map([
  ...states.map((state) => [state.name.toUpperCase(), state.state] as const),
  ...provinces.map(([code, name]) => [name, code] as const),
  ...oldAbbreviations.split(" ").map((pair) => pair.split("=") as [string, string]),
]);

// First three digits of ZIP codes by state, as ranges (USPS Publication 65 / labelling list L002).
const zipRanges =
  "PR 006-007,009|VI 008|MA 010-027,055|RI 028-029|NH 030-038|ME 039-049|VT 050-054,056-059|CT 060-062,064-069|NY 005,063,100-149|NJ 070-089|PA 150-196|DE 197-199|DC 200,202-205,569|VA 201,220-246|MD 206-219|WV 247-268|NC 270-289|SC 290-299|GA 300-319,398-399|FL 320-339,341-342,344,346-347,349|AL 350-352,354-369|TN 370-385|MS 386-397|KY 400-418,420-427|OH 430-459|IN 460-479|MI 480-499|IA 500-516,520-528|WI 530-532,534-535,537-549|MN 550-551,553-567|SD 570-577|ND 580-588|MT 590-599|IL 600-620,622-629|MO 630-631,633-641,644-658|KS 660-662,664-679|NE 680-681,683-693|LA 700-701,703-708,710-714|AR 716-729|OK 730-731,734-741,743-749|TX 733,750-770,772-799,885|CO 800-816|WY 820-831,834|ID 832-833,835-838|UT 840-847|AZ 850-853,855-857,859-860,863-865|NM 870-871,873-875,877-884|NV 889-891,893-895,897-898|CA 900-908,910-928,930-961|HI 967-968|GU 969|OR 970-979|WA 980-986,988-994|AK 995-999";

const stateByPrefix: readonly (string | undefined)[] = prefixTable();

/** Gives the state of a ZIP code by its first three digits; null for digits that are not assigned. */
export function stateOfZip(zip: string): string | null {
  return stateByPrefix[Number(zip.slice(0, 3))] ?? null;
}

function prefixTable(): (string | undefined)[] {
  const prefixes: (string | undefined)[] = new Array(1000);
  for (const entry of zipRanges.split("|")) {
    const [state, ranges] = entry.split(" ") as [string, string];
    for (const range of ranges.split(",")) {
      const [from, to] = range.split("-");
      prefixes.fill(state, Number(from), Number(to ?? from) + 1);
    }
  }
  return prefixes;
}
