import type {PropertyRecord} from "../../schemas/parcel-record.ts";
import {joined, type Table, tableOf, valueText} from "./description.ts";

/** One line of a card: the members shown (the first one's provenance counts), and a member added in brackets. */
type CardFact = {
  readonly about: string;
  readonly of: readonly string[];
  readonly unit?: "currency" | "sq ft";
  readonly note?: string;
};

/** The facts of a card in reading order. */
export const cardFacts: readonly CardFact[] = [
  {about: "parcel number", of: ["parcelId"]},
  {about: "address", of: ["addressFull"]},
  {about: "county", of: ["county", "state"]},
  {about: "owner", of: ["ownerName"], note: "ownerKind"},
  {about: "mail", of: ["ownerAddressLine1", "ownerCity", "ownerState", "ownerZipCode"]},
  {about: "acres", of: ["acres"], note: "acresBasis"},
  {about: "use", of: ["landUseCategory"]},
  {about: "use code", of: ["useCode", "useDescription"]},
  {about: "market value", of: ["totalMarketValue"], unit: "currency", note: "marketValueYear"},
  {about: "assessed value", of: ["totalAssessedValue"], unit: "currency", note: "assessedYear"},
  {about: "taxable value", of: ["taxableValue"], unit: "currency"},
  {about: "use value", of: ["useValue"], unit: "currency"},
  {about: "tax", of: ["taxValue"], unit: "currency", note: "taxYear"},
  {about: "sold", of: ["transferDate"]},
  {about: "sale price", of: ["transferPrice"], unit: "currency"},
  {about: "building", of: ["buildingArea"], unit: "sq ft"},
  {about: "built", of: ["yearBuilt"]},
  {about: "zoning", of: ["zoningCode"]},
  {about: "subdivision", of: ["subdivision"]},
  {about: "section", of: ["secTwnRng"]},
  {about: "legal", of: ["legalDesc"]},
  {about: "point", of: ["latitude", "longitude"], note: "pointMethod"},
];

/** The card of one parcel: each known fact with its vintage, confidence and source. */
export function parcelCard(record: PropertyRecord): Table[] {
  const {default: usual, fields} = record.provenance;
  const lines = cardFacts.map((fact) => ({
    about: fact.about,
    text: factText(record, fact),
    ...usual,
    ...fields[fact.of[0]!],
  }));
  return tableOf(
    [
      {header: "", cell: ({about}) => about},
      {header: "", cell: ({text}) => text},
      {header: "as of", cell: ({vintage}) => vintage},
      {header: "confidence", cell: ({confidence}) => confidence.toFixed(2), right: true},
      {header: "source", cell: ({source}) => source, priority: 1},
    ],
    lines.filter(({text}) => text !== ""),
    `Parcel ${record.parcelUid}`,
  );
}

function factText(record: PropertyRecord, {of, unit, note = ""}: CardFact): string {
  const known = joined(of.map((name) => memberText(name, record[name])));
  const noted = memberText(note, record[note]);
  const measure = unit === "currency" ? (record["currency"] ?? "USD") : unit;
  return known && joined([known, measure, noted && `(${noted})`], " ");
}

/** Years and coordinates are not amounts: no thousands separator, and all decimals. */
function memberText(name: string, value: unknown): string {
  if (name === "transferDate") return valueText(value).replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3");
  return /year|itude/i.test(name) ? String(value ?? "") : valueText(value);
}
