import {z} from "zod";
import {LandUseCategory, LandUseMethod} from "../vocabulary/land-use.ts";
import {column, fact, finds, member, number, type ParcelField, string} from "./parcel-field.ts";
import * as text from "./texts.ts";

const LandUse = z
  .looseObject({
    codeSystem: string.optional().describe("Code system of the land-use map"),
    code: string.optional().describe("Code as published"),
    description: string.optional().describe("Description as published"),
    method: LandUseMethod.describe("How the category was found"),
    confidence: number.optional().describe("Confidence of the category, 0 to 1; absent without one"),
    isVacantLand: z.boolean().optional().describe("Improvement test: land without buildings"),
  })
  .meta({id: "LandUse"});

const categoryOf = {made: "category", mapped: "use_code"} as const;

export const use: readonly ParcelField[] = [
  fact("use", ["use_code", "text"], "useCode", ["Land-use code as published", "Raw assessor code"]),
  column("use", "use_code_system", "dictionary", "Code system of the land-use map"),
  fact("use", ["use_description", "dictionary"], "useDescription", ["Printed description of the use"]),
  member("use", "residential", "True when the category is residential; absent without a category", {
    ...categoryOf,
    shape: z.boolean(),
    json: text.residential,
  }),
  fact(
    "use",
    ["land_use_category", "dictionary"],
    "landUseCategory",
    [
      "One of the seven categories of the contract; null when unmapped",
      "One of the seven categories of the contract",
    ],
    {...categoryOf, shape: LandUseCategory, traits: finds},
  ),
  member("use", "landUseDetail", "How the published use was classified", {
    ...categoryOf,
    shape: LandUse,
    json: text.landUse,
  }),
  column(
    "use",
    "land_use_method",
    "dictionary",
    "`state_table`, `local_table`, `national_code`, `keyword`, `improvement_test`, `none`",
    {values: LandUseMethod.options},
  ),
  column("use", "land_use_confidence", "float32", "Confidence of the category, 0 to 1"),
  column("use", "is_vacant_land", "bool", "Improvement test: land without buildings"),
  column(
    "use",
    "open_range_possible",
    "bool",
    "True for vacant land of a farm or ranch state that may be open range; else null",
    finds,
  ),
];
