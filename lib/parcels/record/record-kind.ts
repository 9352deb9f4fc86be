import {type StatedFlag, statedFlags} from "../../../schemas/parcel-fields/flags.ts";
import {type GroupedMember, recordMembers} from "../../../schemas/parcel-record.ts";

/** All that the provenance and the limitations of a record follow from besides its sources: few kinds hold for millions of rows. */
export type RecordKind = {
  /** The members that the record has, in its order. */
  readonly members: readonly GroupedMember[];
  /** The names of the origins, as `kindSql` was given them: of the default, then of each group; empty where a group has none. */
  readonly origins: readonly string[];
  readonly pointMethod: string;
  readonly acresBasis: string;
  /** Confidence of the land-use category, in ten-thousandths; null without a category. */
  readonly categoryConfidence: number | null;
  readonly flags: ReadonlySet<StatedFlag>;
  /** True where the source has a public page of the parcel. */
  readonly hasUrl: boolean;
};

/** Members in a word of the mask: SQL has whole numbers of 63 bits. */
export const membersPerWord = 50;
const wordCount = Math.ceil(recordMembers.length / membersPerWord);

/** Reads the text that `kindSql` makes. Throws a `RangeError` for any other text. */
export function readKind(text: string): RecordKind {
  const parts = text.split("|");
  if (parts.length !== wordCount + 6) throw new RangeError(`not the kind of a record: ${text}`);
  const words = parts.slice(0, wordCount).map(Number);
  const [origins = "", pointMethod = "", acresBasis = "", confidence = "", flags = "", url = ""] =
    parts.slice(wordCount);
  return {
    members: recordMembers.filter((_, at) =>
      hasBit(words[Math.floor(at / membersPerWord)]!, at % membersPerWord),
    ),
    origins: origins.split(","),
    pointMethod,
    acresBasis,
    categoryConfidence: confidence === "" ? null : Number(confidence),
    flags: new Set([...flags].map((digit) => statedFlags[Number(digit)]!)),
    hasUrl: url !== "",
  };
}

/** Words have up to 50 bits: more than bit operators take. */
function hasBit(word: number, bit: number): boolean {
  return Math.floor(word / 2 ** bit) % 2 === 1;
}
