import {z} from "zod";
import {LandUseCategory} from "./land-use.ts";
import {Provenance} from "./parcel-provenance.ts";

const text = (about: string) => z.string().optional().describe(about);
const whole = (about: string) => z.int().optional().describe(about);
const number = (about: string) => z.number().optional().describe(about);

/** How a parcel fits the question. */
export const ParcelMatch = z
  .looseObject({
    type: z
      .enum(["exact", "normalized", "fuzzy", "contains_point", "nearest"])
      .describe("`contains_point` and `nearest` on location searches alone"),
    score: z.number().min(0).max(1).optional().describe("0 to 1; absent on location searches"),
    notes: z.array(z.string()).describe("What was corrected, added or ignored"),
  })
  .meta({id: "ParcelMatch"});

const LandUse = z
  .looseObject({
    codeSystem: text("Code system of the land-use map"),
    code: text("Code as published"),
    description: text("Description as published"),
    method: z
      .enum(["state_table", "local_table", "national_code", "keyword", "improvement_test", "none"])
      .describe("How the category was found"),
    confidence: number("Confidence of the category, 0 to 1; absent without one"),
    isVacantLand: z.boolean().optional().describe("Improvement test: land without buildings"),
  })
  .meta({id: "LandUse"});

const GeoPoint = z
  .looseObject({
    type: z.literal("Point"),
    coordinates: z.tuple([z.number(), z.number()]).describe("Longitude, latitude"),
  })
  .meta({id: "GeoPoint", description: "GeoJSON Point, WGS 84"});

const identity = {
  _id: z.string().describe("Stable id: county key, hyphen, parcel number"),
  parcelUid: z.string().describe("The same value as `_id`"),
  parcelId: text("Parcel number as the county prints it; absent only for sources that publish none"),
  state_parcelId: text("State, hyphen, parcel number"),
  state_parcelIdSTD: text("State, hyphen, parcel number in normal form"),
  altParcelIds: z.array(z.string()).optional().describe("Other ids of the source that also find the parcel"),
  parentParcelId: text("Shell parcel of a stack (condominium)"),
};

const situs = {
  address: text("House number, street and unit, tidied"),
  addressFull: text("The address with city, state and ZIP"),
  addressRaw: text("Exactly as published"),
  streetNumber: text("House number, with its letter, grid prefix or fraction"),
  streetDirectionPrefix: text("Directional before the name"),
  street: text("Street name without type"),
  streetType: text("Street type, Publication 28 abbreviation"),
  streetDirectionSuffix: text("Directional after the type"),
  unitNumber: text("Unit with its designator: `APT 2B`"),
  unitNumberStripped: text("Unit without its designator: `2B`"),
  city: text("Postal city as published"),
  zipCode: text("ZIP code, five digits"),
  zipCodePlusFour: text("ZIP code, nine digits with hyphen"),
  county: z.string().describe('County name, upper case, without "County"'),
  state: z.string().describe("Two letters"),
  country: z.enum(["US", "CA"]).describe("Country"),
  fipsState: text("State FIPS code, 2 digits; in the US"),
  fipsCounty: text("County FIPS code, 3 digits; in the US"),
};

const land = {
  latitude: number("Latitude of the served point, WGS 84, at most 7 decimals"),
  longitude: number("Longitude of the served point, WGS 84, at most 7 decimals"),
  location: GeoPoint.optional(),
  pointMethod: z
    .enum(["source_point", "centroid", "inside_point"])
    .optional()
    .describe("How the point was made"),
  acres: number("Area in acres, 4 decimals"),
  landArea: whole("Area in square feet"),
  acresBasis: z.enum(["deeded", "assessed", "computed"]).optional().describe("What the area rests on"),
  legalDesc: text("Legal description, as published"),
  subdivision: text("As published"),
  blockNum: text("As published"),
  lotNum: text("As published"),
  secTwnRng: text("Section, township, range, as published"),
  zoningCode: text("As published"),
  neighborhood: text("As published"),
  jurisdiction: text("As published"),
  siteCensusTract: text("As published"),
};

const owner = {
  ownerName: text("Recorded names, joined by `; `; only where the source publishes them"),
  ownerAddressLine1: text("Mailing address of the owner"),
  ownerCity: text("Mailing city"),
  ownerState: text("Mailing state"),
  ownerZipCode: text("Mailing ZIP"),
  ownerKind: z
    .enum(["person", "persons", "trust", "estate", "company", "government", "nonprofit", "unknown"])
    .optional()
    .describe("What the owner line shows"),
};

const use = {
  useCode: text("Raw assessor code"),
  useDescription: text("Printed description of the use"),
  residential: z
    .boolean()
    .optional()
    .describe("True when the category is residential; absent without a category"),
  landUseCategory: LandUseCategory.optional(),
  landUse: LandUse.optional(),
};

const values = {
  totalAssessedValue: number("Assessed value, in `currency`"),
  totalLandValue: number("Land part of the assessed value, in `currency`"),
  totalBuildingValue: number("Building part of the assessed value, in `currency`"),
  assessedYear: whole("Roll year of the assessed value"),
  totalMarketValue: number("Market estimate, in `currency`"),
  marketValueYear: whole("Roll year of the market estimate"),
  taxableValue: number("Assessed value less exemptions, in `currency`"),
  useValue: number("Agricultural productivity value, in `currency`; not a market value"),
  taxValue: number("Tax billed for `taxYear`, in `currency`"),
  taxYear: whole("Year of the tax bill"),
  currency: z.enum(["USD", "CAD"]).optional().describe("Present when any money is"),
};

const building = {
  buildingArea: whole("Square feet"),
  buildingCount: whole("Number of buildings; 0 only where the source says so"),
  yearBuilt: whole("Year"),
  stories: number("Number of storeys"),
  totalBedrooms: whole("Number of bedrooms"),
  totalBathrooms: number("Number of bathrooms"),
  transferDate: text("Date of the last sale or deed, YYYYMMDD"),
  transferDateObject: text("The same date as an instant at 00:00Z"),
  transferPrice: number("Price of the last sale, in `currency`; nominal prices are left out"),
  recordingDate: text("Date of recording, YYYYMMDD"),
  transferDocType: text("As published"),
  transferDocNum: text("As published"),
};

/** A parcel as the API returns it: what is known of it, every fact with provenance, never a polygon. */
export const PropertyRecord = z
  .looseObject({
    ...identity,
    ...situs,
    ...land,
    ...owner,
    ...use,
    ...values,
    ...building,
    provenance: Provenance,
    match: ParcelMatch.optional(),
    distanceMiles: number("Location search: great-circle miles to the served point, 3 decimals"),
    containsPoint: z
      .boolean()
      .optional()
      .describe("Location search, where boundaries are loaded: whether the outline holds the point"),
  })
  .meta({
    id: "Property",
    description:
      "A parcel: centroid and assessor attributes, each with source, vintage and confidence. An unknown field is left out, never 0 or null",
  });
export type PropertyRecord = z.infer<typeof PropertyRecord>;
