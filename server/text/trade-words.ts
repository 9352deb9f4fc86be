import type {Description} from "./description.ts";

/** Words of the trade, with the pattern by which a text has them and what they mean in plain words. */
const meanings: readonly (readonly [pattern: RegExp, meaning: string])[] = [
  [/\bpens?\b/, "a pen is one line of a sale report: lots of like cattle, averaged"],
  [/\bM&L\b/, "M&L is frame Medium and Large"],
  [
    /(?:\bM&L|\bgrade|\bLarge|\bMedium) 1-2\b/,
    "muscle grade 1-2 is lots of grades 1 and 2 together, priced apart",
  ],
  [/\bslide \d/, "slide is what a cwt brings less at 50 lb heavier than at 50 lb lighter"],
  [/\bdressing\b/, "dressing is the expected yield of carcass"],
  [/\bT[123](?:-[23])?\b/, "T and a number is a third of the pregnancy"],
];

/** One line on the words of the trade that an answer uses; empty where it uses none. */
export function tradeWords({
  headline,
  tables,
  notes,
}: Pick<Description, "headline" | "tables" | "notes">): string {
  const text = [
    ...headline,
    ...tables.flatMap(({columns, rows}) => [...columns.map(({header}) => header), ...rows.flat()]),
    ...notes.map(([, words]) => words),
  ].join("\n");
  return meanings.flatMap(([pattern, meaning]) => (pattern.test(text) ? [meaning] : [])).join("; ");
}
