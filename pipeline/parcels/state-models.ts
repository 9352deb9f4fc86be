import {mkdir} from "node:fs/promises";
import {join} from "node:path";
import {type AnyModel, model, value} from "../../lib/models/model.ts";
import {registeredSource, type SourceRegistry} from "../../lib/parcels/record/source-facts.ts";
import {writeBlockSums} from "../../lib/storage/arrow-file/block-sums.ts";
import {stateServing} from "../../lib/storage/build-layout.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import {addressedParcels} from "./files/addressed-rows.ts";
import {
  boundaryModels,
  parcelsFile,
  provenanceFile,
  rejectsFile,
  type StateTables,
} from "./files/parquet-files.ts";
import {type FileFacts, provenanceModels} from "./files/provenance-table.ts";
import {writeIndexes, writePoints, writeTables} from "./files/write-serving-files.ts";
import {mergedFacts} from "./merged-facts.ts";
import {orderedParcels} from "./order.ts";
import {outlineModels} from "./outlines/outline-models.ts";
import {rejectsSql} from "./parcel-reports.ts";
import type {AcceptedEntry} from "./state-facts.ts";

type Merged = {readonly inputs: readonly AnyModel[]; readonly merged: AnyModel; readonly copied: AnyModel};

type StateFiles = {
  readonly tables: StateTables;
  /** `YYYY-MM-DD`: the day from which ages are counted. */
  readonly asOf: string;
  readonly entries: readonly ParcelSource[];
};

/** The models of a state from its merged parcels to its files. */
export function stateModels(
  accepted: readonly AcceptedEntry[],
  {merged, inputs, copied}: Merged,
  {tables, asOf, entries}: StateFiles,
) {
  const outlines = outlineModels(merged);
  const {provenance, origins} = provenanceModels(merged, fileFacts(accepted));
  const facts = value("facts of the parcels", ({db}) => mergedFacts(db, outlines.flagged.name));
  const parcels = parcelsFile(
    {
      reads: [outlines.flagged, origins],
      query: async (run) =>
        orderedParcels({
          merged: outlines.flagged.name,
          state: tables.state,
          facts: await run.value(facts),
        }),
      extent: async (run) => (await run.value(facts)).extent,
    },
    tables,
  );
  const {rows: boundaryRows, boundaries} = boundaryModels(parcels, outlines.outlines, tables);
  const addressed = addressedParcels(parcels);
  const serving = model({
    name: "serving_files",
    reads: [parcels, provenance, boundaryRows, addressed],
    columns: {},
    writes: async (run) => {
      const outDir = join(tables.outDir, stateServing(tables.state));
      await mkdir(outDir, {recursive: true});
      const {rows, points, constants} = await run.value(facts);
      const table = parcels.name;
      const hasOutlines = (await run.rows(boundaryRows, "LIMIT 1")).length > 0;
      const served = {table, rows, constants, hasOutlines};
      const beside = await run.db.beside();
      // Writing the tables keeps this thread busy, building the indexes those of the database.
      const written = await Promise.allSettled([
        writeTables(run.db, served, {outDir, asOf, sources: sourceRegistry(entries)}),
        writeIndexes(beside, {table, addressed: addressed.name}, outDir).then(() =>
          writePoints(beside, {table, outDir, points}),
        ),
      ]);
      beside.close();
      for (const part of written) if (part.status === "rejected") throw part.reason;
      await writeBlockSums(outDir);
    },
  });
  const rejects = rejectsFile({reads: [...inputs, copied], sql: rejectsSql(accepted, copied.name)}, tables);
  return {
    outlines,
    facts,
    provenance,
    parcels,
    boundaryRows,
    boundaries,
    serving,
    listed: [provenanceFile(provenance, tables), rejects],
  };
}

function fileFacts(accepted: readonly AcceptedEntry[]): FileFacts[] {
  return accepted.flatMap(({entry, files}) =>
    files.map(({number, file}) => ({
      number,
      source_id: entry.id,
      authority: entry.authority,
      retrieved_at: file.retrievedAt,
      proposed_map: file.proposedMap ?? entry.proposedMap === true,
      retrieved_assumed: file.retrievedAtFrom === "assumed",
    })),
  );
}

/**
 * Looks up the state's entries by id. For query-only layers it returns the registry's version even if the layer was pulled as a whole: its
 * proposed map is no more reliable for a file's row than for an answer's.
 */
function sourceRegistry(entries: readonly ParcelSource[]): SourceRegistry {
  const own = new Map(entries.map((entry) => [entry.id, entry]));
  return (id) =>
    (own.get(id)?.proposedMap === true ? registeredSource(id) : undefined) ??
    own.get(id) ??
    registeredSource(id);
}
