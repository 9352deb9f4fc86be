import {makeWhole} from "@open-cattle/safe-files";
import {type Command, Option} from "commander";
import {countWords} from "../../lib/counts.ts";
import {isUserError, UsageError, UserError} from "../../lib/errors.ts";
import {stateCodeOf} from "../../lib/geography/states.ts";
import {makeViews} from "../../lib/sql/build-views.ts";
import {type Database, openDatabase} from "../../lib/sql/duckdb.ts";
import {copySql} from "../../lib/sql/sql-path.ts";
import {buildFolder, publishedBuildId} from "../../lib/storage/data-folder.ts";
import {chosenData, print} from "./command-line.ts";
import {
  countExported,
  type ExportRequest,
  exportedSql,
  type LayerName,
  layerNames,
} from "./export/export-layers.ts";
import {exportFlatGeobuf} from "./export/write-flatgeobuf.ts";
import {exportGeoPackage} from "./export/write-geopackage.ts";

type Flags = {
  state: string;
  format: keyof typeof formats;
  layer?: LayerName;
  to?: string;
  out?: string;
  build?: string;
};

const formats = {gpkg: exportGeoPackage, fgb: exportFlatGeobuf, csv: exportCsv} as const;

/** Adds `export`, which writes a state's parcels for programs that cannot read Parquet. */
export function exportCommand(cattle: Command): void {
  cattle
    .command("export")
    .description(
      "write the parcels of a state for programs without Parquet: a GeoPackage with points and outlines, FlatGeobuf with either, or CSV",
    )
    .requiredOption("--state <XX>", "state or province, by code or name")
    .addOption(
      new Option("--format <format>", "format of the file")
        .choices(Object.keys(formats))
        .makeOptionMandatory(),
    )
    .addOption(
      new Option(
        "--layer <layer>",
        "layer of a FlatGeobuf file: points of all parcels (the default), or outlines",
      ).choices(layerNames),
    )
    .option("--to <file>", "path of the new file (default: a name such as parcels-XX.gpkg)")
    .option("--out <dir>", "data folder, instead of CATTLE_DATA")
    .option("--build <id>", "use this build instead of the published one")
    .action(async ({state: named, format, layer = "parcels", to, out, build}: Flags) => {
      if (layer !== "parcels" && format !== "fgb") {
        throw new UsageError(`--layer: --format ${format} has no choice of layers; fgb has.`);
      }
      const data = chosenData(out);
      const buildId = build ?? (await publishedBuildId(data));
      const state = stateCodeOf(named) ?? named;
      const path = to ?? `${layer}-${state}.${format}`;
      using db = await openDatabase();
      const views = await makeViews(db, buildFolder(data, buildId));
      const rows = await formats[format](db, {
        state,
        path,
        layer,
        hasOutlines: views.includes("boundaries"),
      });
      print(`${path}: ${countWords(rows)} parcels of ${state}, build ${buildId}`);
    });
}

/** Writes a state's parcels as CSV with a header and returns their number. Throws a `UserError` if the file cannot be written. */
async function exportCsv(db: Database, request: ExportRequest): Promise<number> {
  const rows = await countExported(db, request);
  const sql = `${exportedSql(request.state)} ORDER BY p.county_key, p.parcel_uid`;
  const copy = (beside: string) => db.run(copySql(sql, beside, "FORMAT csv, HEADER true"));
  await makeWhole(request.path, copy).catch((error: Error) => {
    throw isUserError(error) ? error : new UserError(`${request.path}: cannot be written: ${error.message}`);
  });
  return rows;
}
