import type {PropertyRecord} from "../../schemas/parcel-record.ts";
import {joined, type Table, tableOf, valueText} from "./description.ts";

/** One line of a card: what it is about, the members it is made of, and their text where it is more than a list. */
type CardFact = readonly [about: string, members: readonly string[], text?: (values: unknown[]) => string];

/** The facts of a card in order of reading. The first member of each has its provenance. */
export const cardFacts: readonly CardFact[] = [
  ["parcel number", ["parcelId"]],
  ["address", ["address", "addressFull"], ([line, whole]) => valueText(whole ?? line)],
  ["county", ["county", "state"]],
  ["owner", ["ownerName", "ownerKind"], noted],
  ["mail", ["ownerAddressLine1", "ownerCity", "ownerState", "ownerZipCode"]],
  ["acres", ["acres", "acresBasis"], noted],
  ["use", ["landUseCategory"]],
  ["use code", ["useCode", "useDescription"], (values) => joined(values, " ")],
  ["market value", ["totalMarketValue", "currency", "marketValueYear"], money],
  ["assessed value", ["totalAssessedValue", "currency", "assessedYear"], money],
  ["taxable value", ["taxableValue", "currency"], money],
  ["use value", ["useValue", "currency"], money],
  ["tax", ["taxValue", "currency", "taxYear"], money],
  ["sold", ["transferDate", "transferPrice", "currency"], sold],
  ["building", ["buildingArea"], ([area]) => (area === undefined ? "" : `${valueText(area)} sq ft`)],
  ["built", ["yearBuilt"], ([year]) => String(year ?? "")],
  ["zoning", ["zoningCode"]],
  ["subdivision", ["subdivision"]],
  ["section", ["secTwnRng"]],
  ["legal", ["legalDesc"]],
  ["point", ["latitude", "longitude", "pointMethod"], point],
];

/** Gives the card of one parcel: each known fact with its vintage, confidence and source. */
export function parcelCard(record: PropertyRecord): Table[] {
  const {default: usual, fields} = record.provenance;
  const lines = cardFacts.map(([about, members, text = joined]) => ({
    about,
    text: text(members.map((name) => record[name])),
    ...usual,
    ...fields[members[0]!],
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

function noted([value, note]: unknown[]): string {
  return joined([value, note === undefined ? "" : `(${note})`], " ");
}

function money([value, currency = "USD", year]: unknown[]): string {
  return value === undefined ? "" : noted([`${valueText(value)} ${currency}`, year]);
}

function sold([date, price, currency]: unknown[]): string {
  return joined([valueText(date).replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3"), money([price, currency])]);
}

function point([latitude, longitude, method]: unknown[]): string {
  return latitude === undefined ? "" : noted([`${latitude}, ${longitude}`, method]);
}
