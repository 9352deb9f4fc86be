import type {PriceUnit, TrendQualifier} from "./report-words.ts";

/** A direction with its figures, as a sentence states it. */
export type Move = {
  readonly direction: "higher" | "lower" | "steady" | "mixed";
  readonly low: number | null;
  readonly high: number | null;
  readonly unit: PriceUnit | null;
  readonly qualifier: TrendQualifier | null;
  /** True for what only some of the cattle did: `instances of 10.00 higher`. */
  readonly isInstance: boolean;
};

const figure = "(\\d{1,3}(?:\\.\\d{1,2})?)";
/** What a price is of, as a sentence may say before or behind the direction: gives a group if it is a head, and one if it is a cwt. */
const basis = (name: string) =>
  `(?:per|a|/)\\s*(?:(?<${name}c>cwt\\.?|hundred(?:weight)?)|(?<${name}h>head|hd)\\b\\.?)`;
/** One figure or a range of two; gives two groups of figures and those of its unit. */
const range = (name: string) =>
  `${figure.replace("(", `(?<${name}1>`)}(?:\\s*(?:-|to|and)\\s*(?:mostly\\s+|near\\s+|as much as\\s+)?${figure.replace("(", `(?<${name}2>`)})?(?:\\s*(?:dollars?|(?<${name}w>cwt)\\.?|${basis(name)}))?`;

const manner =
  "(?:(?<manner>mostly|unevenly|very uneven|uneven|generally|fully|sharply|moderately|slightly|near|nearly|around|about|limited|instances?)(?: all)?[ ,]+)*";
const firm = "(?:steady|firm|strong|weak)";
const way = (name: string) => `(?<${name}>higher|lower)(?:\\s*${basis(name)})?`;

/** The forms of a direction, in the order in which they are tried. */
const forms: readonly RegExp[] = [
  // from 10.00 lower to 8.00 higher
  `${manner}(?:steady,?\\s+)?(?:from\\s+)?${range("a")}\\s+${way("w")}\\s+(?:to|and)\\s+(?:mostly\\s+)?${range("b")}\\s+${way("v")}`,
  // lower to start, back to steady
  `(?:lower|higher) to start\\b[^.;]*?\\b(?<start>steady|higher|lower)`,
  // steady to 4.00 lower; weak to 3.00 lower; steady 3.00 higher
  `${manner}(?<firm>${firm})(?:\\s*(?:/|-|to|or)?\\s*)(?:mostly\\s+|(?<instances>instances?(?: of| up to| to)?\\s+))?${range("a")}\\s+${way("w")}`,
  // 3.00 lower to steady
  `${manner}(?:from\\s+)?${range("a")}\\s+${way("w")}\\s+to\\s+(?:mostly\\s+)?(?<firm>${firm})`,
  // saw gains of 15.00 to 20.00; declined by 3.00
  `(?:(?:saw|had|posted|showed) )?(?:(?<up>gains?|advances?|increases?|gained|advanced|increased)|(?<down>losses|decreases?|declines?|decreased|declined)) (?:of|by) ${range("a")}(?!\\d|\\.\\d|\\s*(?:%|percent|lb|head))`,
  // up to 5.00 higher
  `${manner}(?<upto>up to\\s+)${range("a")}\\s+${way("w")}`,
  // 5.00 to 7.00 higher
  `${manner}(?:from\\s+)?${range("a")}\\s+${way("w")}`,
  // steady to lower, steady to weak, steady to firm
  `${manner}(?<firm>steady)\\s*(?:/|-|to)\\s*(?:mostly\\s+)?(?<soft>higher|lower|weak(?:er)?|firm(?:er)?|strong(?:er)?)(?! (?:under ?tone|trend|demand))`,
].map((form) => new RegExp(form, "iy"));

const bare = {
  verb: new RegExp(`${manner}${way("w")}\\b`, "iy"),
  cattle: new RegExp(`${manner}${way("w")}(?=\\s*(?:[,.;]|$|and\\b))`, "iy"),
};
const steady = new RegExp(
  `${manner}(?<firm>steady)\\b(?! (?:demand|supply|under ?tone|trend|rain|buy|early|stream|flow|pace|run))`,
  "iy",
);

/**
 * The direction at a place of a scannable sentence, with the place behind it; null if none is there. Without figures, `higher` and
 * `lower` are a direction only behind a verb, or straight behind cattle at the end of their clause.
 */
export function moveAt(
  text: string,
  at: number,
  behind: keyof typeof bare | null,
): {move: Move; end: number} | null {
  for (const pattern of [...forms, ...(behind === null ? [] : [bare[behind]]), steady]) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null && !/[a-z0-9]/i.test(text[pattern.lastIndex] ?? ""))
      return {move: moveOf(match.groups ?? {}), end: pattern.lastIndex};
  }
  return null;
}

function moveOf(groups: Readonly<Record<string, string | undefined>>): Move {
  const number = (name: string) => (groups[name] === undefined ? null : Number(groups[name]));
  const manner = groups["manner"]?.toLowerCase() ?? "";
  const isInstance = /^instance/.test(manner);
  const isUpTo = groups["instances"] !== undefined;
  const qualifier: TrendQualifier | null =
    manner === "mostly"
      ? "mostly"
      : /uneven/.test(manner)
        ? "unevenly"
        : isInstance || isUpTo
          ? "instances"
          : manner === "limited"
            ? "limited"
            : null;
  const isSaid = (basis: string) =>
    ["a", "b", "w", "v"].some((name) => groups[`${name}${basis}`] !== undefined);
  const unit = isSaid("h") ? ("per_head" as const) : isSaid("c") || isSaid("w") ? ("per_cwt" as const) : null;
  const common = {unit, qualifier, isInstance};
  const [low, high] = [number("a1"), number("a2")];
  const way = wayOf(groups);
  if (groups["start"] !== undefined) return {...common, direction: "mixed", low: null, high: null};
  if (groups["v"] !== undefined && way !== undefined) {
    const [first, last] = [high ?? low!, number("b2") ?? number("b1")!];
    if (groups["v"].toLowerCase() === way)
      return {...common, direction: way, low: Math.min(low!, last), high: Math.max(low!, last)};
    const [down, up] = way === "lower" ? [first, last] : [last, first];
    return {...common, direction: "mixed", low: -down, high: up};
  }
  if (way !== undefined && low !== null) {
    const most = Math.max(low, high ?? low);
    const isFromZero = groups["firm"] !== undefined || groups["upto"] !== undefined;
    return {...common, direction: way, low: isFromZero ? 0 : Math.min(low, high ?? low), high: most};
  }
  if (groups["soft"] !== undefined) {
    const direction = /^(lower|weak)/i.test(groups["soft"]) ? "lower" : "higher";
    return {...common, direction, low: 0, high: null};
  }
  return {...common, direction: way ?? "steady", low: null, high: null};
}

function wayOf({w, up, down}: Readonly<Record<string, string | undefined>>): "higher" | "lower" | undefined {
  if (w !== undefined) return w.toLowerCase() as "higher" | "lower";
  return up !== undefined ? "higher" : down !== undefined ? "lower" : undefined;
}
