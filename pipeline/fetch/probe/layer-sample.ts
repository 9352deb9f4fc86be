import {join} from "node:path";
import {
  type ArcgisLayer,
  countRows,
  type EsriLayerName,
  EsriService,
  parseServerJson,
  rowsForm,
} from "@open-cattle/arcgis-layers";
import {writeWhole} from "@open-cattle/safe-files";
import {messageOf, UserError} from "../../../lib/errors.ts";
import {askLayer, askSample, LayerError, pullAsker} from "../arcgis/layer-question.ts";
import {FetchError} from "../client/fetch-error.ts";
import {PoliteClient} from "../client/polite-client.ts";
import {askJson} from "../jobs/document.ts";
import {type Job, probeJob} from "../jobs/job.ts";
import {sourceOfNewLayer} from "../jobs/source-address.ts";

/** Some rows of a layer in a file, and what the layer says of itself. */
export type LayerSample = {
  readonly path: string;
  readonly url: string;
  readonly layer: ArcgisLayer;
  /** Rows of the layer; null if it refuses to count. */
  readonly rowCount: number | null;
};

type SampleOptions = {
  /** Name or number of the layer, if the address is that of a service with several. */
  readonly layerName: string | undefined;
  /** How many rows to request. */
  readonly rows: number;
  readonly dir: string;
  readonly userAgent: string;
  readonly proxy: string;
  readonly signal: AbortSignal;
};

/**
 * Requests the rows of an ArcGIS layer that fit in one answer, and writes them to a file. The address is that of the layer, or of a
 * service with one layer that can hold parcels. Rejects with a `UserError` for any other address, and if the service does not answer.
 */
export async function sampleLayer(address: string, options: SampleOptions): Promise<LayerSample> {
  const url = address.replace(/[?#].*$/, "").replace(/\/(?:query\/?)?$/, "");
  const [, service, number] = /^(.*\/(?:Map|Feature)Server)(?:\/(\d+))?$/.exec(url) ?? [];
  if (service === undefined)
    throw new UserError(
      `${address}: not the address of an ArcGIS layer, which ends in MapServer/<number> or FeatureServer/<number>. Download a file and give its name.`,
    );
  await using client = new PoliteClient({...options, retries: {retries: 1}});
  try {
    const jobOf = (layer: string) =>
      probeJob(sourceOfNewLayer(layer), {...options, client, key: null, now: () => new Date()});
    const layer =
      number === undefined ? await layerOf(await jobOf(service), options.layerName) : `${service}/${number}`;
    return await sampleOf(await jobOf(layer), options);
  } catch (fault) {
    if (fault instanceof FetchError) throw new UserError(messageOf(fault));
    throw fault;
  }
}

async function sampleOf(job: Job, {rows, dir}: SampleOptions): Promise<LayerSample> {
  const layer = await askLayer(job);
  const rowCount = await countRows(pullAsker(job), "1=1");
  const askAs = async (format: "geojson" | "json") => {
    const {bytes} = await askSample(job, {form: rowsForm("1=1", format), rows}, layer.objectIdField);
    const path = join(dir, `${fileName(layer.name ?? "layer")}.${format}`);
    await writeWhole(path, bytes);
    return {path, url: job.source.url, layer, rowCount};
  };
  if (!layer.givesGeoJson) return askAs("json");
  return askAs("geojson").catch((fault: unknown) => {
    if (fault instanceof LayerError) return askAs("json");
    throw fault;
  });
}

/** The address of the layer that is wanted; without a wish, of the only one that can hold parcels. */
async function layerOf(job: Job, nameOrNumber: string | undefined): Promise<string> {
  const text = await askJson(job, {url: job.source.url, form: {f: "json"}});
  const service = EsriService.safeParse(parseServerJson(text ?? ""));
  if (!service.success) throw new UserError(`${job.source.url}: expected a list of layers.`);
  const {layers, tables} = service.data;
  const all = [...layers, ...(tables ?? [])];
  const [only, second] =
    nameOrNumber === undefined ? parcelLayers(layers) : all.filter(isWanted(nameOrNumber));
  if (only !== undefined && second === undefined) return `${job.source.url}/${only.id}`;
  const choices = all.map(({id, name}) => `${id} "${name}"`).join(", ");
  throw new UserError(`${job.source.url}: layers ${choices}; say which one has the parcels (--layer).`);
}

function isWanted(nameOrNumber: string): (layer: EsriLayerName) => boolean {
  return ({id, name}) => String(id) === nameOrNumber || name.toLowerCase() === nameOrNumber.toLowerCase();
}

/** The layers of outlines; of several, those whose name says that they are parcels. */
function parcelLayers(layers: readonly EsriLayerName[]): EsriLayerName[] {
  const outlines = layers.filter(
    ({type, geometryType}) =>
      type !== "Group Layer" && [null, undefined, "esriGeometryPolygon"].includes(geometryType),
  );
  return outlines.length === 1 ? outlines : outlines.filter(({name}) => /parcel|tax ?lot|cadast/i.test(name));
}

function fileName(name: string): string {
  return name.replace(/[^\w ()-]+/g, "_");
}
