import words from "../data/address-words.json" with {type: "json"};

/** The spellings of words by what they are short for, or the other way round. */
type Spellings = Readonly<Record<string, readonly string[]>>;

/** Words of address lines in capitals. A text of words is a list, separated by blanks. */
type AddressWords = {
  /** Abbreviation to its spellings. */
  readonly directionals: Spellings;
  readonly streetTypes: {
    /** Types that, after a complete street, are hardly ever part of a town's name. */
    readonly hard: string;
    /** Types that by themselves say that this is a street. */
    readonly strong: string;
    /** Standard abbreviation, full word, then other spellings. */
    readonly spellings: readonly string[];
  };
  /** Abbreviation to the two letters that counties print. */
  readonly countyTypes: Spellings;
  /** Words for a street in other languages, which start its name. */
  readonly foreignStreetTypes: string;
  /** Abbreviation, then other spellings. */
  readonly unitDesignators: readonly string[];
  /** Designators that need no number, to their spellings. */
  readonly standaloneUnits: Spellings;
  /** Key form of a class of numbered roads to its spellings. */
  readonly roadClasses: Spellings;
  readonly provinces: Readonly<Record<string, string>>;
  readonly oldStateAbbreviations: Readonly<Record<string, string>>;
  /** State to the first three digits of its ZIP codes, as ranges, and to whole ZIPs whose first three digits are another state's. */
  readonly zipStates: Readonly<Record<string, string>>;
  /** The larger towns with names of two or more words. */
  readonly towns: readonly string[];
  /** Saints whose towns are larger than most streets of their name. */
  readonly saintTowns: string;
  /** First and last words of town names: a town with one of them has a name of two words. */
  readonly townStarts: string;
  readonly townEnds: string;
  /** Second words of larger places whose names begin with a directional. */
  readonly townsAfterDirectional: Readonly<Record<string, string>>;
  /** Places whose names are hardly ever written without their letter. */
  readonly townsAfterLetter: readonly string[];
};

/** The words of address lines, which are facts about the country. */
export const addressWords: AddressWords = words;

/** The words of a text, separated by blanks. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

/** Inverts a table of forms and their spellings: maps each spelling to its form. */
export function bySpelling(spellings: Spellings): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(spellings).flatMap(([form, words]) => words.map((word) => [word, form] as const)),
  );
}
