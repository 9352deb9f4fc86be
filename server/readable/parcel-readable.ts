import {parcelCard} from "./parcel-card.ts";
import {type ParcelMetadata, type ParcelRecord, ParcelShape} from "./parcel-shape.ts";
import {
  type ColumnOf,
  coverageText,
  joined,
  numberText,
  type Readable,
  type ReadableTable,
  tableOf,
} from "./readable.ts";

/** Gives a parcel answer in words: the card of one parcel or the table of a page, and what it rests on below. */
export function parcelReadable(answer: unknown): Readable {
  const {property, properties = [], metadata} = ParcelShape.parse(answer);
  if (property !== undefined) {
    return {
      above: [],
      tables: [parcelCard(property)],
      below: [...matchLines(property), ...below(metadata)],
    };
  }
  const none = properties.length === 0;
  return {
    above: none ? ["No parcel fits."] : [],
    tables: none ? [] : [parcelTable(properties)],
    below: [...pageLines(properties.length, metadata), ...below(metadata)],
  };
}

/** Gives a table with a line for each parcel. */
export function parcelTable(parcels: readonly ParcelRecord[]): ReadableTable {
  return tableOf(listColumns, parcels);
}

const listColumns: readonly ColumnOf<ParcelRecord>[] = [
  {name: "parcel", cell: ({parcelUid}) => parcelUid},
  {name: "address", cell: ({address, city}) => joined([address, city])},
  {name: "county", cell: ({county, state}) => `${county}, ${state}`, optional: 2},
  {name: "owner", cell: ({ownerName}) => ownerName ?? ""},
  {name: "acres", cell: ({acres}) => numberText(acres), right: true},
  {name: "use", cell: ({landUseCategory}) => landUseCategory ?? ""},
  {name: "miles", cell: ({distanceMiles}) => numberText(distanceMiles), right: true},
  {name: "as of", cell: ({provenance}) => provenance.default.vintage},
  {
    name: "confidence",
    cell: ({provenance}) => provenance.default.confidence.toFixed(2),
    right: true,
    optional: 1,
  },
  {name: "source", cell: ({provenance}) => provenance.default.source, optional: 3},
];

function matchLines({match}: ParcelRecord): [string, string][] {
  if (match == null) return [];
  const score = match.score == null ? "" : ` (${match.score})`;
  const notes = (match.notes ?? []).length === 0 ? "" : `; ${match.notes?.join(", ")}`;
  return [["Match", `${match.type}${score}${notes}`]];
}

function pageLines(count: number, {total, offset}: ParcelMetadata): [string, string][] {
  if (count === 0 || total == null) return [];
  const first = (offset ?? 0) + 1;
  return [["Shown", `${first} to ${first + count - 1} of ${numberText(total)}`]];
}

function below({sources, coverage, lookup, limitations}: ParcelMetadata): [string, string][] {
  const named = sources.map(({id, name, vintage, licence}) => joined([`${name} (${id})`, vintage, licence]));
  const county = lookup.cadastreStatus === "not_asked" ? "" : `; county service: ${lookup.cadastreStatus}`;
  const lines: [string, string][] = [
    ["Sources", named.join("; ")],
    ["Coverage", coverageText(coverage)],
    ["From", `${lookup.origin}${county}`],
    ["Limitations", limitations.join(" ")],
  ];
  return lines.filter(([, text]) => text !== "");
}
