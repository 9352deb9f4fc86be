import type {ParcelRecord, Provenance} from "./parcel-shape.ts";
import {type ColumnOf, joined, numberText, type ReadableTable, tableOf} from "./readable.ts";

/** One line of a card: what it is, its text, and the member of the record whose provenance it has. */
type Line = {readonly about: string; readonly text: string; readonly member: string};

/** Gives the card of one parcel: each known fact with its vintage and confidence. */
export function parcelCard(record: ParcelRecord): ReadableTable {
  return tableOf(cardColumns(record.provenance), cardLines(record), `Parcel ${record.parcelUid}`);
}

/** Gives the facts of a card in order of reading; unknown ones are left out. */
export function cardLines(record: ParcelRecord): Line[] {
  const r = record;
  const lines: [about: string, member: string, text: string | null | undefined][] = [
    ["parcel number", "parcelId", r.parcelId],
    ["address", "address", r.addressFull ?? r.address],
    ["county", "county", `${r.county}, ${r.state}`],
    ["owner", "ownerName", joined([r.ownerName, r.ownerKind == null ? null : `(${r.ownerKind})`], " ")],
    ["mail", "ownerAddressLine1", joined([r.ownerAddressLine1, r.ownerCity, r.ownerState, r.ownerZipCode])],
    ["acres", "acres", measured(r.acres, r.acresBasis)],
    ["use", "landUseCategory", r.landUseCategory],
    ["use code", "useCode", joined([r.useCode, r.useDescription], " ")],
    ["market value", "totalMarketValue", money(r.totalMarketValue, r.marketValueYear, r.currency)],
    ["assessed value", "totalAssessedValue", money(r.totalAssessedValue, r.assessedYear, r.currency)],
    ["taxable value", "taxableValue", money(r.taxableValue, null, r.currency)],
    ["use value", "useValue", money(r.useValue, null, r.currency)],
    ["tax", "taxValue", money(r.taxValue, r.taxYear, r.currency)],
    ["sold", "transferDate", joined([isoDate(r.transferDate), money(r.transferPrice, null, r.currency)])],
    ["building", "buildingArea", r.buildingArea == null ? null : `${numberText(r.buildingArea)} sq ft`],
    ["built", "yearBuilt", r.yearBuilt == null ? null : String(r.yearBuilt)],
    ["zoning", "zoningCode", r.zoningCode],
    ["subdivision", "subdivision", r.subdivision],
    ["section", "secTwnRng", r.secTwnRng],
    ["legal", "legalDesc", r.legalDesc],
    ["point", "latitude", pointText(r)],
  ];
  return lines.flatMap(([about, member, text]) =>
    text == null || text === "" ? [] : [{about, member, text}],
  );
}

/** Gives source, vintage and confidence of a fact: those of the record, but where the fact has its own. */
export function provenanceOf({default: usual, fields}: Provenance, member: string) {
  const own = fields[member];
  return {
    source: own?.source ?? usual.source,
    vintage: own?.vintage ?? usual.vintage,
    confidence: own?.confidence ?? usual.confidence,
  };
}

function cardColumns(provenance: Provenance): ColumnOf<Line>[] {
  return [
    {name: "", cell: ({about}) => about},
    {name: "", cell: ({text}) => text},
    {name: "as of", cell: ({member}) => provenanceOf(provenance, member).vintage},
    {
      name: "confidence",
      cell: ({member}) => provenanceOf(provenance, member).confidence.toFixed(2),
      right: true,
    },
    {name: "source", cell: ({member}) => provenanceOf(provenance, member).source, optional: 1},
  ];
}

function measured(acres: number | null | undefined, basis: string | null | undefined): string | null {
  return acres == null ? null : joined([numberText(acres), basis == null ? null : `(${basis})`], " ");
}

function money(
  value: number | null | undefined,
  year: number | null | undefined,
  currency: string | null | undefined,
): string | null {
  if (value == null) return null;
  return joined([numberText(value), currency ?? "USD", year == null ? null : `(${year})`], " ");
}

function isoDate(text: string | null | undefined): string | null {
  return text == null ? null : text.replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3");
}

function pointText({latitude, longitude, pointMethod}: ParcelRecord): string | null {
  if (latitude == null || longitude == null) return null;
  return joined([`${latitude}, ${longitude}`, pointMethod == null ? null : `(${pointMethod})`], " ");
}
