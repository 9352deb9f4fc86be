import {UserError} from "../../../lib/errors.ts";
import {summarizeGeometry} from "../../../lib/geography/geometry/summarize.ts";
import type {SourceRecord} from "../../../lib/parcels/conform/staged-table.ts";
import {type DbfTable, openDbf} from "./dbf.ts";
import {fileBeside, textOfFile} from "./files-beside.ts";
import {type Dataset, NotATable, type Reader} from "./reader.ts";
import {openShapes, type Shapes} from "./shapes.ts";
import {sourceProjection} from "./source-crs.ts";
import {stageColumns} from "./stage-columns.ts";

/** Extensions of the files that belong to a .shp of the same name. */
const parts = ["dbf", "shx", "prj", "cpg", "sbn", "sbx", "qix", "fbn", "fbx", "ain", "aih", "qpj", "cst"];

/** Reads a shapefile with its .dbf, .shx, .prj and .cpg beside it (ESRI Shapefile Technical Description, July 1998). */
export const shapefileReader: Reader = {
  name: "shapefile",
  knows: ({extension}) => extension === "shp",
  async read(request) {
    const {dataset, crs} = request;
    const {path, shown, siblings} = dataset;
    const attributes = fileBeside(path, siblings, "dbf");
    if (attributes === undefined)
      throw new UserError(
        `${shown}: no .dbf of this name beside it; the attributes of the parcels were expected there.`,
      );
    const project = sourceProjection(
      crs,
      {wkt: await textOfFile(fileBeside(path, siblings, "prj"))},
      `${shown} (no .prj beside it that says it)`,
    );
    await using shapes = await openShapes(path, fileBeside(path, siblings, "shx"), shown);
    await using table = await openDbf(
      {...dataset, path: attributes, shown: `${shown} (its .dbf)`},
      request.encoding,
    );
    if (shapes.count !== null && shapes.count !== table.records) {
      throw new UserError(
        `${shown}: ${shapes.count} shapes, but ${table.records} records of attributes beside it: the files do not belong together.`,
      );
    }
    return await stageColumns(request, table.columns, (needed) => records({shapes, table, needed}, project));
  },
};

/** Leaves out a file that is read with the .shp of its name in the same folder. */
export const shapefilePartReader: Reader = {
  name: "part of a shapefile",
  knows: (dataset) => parts.includes(dataset.extension) && mainFile(dataset) !== undefined,
  async read({dataset}) {
    throw new NotATable(`${dataset.shown}: read with the .shp of its name.`);
  },
};

function mainFile({path, siblings}: Dataset): string | undefined {
  return fileBeside(path, siblings, "shp");
}

type OpenShapefile = {readonly shapes: Shapes; readonly table: DbfTable; readonly needed: readonly string[]};

async function* records(
  {shapes, table, needed}: OpenShapefile,
  project: Parameters<typeof summarizeGeometry>[1],
): AsyncGenerator<SourceRecord> {
  for (let record = 0; record < table.records; record++) {
    const shape = await shapes.shape(record);
    const cells = await table.cells(record, needed);
    if (cells !== null) yield {cells, geometry: summarizeGeometry(shape, project)};
  }
}
