import {z} from "zod";
import {type ColumnOf, coverageText, joined, numberText, type Readable, tableOf} from "./readable.ts";

const text = z.string().nullish();

const Candidate = z.looseObject({
  parcelUid: z.string(),
  address: text,
  city: text,
  county: text,
  state: text,
  acres: z.number().nullish(),
});
type Candidate = z.infer<typeof Candidate>;

/** A problem document as far as people are shown it. */
const ProblemShape = z.looseObject({
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  invalid_params: z
    .array(
      z.looseObject({
        name: z.string(),
        value: text,
        reason: z.string(),
        allowed: z.array(z.string()).nullish(),
      }),
    )
    .nullish(),
  candidates: z.array(Candidate).nullish(),
  candidateTotal: z.number().nullish(),
  coverage: z.array(z.looseObject({state: z.string(), county: text, status: z.string()})).nullish(),
});

const candidateColumns: readonly ColumnOf<Candidate>[] = [
  {name: "parcel", cell: ({parcelUid}) => parcelUid},
  {name: "address", cell: ({address, city}) => joined([address, city])},
  {name: "county", cell: ({county, state}) => joined([county, state])},
  {name: "acres", cell: ({acres}) => numberText(acres), right: true},
];

/** Gives a problem document in words: what is wrong, each wrong parameter, and the parcels to choose from. */
export function problemReadable(problem: unknown): Readable {
  const {title, detail, invalid_params, candidates, candidateTotal, coverage} = ProblemShape.parse(problem);
  const wrong = (invalid_params ?? []).map(({name, value, reason, allowed}): [string, string] => [
    name,
    joined(
      [
        value == null ? null : JSON.stringify(value),
        reason,
        allowed == null ? null : `(${allowed.join(", ")})`,
      ],
      " ",
    ),
  ]);
  const fits = candidates ?? [];
  const shown =
    fits.length === 0 ? [] : [["Shown", `${fits.length} of ${candidateTotal}`] as [string, string]];
  const covered = coverageText(coverage ?? []);
  return {
    above: [wrong.length > 0 ? `${title}.` : `${title}. ${detail}`],
    tables: fits.length === 0 ? [] : [tableOf(candidateColumns, fits)],
    below: [...wrong, ...shown, ...(covered === "" ? [] : [["Coverage", covered] as [string, string]])],
  };
}
