import {z} from "zod";

/** `data/sources/waves.json`: the sources that make each state live, and the order in which states are added. */
export const Waves = z
  .array(
    z.strictObject({
      country: z.enum(["US", "CA"]),
      state: z.string().regex(/^[A-Z]{2}$/),
      wave: z.int().min(1).max(4),
      required: z
        .array(z.string())
        .describe(
          "Entries whose complete pulls make the state live; empty: not decided yet, the state cannot be live",
        ),
    }),
  )
  .refine((waves) => new Set(waves.map(({state}) => state)).size === waves.length, {
    error: "a state occurs twice",
  });
export type Waves = z.infer<typeof Waves>;

/** `data/reference/lookups/<name>.json`: a small table with which a field map translates cells. */
export const LookupTable = z.strictObject({
  about: z.string().min(1),
  source: z.string().min(1).describe("Where the facts are published"),
  values: z.record(z.string().regex(/^[A-Z0-9]+$/, "is not a folded key"), z.string().min(1)),
});
export type LookupTable = z.infer<typeof LookupTable>;

/** `data/reference/field-synonyms.json`: the names that publishers use for the columns of parcel tables. */
export const FieldSynonyms = z.strictObject({
  about: z.string().min(1),
  source: z.string().min(1),
  words: z
    .record(z.string().regex(/^[a-z0-9]+$/), z.array(z.string().min(1)).min(1))
    .describe("Words with the same meaning, for names that combine words"),
  roles: z
    .record(z.string().min(1), z.array(z.string().min(1)).min(1))
    .describe("Role to names, the most certain first; `{word}` stands for any word of that list"),
  sets: z
    .record(z.string().min(1), z.array(z.string().regex(/^[a-z0-9]+\??(?: [a-z0-9]+\??)*$/)).min(1))
    .describe("Role to lists of words that may occur in any order in a name; one with `?` is optional"),
});
export type FieldSynonyms = z.infer<typeof FieldSynonyms>;

const words = z.string().regex(/^[A-Z]+(?: [A-Z]+)*$/);

/** `data/reference/address-words.json`: words of address lines, in capitals. Lists of words are space-separated. */
export const AddressWords = z.strictObject({
  about: z.string().min(1),
  source: z.string().min(1),
  directionals: z.record(words, z.array(words)).describe("Abbreviation to its spellings"),
  streetTypes: z.strictObject({
    hard: words.describe("Types that, after a complete street, are hardly ever part of a town's name"),
    strong: words.describe("Types that by themselves say that this is a street"),
    spellings: z.array(words).describe("Standard abbreviation, full word, then other spellings"),
  }),
  countyTypes: z
    .record(words, z.array(words))
    .describe("Abbreviation to the two letters that counties print"),
  foreignStreetTypes: words.describe("Words for a street in other languages, which start its name"),
  unitDesignators: z.array(words).describe("Abbreviation, then other spellings"),
  standaloneUnits: z
    .record(words, z.array(words))
    .describe("Designators that need no number, to their spellings"),
  roadClasses: z
    .record(words, z.array(z.string()))
    .describe("Key form of a class of numbered roads to its spellings"),
  provinces: z.record(words, words),
  oldStateAbbreviations: z.record(words, words),
  zipStates: z
    .record(words, z.string())
    .describe("State to the first three digits of its ZIP codes, as ranges"),
  towns: z.array(words).describe("The larger towns with names of two or more words"),
  saintTowns: words.describe("Saints whose towns are larger than most streets of their name"),
  townStarts: words.describe("First words of town names: a town with one of them has a name of two words"),
  townEnds: words.describe("Last words of town names, likewise"),
  townsAfterDirectional: z
    .record(words, words)
    .describe("Second words of larger places whose names begin with a directional"),
  townsAfterLetter: z
    .array(words)
    .describe("Places whose names are hardly ever written without their letter"),
});
export type AddressWords = z.infer<typeof AddressWords>;
