import {haveSharedCuts, parcelIdSpellings} from "../../../../lib/parcels/parcel-id/parcel-id-spellings.ts";

/** What decides whether records of two sources have the same parcel number. */
export type ParcelNumber = {
  /** `tok` spelling of the number. */
  readonly tok: string;
  /** `tok` spellings of its other ids. */
  readonly alts: readonly string[];
  /** House numbers and street names of its rows, both empty where a row lacks either. */
  readonly houses: readonly string[];
  readonly streets: readonly string[];
};

/** Two numbers of one parcel, by their index: equal, one listed among the other's ids, or equal in a looser form. */
export type Meeting = {
  readonly ours: number;
  readonly theirs: number;
  readonly by: "equal" | "alt" | "form";
};

/** Looser forms in the order in which they are tried. */
const forms = ["std", "front", "loose"] as const;
type Form = (typeof forms)[number];

/**
 * Pairs the parcel numbers of two sources of one county (`docs/design/parcels.md` section 5.1). Equal numbers
 * meet, then a number and another id, then numbers that are alike without their separators or zeros. The last
 * two pair one to one only. The program does this in SQL alone (`meetingModels`); a test compares the two.
 */
export function sameParcels(ours: readonly ParcelNumber[], theirs: readonly ParcelNumber[]): Meeting[] {
  const equal = equalNumbers(ours, theirs);
  const listed = single(listedNumbers(ours, theirs, equal));
  const metIds = {
    ours: new Set([...equal, ...listed].map((each) => each.ours)),
    theirs: new Set([...equal, ...listed].map((each) => each.theirs)),
  };
  const byForm: Meeting[] = [];
  for (const form of forms) {
    const alike = alikeNumbers(ours, theirs, form).filter(
      (each) => !metIds.ours.has(each.ours) && !metIds.theirs.has(each.theirs),
    );
    for (const each of alike) {
      if (!mayBeOne(ours[each.ours]!, theirs[each.theirs]!, form)) continue;
      byForm.push(each);
      metIds.ours.add(each.ours);
      metIds.theirs.add(each.theirs);
    }
  }
  return [...equal, ...listed, ...byForm];
}

/** The looser form of a number; two of one form may be one number. */
function formOf(tok: string, form: Form): string {
  const {std, loose} = parcelIdSpellings(tok);
  if (form === "std") return std;
  if (form === "front") return std.replace(/^0+/, "");
  return `${loose}/${tok.split("-").length}`;
}

function equalNumbers(ours: readonly ParcelNumber[], theirs: readonly ParcelNumber[]): Meeting[] {
  const byTok = new Map(theirs.map(({tok}, i) => [tok, i]));
  return ours.flatMap(({tok}, i): Meeting[] => {
    const other = byTok.get(tok);
    return other === undefined ? [] : [{ours: i, theirs: other, by: "equal"}];
  });
}

/** Pairs of which one lists the other's number. A number that the other source has itself is another parcel's. */
function listedNumbers(
  ours: readonly ParcelNumber[],
  theirs: readonly ParcelNumber[],
  equal: readonly Meeting[],
): Meeting[] {
  const [taken, others] = [
    new Set(equal.map((each) => each.ours)),
    new Set(equal.map((each) => each.theirs)),
  ];
  const lists = (one: ParcelNumber, other: ParcelNumber) =>
    one.alts.includes(other.tok) || other.alts.includes(one.tok);
  return ours.flatMap((one, i) =>
    theirs.flatMap((other, k): Meeting[] =>
      !taken.has(i) && !others.has(k) && lists(one, other) ? [{ours: i, theirs: k, by: "alt"}] : [],
    ),
  );
}

/** Numbers of one form, each the only one of it in its source. */
function alikeNumbers(ours: readonly ParcelNumber[], theirs: readonly ParcelNumber[], form: Form): Meeting[] {
  const byForm = Map.groupBy(theirs.keys(), (i) => formOf(theirs[i]!.tok, form));
  return [...Map.groupBy(ours.keys(), (i) => formOf(ours[i]!.tok, form))].flatMap(([key, own]): Meeting[] => {
    const others = byForm.get(key) ?? [];
    return own.length === 1 && others.length === 1 ? [{ours: own[0]!, theirs: others[0]!, by: "form"}] : [];
  });
}

function single(pairs: readonly Meeting[]): Meeting[] {
  const count = (side: "ours" | "theirs", i: number) => pairs.filter((pair) => pair[side] === i).length;
  return pairs.filter((pair) => count("ours", pair.ours) === 1 && count("theirs", pair.theirs) === 1);
}

/** False for numbers that are cut at different places, and for parcels with different addresses. */
function mayBeOne(one: ParcelNumber, other: ParcelNumber, form: Form): boolean {
  const partsOf = ({tok}: ParcelNumber) =>
    tok.split("-").map((part) => (form === "loose" ? part.replace(/^0+/, "") : part));
  if (!haveSharedCuts(partsOf(one), partsOf(other))) return false;
  const areAddressed = [one, other].every(({houses, streets}) => houses.length > 0 && streets.length > 0);
  return !areAddressed || meet(one.houses, other.houses) || meet(one.streets, other.streets);
}

function meet(some: readonly string[], others: readonly string[]): boolean {
  return some.some((each) => others.includes(each));
}
