/**
 * The limitation catalogue (`docs/design/market.md` section 12), worded as answers show it. Ids are stable.
 */
export const limitations = {
  L01: "Prices are for the stated report dates and venues, not current bids.",
  L02: "County price covers cattle sold at venues located in the county, wherever they were raised.",
  L03: "No venue in the county reported this in the window; the figure is an estimate from the nearest venues that did.",
  L04: "Fewer than 10 head: thin market.",
  L05: "Public reporters do not attend every sale; n of m known venues reported.",
  L06: "Window widened to 28 days.",
  L07: "Figures are preliminary.",
  L08: "Head in price rows is less than receipts because passed, unsold and unreported head carry no price.",
  L09: "ZIP spans several counties.",
  L10: "Limit reduced to the maximum.",
  L11: "The data build is older than 36 hours.",
  L12: "Futures values are not redistributed in this deployment.",
  L13: "Sale dates are projected from a regular schedule; confirm with the venue.",
  L14: "Location is approximate.",
  L15: "Counts are a lower bound: not every state publishes a list.",
  L16: "Distances are straight-line miles.",
  L17: "Sources disagree; see contradictions.",
  L18: "A weekly summary pools several venues and days.",
  L19: "County-equivalents changed; vintages differ.",
  L20: "No observation in the window; last known date is given.",
  L21: "Weights estimated for some rows.",
  L22: "Market information only: no brokerage, financial, veterinary or regulatory advice, and no guarantee of price, sale schedule, animal health or legal compliance.",
  L23: "Generated sample data: no real sale, venue or price.",
  L24: "Left out because out of date: names of the signals and their ages.",
  L25: "Nothing reported within 150 miles in the last 60 days; the nearest market is named with its distance and last sale.",
  L26: "Some rows were left out because their head count cannot be right.",
  L27: "When these reports were fetched is not stated; the time at which a build first saw them is taken.",
  L28: "Newer sales than this summary are known.",
  L29: "A reference page was last checked more than 400 days ago.",
  L30: "The newest sale of this report is older than 21 days.",
  L31: "The official summary does not hold the whole week: known sales are missing or it was printed before the week ended.",
} as const;

export type LimitationId = keyof typeof limitations;

/** Most important first: what a reader must know before using a number precedes how the number was made. */
const importance: readonly LimitationId[] = [
  ..."L23 L11 L17 L31 L28 L30 L26 L25 L03 L20 L04 L07 L05 L06 L21 L02 L18 L01 L08 L13 L15 L14 L16 L09 L19 L27 L29 L24 L12 L10 L22".split(
    " ",
  ),
] as LimitationId[];

/** L05 with its two counts filled in. */
export function coverageLimitation(reporting: number, known: number): string {
  return limitations.L05.replace("n of m", `${reporting} of ${known}`);
}

type NothingNear = {
  readonly miles: number;
  readonly days: number;
  /** True if the question names kinds of cattle. */
  readonly ofKind: boolean;
  /** True if only the newest sale of each venue and report was searched. */
  readonly newestOnly?: boolean;
  readonly state: string | undefined;
  readonly nearest: {
    venue_name: string | null;
    city: string | null;
    state: string;
    distance_mi: number;
    last_sale_date: string;
    no_sale_on?: readonly string[] | undefined;
  };
};

/** Said where a question with a weight is answered with cattle that have no bins of weight. */
export const weightlessLimitation =
  "Slaughter and replacement cattle, cows, pairs and grown bulls are not priced by weight: the weight of the question leaves none of them out.";

/** L25 with the radius, the days and the nearest market filled in. */
export function nothingNearLimitation({
  miles,
  days,
  ofKind,
  newestOnly,
  state,
  nearest,
}: NothingNear): string {
  const what = ofKind ? "No such cattle" : "Nothing";
  const where = state === undefined ? "" : ` in ${state}`;
  // An older sale may have had such cattle, which the newest one of its venue had not.
  const when = ofKind && newestOnly ? `the newest sales of the last ${days} days` : `the last ${days} days`;
  const whose = ofKind ? "nearest venue with them in its newest sale" : "nearest venue";
  return `${what} reported within ${miles} miles${where} in ${when}; ${whose} ${nearestWords(nearest)}.`;
}

/** L25 where a venue is near enough, but its county is not by the point that a county is measured to. */
export function noCountyNearLimitation({
  miles,
  ofKind,
  nearest,
}: Pick<NothingNear, "miles" | "ofKind" | "nearest">): string {
  const price = ofKind ? "a price of such cattle" : "a price";
  return `No county whose middle lies within ${miles} miles has ${price}; nearest venue ${nearestWords(nearest)}.`;
}

function nearestWords({
  venue_name,
  city,
  state,
  distance_mi,
  last_sale_date,
  no_sale_on = [],
}: NothingNear["nearest"]): string {
  const unheld = no_sale_on.length === 0 ? "" : `, no sale on ${no_sale_on.join(" and ")}`;
  return `${venue_name}, ${city}, ${state}, ${distance_mi} miles, last sale ${last_sale_date}${unheld}`;
}

/** L24 with the signals and their ages filled in. */
export function leftOutLimitation(signals: readonly {signal: string; ageDays: number}[]): string {
  const named = signals.map(({signal, ageDays}) => `${signal} (${ageDays} days)`).join(", ");
  return limitations.L24.replace("names of the signals and their ages", named);
}

/**
 * The catalogue id of a sentence, including an L05, L24 or L25 with its values filled in; undefined when it
 * is not in the catalogue.
 */
export function limitationId(sentence: string): LimitationId | undefined {
  const plain = sentence
    .replace(/\d+ of \d+ known venues/, "n of m known venues")
    .replace(
      /^(?:(?:Nothing|No such cattle) reported|No county whose middle lies) within \d+ miles.*$/,
      limitations.L25,
    )
    .replace(/^(Left out because out of date: ).*$/, "$1names of the signals and their ages.");
  return (Object.keys(limitations) as LimitationId[]).find((id) => limitations[id] === plain);
}

/**
 * Removes duplicates and sorts by importance; sentences outside the catalogue come right after L17. L22 is
 * always last, and L23 is first when `sample`.
 */
export function orderedLimitations(sentences: readonly string[], sample: boolean): string[] {
  const all = new Set([...sentences, limitations.L22, ...(sample ? [limitations.L23] : [])]);
  return [...all].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

const ranks = new Map(importance.map((id, rank): [string, number] => [limitations[id], rank]));

/** Most sentences match the catalogue verbatim; only the others need parsing. */
function rank(sentence: string): number {
  const known = ranks.get(sentence);
  if (known !== undefined) return known;
  const id = limitationId(sentence);
  return id === undefined ? importance.indexOf("L17") + 0.5 : importance.indexOf(id);
}
