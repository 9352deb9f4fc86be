import {type Command, Option} from "commander";
import {UserError} from "../../lib/errors.ts";
import {openDatabase} from "../../lib/sql/duckdb.ts";
import {buildFolder, currentBuildId} from "../../lib/storage/data-folder.ts";
import {exportCsv} from "./export/csv.ts";
import {exportGeoPackage} from "./export/geopackage.ts";
import {print} from "./output.ts";
import {chosenData} from "./settings.ts";
import {makeViews} from "./sql-views.ts";

type Flags = {state: string; format: keyof typeof formats; to?: string; out?: string; build?: string};

const formats = {gpkg: exportGeoPackage, csv: exportCsv} as const;

/** Adds `export`, which writes the parcels of a state for programs that read no Parquet. */
export function exportCommand(cattle: Command): void {
  cattle
    .command("export")
    .description(
      "write the parcels of a state for programs without Parquet: a GeoPackage with points and outlines, or CSV",
    )
    .requiredOption("--state <XX>", "state or province, two letters")
    .addOption(
      new Option("--format <format>", "form of the file").choices(Object.keys(formats)).makeOptionMandatory(),
    )
    .option("--to <file>", "the new file; else parcels-XX.gpkg or parcels-XX.csv")
    .option("--out <dir>", "data folder, in place of CATTLE_DATA")
    .option("--build <id>", "another build than the published one")
    .action(async ({state: letters, format, to, out, build}: Flags) => {
      const data = chosenData(out);
      const buildId = build ?? (await currentBuildId(data));
      if (buildId === null) throw new UserError(`${data.current}: nothing is published. Run "cattle build".`);
      const state = letters.toUpperCase();
      const path = to ?? `parcels-${state}.${format}`;
      const db = await openDatabase();
      try {
        const views = await makeViews(db, buildFolder(data, buildId));
        const rows = await formats[format](db, {state, path, hasOutlines: views.includes("boundaries")});
        print(`${path}: ${rows.toLocaleString("en-US")} parcels of ${state}, build ${buildId}`);
      } finally {
        db.close();
      }
    });
}
