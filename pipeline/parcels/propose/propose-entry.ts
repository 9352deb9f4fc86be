import type {EsriField} from "@open-cattle/arcgis-layers";
import {
  codedFieldsOf,
  type FieldProposal,
  proposeCodedFields,
  type SourceColumn,
} from "@open-cattle/entry-proposer";
import {fixedWidthAdvice} from "@open-cattle/parcel-files";
import {UserError} from "../../../lib/errors.ts";
import {mainNames} from "../../../lib/parcels/conform/column-references.ts";
import {conformEntry} from "../../../lib/parcels/conform/entry-models.ts";
import {stagedNames} from "../../../lib/parcels/conform/file-cells.ts";
import type {StagedTable} from "../../../lib/parcels/conform/staged-table.ts";
import {stateFacts} from "../../../lib/registry/proposal-facts.ts";
import {proposedLayerMap} from "../../../lib/registry/proposed-layer-map.ts";
import {type Database, openDatabase, sqlName} from "../../../lib/sql/duckdb.ts";
import type {ArcgisPull} from "../../../schemas/layer-pull.ts";
import {type CadastreSource, ParcelSource} from "../../../schemas/parcel-source.ts";
import {temporaryFolder} from "../../raw/temporary-folder.ts";
import {isStated} from "../datasets.ts";
import {readDataset} from "../readers/read-dataset.ts";
import {onlyTable, type Table} from "./only-table.ts";

/** Limits for a proposed map; a person's entry in `data/sources/parcels` may set others. */
const plainAcceptance = {minRows: 0, maxRejectShare: 0.02, maxDropShare: 0.1, rows: []};

/** Facts of an entry that no file contains and that a person supplies. */
export type EntryDraft = Pick<ParcelSource, "id" | "name" | "publisher" | "licence" | "authority"> & {
  readonly country: "US" | "CA";
  readonly state: string;
  /** County keys, or the whole state; in that case a column must name the county. */
  readonly counties: "all" | readonly string[];
  /** Municipalities covered by a file that does not cover its whole county. */
  readonly places?: readonly string[] | undefined;
  /** Column with the parcel number, if the column names do not reveal it. */
  readonly parcelNumber?: string | undefined;
  /** Which table to read if the file has several, and the coordinate system if the file does not state it. */
  readonly layer?: string | undefined;
  readonly crs?: string | undefined;
  /** The layer of a service from which the file has its rows. */
  readonly sampledLayer?: SampledLayer | undefined;
};

/** Where a layer is, what it says of its fields, and how many rows it has, if it counts them. */
export type SampledLayer = {
  readonly url: string;
  readonly layer: {readonly name: string | null; readonly fields: readonly EsriField[]};
  readonly rowCount: number | null;
};

/** An entry proposed from a file, with the first rows that it yields. */
export type ProposedEntry = {
  readonly entry: ParcelSource;
  /** Rows of the file. */
  readonly rows: number;
  /** Number of rows that would be rejected, by code. */
  readonly rejected: Readonly<Record<string, number>>;
  /** The first ten rows that would be kept, with the parcel columns that have a value. */
  readonly sample: readonly Readonly<Record<string, unknown>>[];
  /**
   * Parcels among the kept rows, and the rows that merge into them: from a year older than the parcel's newest, or from another account.
   */
  readonly merges: {readonly parcels: number; readonly older: number; readonly others: number};
  /** Roles with several candidate columns, the chosen one first, with the filled and distinct cells among the sampled rows. */
  readonly choices: FieldProposal["choices"];
  /** Columns that the map does not use, each with its first distinct values. */
  readonly unused: readonly {readonly column: string; readonly values: readonly string[]}[];
  readonly notes: readonly string[];
};

/** Rows from which an entry is proposed. */
export const sampledRows = 600;
const shownRows = 10;
const shownValues = 3;
/** Share of the file's parcels that a later pull must contain. */
const minKeptShare = 0.9;

/**
 * Reads a file of parcels, proposes its registry entry from the column names, and returns it with sample output rows. Throws a `UserError`
 * for a file that no reader accepts, and if no column looks like a parcel number. Writes only below the system's temporary folder.
 */
export async function proposeEntry(path: string, draft: EntryDraft, asOf: string): Promise<ProposedEntry> {
  await using temp = await temporaryFolder("cattle-propose-");
  const dir = temp.path;
  using db = await openDatabase();
  const {state, layer, crs, sampledLayer, parcelNumber: idField} = draft;
  const {dataset, columns, header} = await onlyTable(db, path, {dir, state, layer, crs});
  if (idField !== undefined && !columns.includes(idField)) {
    throw new UserError(
      `${dataset.shownPath}: no column "${idField}" (--parcel-number); its columns are ${columns.slice(0, 60).join(", ")}.`,
    );
  }
  const stage = (table: string, wantedColumns: readonly string[]) =>
    readDataset({db, dataset, table, wantedColumns, tempDir: dir, layer, crs, header});
  const seen = await stage("seen", columns);
  const sampled = await sampledColumns(db, seen, columns);
  const described = sampled.columns.map((column) => ({...column, ...fieldFacts(column.name, sampledLayer)}));
  const context = {idField, state, outlineAcres: sampled.outlineAcres, facts: stateFacts};
  const proposal = proposeCodedFields(described, codedFieldsOf(sampledLayer?.layer.fields ?? []), context);
  const entry = entryOf(draft, proposal, {dataset, columns, header});
  // Staged names depend on each other when they differ only in case; then the file is read again with the final names.
  const alike = stagedNames(columns).some((name, i) => name !== columns[i]);
  const staged = alike ? await stage("staged", mainNames(entry)) : seen;
  await conformEntry(db, {entry, sources: sourcesOf(staged, asOf), asOf, into: "proposed"});
  const merges = await mergesOf(db);
  return {
    entry: {
      ...entry,
      accept: {
        ...entry.accept,
        minRows: Math.floor((sampledLayer?.rowCount ?? merges.parcels) * minKeptShare),
      },
    },
    rows: staged.rows + staged.malformed,
    ...(await outcome(db, staged.malformed)),
    merges,
    choices: proposal.choices,
    unused: unusedOf(proposal, sampled.columns),
    notes: [
      ...(header === undefined
        ? []
        : ["the header has a name without a column; without that name it is in `header`: check it"]),
      ...proposal.notes,
    ],
  };
}

/** Type and alias of a field, as its layer states them. */
function fieldFacts(
  name: string,
  sampledLayer: SampledLayer | undefined,
): Pick<SourceColumn, "type" | "alias"> {
  const field = sampledLayer?.layer.fields.find((each) => each.name === name);
  return {type: field?.type ?? undefined, alias: field?.alias ?? undefined};
}

/** The members of an entry by which a layer is pulled, or a file is read. */
function placeOf({sampledLayer, layer}: EntryDraft, {dataset}: Table) {
  if (sampledLayer === undefined)
    return {protocol: "http", format: dataset.extension, ...(layer === undefined ? {} : {layer})};
  const {name} = sampledLayer.layer;
  return {protocol: "arcgis", url: sampledLayer.url, ...(name === null ? {} : {layerName: name})};
}

/** Samples rows across the table (the same rows for all columns), with the acres of their outlines. */
async function sampledColumns(
  db: Database,
  {table, rows}: StagedTable,
  columns: readonly string[],
): Promise<{columns: SourceColumn[]; outlineAcres: (number | null)[]}> {
  const names = stagedNames(columns);
  const step = Math.max(1, Math.floor(rows / sampledRows));
  const cells = await db.rows<Record<string, string | number | null>>(
    `SELECT ${[...names.map(sqlName), '"~acres"'].join(", ")} FROM ${sqlName(table)} WHERE rowid % ${step} = 0 ORDER BY rowid LIMIT ${sampledRows}`,
  );
  const samples = (name: string) => cells.map((row) => String(row[name] ?? ""));
  return {
    columns: columns.map((name, i) => ({name, samples: samples(names[i]!)})),
    outlineAcres: cells.map((row) => row["~acres"] as number | null),
  };
}

function unusedOf({unused}: FieldProposal, columns: readonly SourceColumn[]): ProposedEntry["unused"] {
  return unused.map((column) => {
    const {samples = []} = columns.find(({name}) => name === column) ?? {};
    const values = [...new Set(samples.map((cell) => cell.trim().slice(0, 40)))].filter(
      (cell) => cell !== "",
    );
    return {column, values: values.slice(0, shownValues)};
  });
}

function entryOf(
  draft: EntryDraft,
  {ids: numbers, key, countyFrom, fields, vintage, owners, values, area, use}: FieldProposal,
  table: Table,
): ParcelSource {
  const {dataset, columns, header} = table;
  const {id, name, publisher, authority, licence, country, state, counties, places} = draft;
  const ids = numbers ?? (key === null ? null : {none: true, key});
  if (ids === null && columns.length === 1) {
    throw new UserError(
      fixedWidthAdvice(dataset) ??
        `${dataset.shownPath}: its lines have no delimiter that is known, such as a comma, a tab or |.`,
    );
  }
  if (ids === null) {
    throw new UserError(
      `${dataset.shownPath}: no column looks like a parcel number; say which one it is (--parcel-number). Its columns are ${columns.slice(0, 60).join(", ")}.`,
    );
  }
  const manyCounties = counties === "all" || counties.length > 1;
  if (manyCounties && countyFrom === null) {
    throw new UserError(
      `${dataset.shownPath}: no column looks like a county; say which county the file is of. Its columns are ${columns.slice(0, 60).join(", ")}.`,
    );
  }
  return ParcelSource.parse({
    ...{id, name, publisher, authority, licence, ids, fields, vintage, owners, values, area, use},
    coverage: {
      country,
      state,
      counties,
      ...(places === undefined ? {} : {places}),
      ...(manyCounties ? {countyFrom} : {}),
    },
    terms: {store: true, redistributeOwners: false, bulk: isStated(licence)},
    ...placeOf(draft, table),
    ...(header === undefined ? {} : {header: [...header]}),
    ...(draft.crs === undefined ? {} : {crs: draft.crs}),
    accept: {minRows: 0, maxRejectShare: 0.02, maxDropShare: 0.1, rows: []},
  });
}

async function mergesOf(db: Database): Promise<ProposedEntry["merges"]> {
  const [counted] = await db.rows<{parcels: number; older: number; kept: number}>(
    `SELECT count(DISTINCT parcel)::INTEGER AS parcels, count(*) FILTER (year < newest)::INTEGER AS older, count(*)::INTEGER AS kept FROM (
       SELECT county_key || ' ' || _key AS parcel, _year AS year, max(_year) OVER (PARTITION BY county_key, _key) AS newest
       FROM proposed WHERE _reject IS NULL)`,
  );
  const {parcels, older, kept} = counted!;
  return {parcels, older, others: kept - older - parcels};
}

function sourcesOf({table}: StagedTable, asOf: string) {
  return {main: [{file: 0, table, retrieved: asOf, layerEdit: null}], joins: {}};
}

async function outcome(db: Database, malformed: number): Promise<Pick<ProposedEntry, "rejected" | "sample">> {
  const rejects = await db.rows<{code: string; n: bigint}>(
    "SELECT _reject AS code, count(*) AS n FROM proposed WHERE _reject IS NOT NULL GROUP BY ALL ORDER BY ALL",
  );
  const kept = await db.rows(
    `SELECT * FROM proposed WHERE _reject IS NULL ORDER BY _file, _row LIMIT ${shownRows}`,
  );
  return {
    rejected: {
      ...(malformed > 0 ? {malformed_row: malformed} : {}),
      ...Object.fromEntries(rejects.map(({code, n}) => [code, Number(n)])),
    },
    sample: kept.map((row) =>
      Object.fromEntries(
        Object.entries(row).filter(([column, value]) => !column.startsWith("_") && says(value)),
      ),
    ),
  };
}

function says(value: unknown): boolean {
  return value !== null && !(Array.isArray(value) && value.length === 0);
}

/**
 * Returns the entry for a pulled layer of the cadastre registry, with the same map as for its answers on a miss. Returns a sentence if no
 * field is known to be the parcel number, or none names the county.
 */
export function entryOfLayer(source: CadastreSource, {fields}: ArcgisPull["layer"]): ParcelSource | string {
  const {coverage, cadastre, publisher, accept = plainAcceptance, ...facts} = source;
  const proposal = proposedLayerMap(source, fields);
  if (proposal === null) {
    const names = fields.map(({name}) => name);
    return `no field of the layer is known to be the parcel number; its fields are ${names.slice(0, 40).join(", ")}`;
  }
  const {countyFrom: proposed, ...map} = proposal;
  const isOneCounty = coverage.counties !== "all" && coverage.counties.length === 1;
  const countyFrom = coverage.countyFrom ?? (isOneCounty ? undefined : proposed);
  if (countyFrom === null) return "the layer has several counties, and no field of it is known to name them";
  return ParcelSource.parse({
    ...facts,
    ...map,
    publisher: publisher ?? facts.name,
    coverage: {...coverage, ...(countyFrom === undefined ? {} : {countyFrom})},
    cadastre,
    accept,
    ...(isWhole(source) ? {} : {proposedMap: true}),
  });
}

/** True for a source whose map was written by a person. */
function isWhole({ids, fields, vintage}: CadastreSource): boolean {
  return ids !== undefined && fields !== undefined && vintage !== undefined;
}
