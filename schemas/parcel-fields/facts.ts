import {z} from "zod";
import {column, fact, finds, integer, member, type ParcelField, required} from "./parcel-field.ts";
import * as text from "./texts.ts";

const ownerKinds = [
  "person",
  "persons",
  "trust",
  "estate",
  "company",
  "government",
  "nonprofit",
  "unknown",
] as const;

export const owner: readonly ParcelField[] = [
  column("owner", "owner_raw", "text", "Owner lines as published, joined by `; `"),
  fact(
    "owner",
    ["owner_name", "text"],
    "ownerName",
    ["Recorded names, joined by `; `", "Recorded names, joined by `; `; only if the source publishes them"],
    {mapped: "owner_raw", json: text.published("owner_name"), traits: finds},
  ),
  column("owner", "owner_last", "text", "Last names in search form, one per recorded person, joined by `; `"),
  fact("owner", ["mail_line1", "text"], "ownerAddressLine1", ["Mailing address of the owner"], {
    json: text.published("mail_line1"),
  }),
  fact("owner", ["mail_city", "text"], "ownerCity", ["Mailing city"], {
    json: text.published("mail_city"),
  }),
  fact("owner", ["mail_state", "text"], "ownerState", ["Mailing state"], {
    json: text.published("mail_state"),
  }),
  fact("owner", ["mail_zip", "text"], "ownerZipCode", ["Mailing ZIP"], {
    json: text.published("mail_zip"),
  }),
  column("owner", "owner_care_of", "text", "Care-of part, never searched"),
  fact(
    "owner",
    ["owner_kind", "dictionary"],
    "ownerKind",
    [ownerKinds.map((kind) => `\`${kind}\``).join(", "), "Kind of owner that the owner line shows"],
    {
      shape: z.enum(ownerKinds),
      made: "parsed",
      mapped: "owner_raw",
      json: text.published("owner_kind"),
      traits: finds,
    },
  ),
  column("owner", "owner_tokens", "list", "Search tokens of the recorded names, in order", finds),
  column("owner", "owner_withheld", "bool", "True if the source withholds the owner", required),
];

export const area: readonly ParcelField[] = [
  fact("land", ["acres", "float64"], "acres", ["Area in acres, 4 decimals"], {made: "area", traits: finds}),
  column("land", "land_area_sqft", "float64", "Area in square feet"),
  member("land", "landArea", "Area in square feet", {
    shape: integer,
    made: "squareFeet",
    mapped: "acres",
    json: text.squareFeet,
  }),
  fact(
    "land",
    ["acres_basis", "dictionary"],
    "acresBasis",
    ["`deeded`, `assessed` or `computed`", "What the area is based on"],
    {shape: z.enum(["deeded", "assessed", "computed"]), made: "area", mapped: "acres", json: text.acresBasis},
  ),
  fact(
    "location",
    ["geom_acres", "float64"],
    "acresComputed",
    [
      "Geodesic area of the outline, for checks",
      "Acres of the map outline, if they differ from the stated `acres` by more than 5 percent",
    ],
    {made: "outline", section: "land", mapped: null, json: text.otherAcres, traits: finds},
  ),
];

/** Assessed, market and taxable values are separate members; the parts of one total have its kind beside them. */
export const value: readonly ParcelField[] = [
  fact("value", ["assessed_value", "money"], "totalAssessedValue", ["Assessed value, in `currency`"]),
  fact(
    "value",
    ["land_value", "money"],
    "totalLandValue",
    ["Land part of the value of `value_kind`", "Land part of the value of `valuePartsKind`, in `currency`"],
    {json: text.valuePart("land_value")},
  ),
  fact(
    "value",
    ["building_value", "money"],
    "totalBuildingValue",
    [
      "Building part of the value of `value_kind`",
      "Building part of the value of `valuePartsKind`, in `currency`",
    ],
    {json: text.valuePart("building_value")},
  ),
  fact(
    "value",
    ["value_kind", "dictionary"],
    "valuePartsKind",
    [
      "What `land_value` and `building_value` are parts of: `assessed`, `market` or `use`",
      "What `totalLandValue` and `totalBuildingValue` are parts of",
    ],
    {shape: z.enum(["assessed", "market", "use"]), mapped: null, json: text.valuePartsKind},
  ),
  fact("value", ["market_land_value", "money"], "marketLandValue", [
    "Land part of the market value, where the source prints assessed parts too",
    "Land part of the market value, in `currency`, where the source publishes assessed parts too",
  ]),
  fact("value", ["market_building_value", "money"], "marketBuildingValue", [
    "Building part of the market value, where the source prints assessed parts too",
    "Building part of the market value, in `currency`, where the source publishes assessed parts too",
  ]),
  fact(
    "value",
    ["market_value", "money"],
    "totalMarketValue",
    ["Estimate of price", "Market estimate, in `currency`"],
    {traits: finds},
  ),
  fact("value", ["taxable_value", "money"], "taxableValue", [
    "Assessed less exemptions",
    "Assessed value less exemptions, in `currency`",
  ]),
  fact("value", ["use_value", "money"], "useValue", [
    "Agricultural productivity value",
    "Agricultural productivity value, in `currency`; not a market value",
  ]),
  fact("value", ["tax_amount", "money"], "taxValue", [
    "Tax billed for `tax_year`",
    "Tax billed for `taxYear`, in `currency`",
  ]),
  fact("value", ["assessed_year", "int16"], "assessedYear", ["Roll year of the assessed value"]),
  fact("value", ["market_year", "int16"], "marketValueYear", [
    "Roll year of the market value",
    "Roll year of the market estimate",
  ]),
  fact("value", ["tax_year", "int16"], "taxYear", ["Year of the tax bill"]),
  fact(
    "value",
    ["currency", "dictionary"],
    "currency",
    ["`USD` or `CAD`, if there is any amount of money", "Present if there is any amount of money"],
    {shape: z.enum(["USD", "CAD"]), mapped: null, json: text.currency},
  ),
];

export const transfer: readonly ParcelField[] = [
  fact("transfer", ["transfer_date", "date"], "transferDate", [
    "Date of the last sale or deed",
    "Date of the last sale or deed, YYYYMMDD",
  ]),
  member("transfer", "transferDateObject", "The same date as an instant at 00:00Z", {
    mapped: "transfer_date",
    json: text.midnight("transfer_date"),
  }),
  fact("transfer", ["recording_date", "date"], "recordingDate", [
    "Date of recording",
    "Date of recording, YYYYMMDD",
  ]),
  fact("transfer", ["transfer_price", "money"], "transferPrice", [
    "Price of the last sale; nominal prices are null",
    "Price of the last sale, in `currency`; nominal prices are left out",
  ]),
  fact("transfer", ["transfer_doc_type", "text"], "transferDocType", [
    "Document type, as published",
    "As published",
  ]),
  fact("transfer", ["transfer_doc_num", "text"], "transferDocNum", ["Document number, as published"]),
  fact("transfer", ["deed_book", "text"], "bookNum", ["Deed book of the last transfer, as published"]),
  fact("transfer", ["deed_page", "text"], "pageNum", ["Deed page of the last transfer, as published"]),
];

const landTexts: readonly (readonly [name: string, member: string, about?: string])[] = [
  ["legal_desc", "legalDesc", "Legal description, as published"],
  ["subdivision", "subdivision"],
  ["block_num", "blockNum"],
  ["lot_num", "lotNum"],
  ["sec_twn_rng", "secTwnRng", "Section, township, range, as published"],
  ["zoning_code", "zoningCode"],
  ["neighborhood", "neighborhood"],
  ["jurisdiction", "jurisdiction"],
  ["census_tract", "siteCensusTract"],
  ["tax_rate_area", "taxRateCodeArea", "Tax district or levy code, as published"],
];

/** What identifies the land beside its parcel number. A source without areas may have these, so they are not in the area's group. */
export const land: readonly ParcelField[] = [
  ...landTexts.map(([name, named, about = "As published"]) =>
    fact("identity", [name, "text"], named, [about], {section: "land"}),
  ),
  fact("identity", ["frontage_ft", "float32"], "frontage", ["Feet along the street"], {
    section: "land",
  }),
  fact("identity", ["depth_ft", "float32"], "depthSize", ["Feet deep; never multiplied to an area"], {
    section: "land",
  }),
];

/** Facts about buildings; a published 0 means unknown. */
export const building: readonly ParcelField[] = [
  fact("building", ["building_area", "int32"], "buildingArea", ["Square feet"]),
  fact("building", ["building_count", "int16"], "buildingCount", [
    "Number of buildings",
    "Number of buildings; 0 only if the source says so",
  ]),
  fact("building", ["units_count", "int32"], "unitsCount", ["Dwellings or units of the parcel"]),
  fact("building", ["year_built", "int16"], "yearBuilt", ["Year"]),
  fact("building", ["stories", "float32"], "stories", ["Number of storeys"]),
  fact("building", ["bedrooms", "int16"], "totalBedrooms", ["Number of bedrooms"]),
  fact("building", ["bathrooms", "float32"], "totalBathrooms", ["Number of bathrooms"]),
];
