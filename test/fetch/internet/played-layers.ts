import {mainNames, namesOf} from "../../../lib/parcels/conform/column-references.ts";
import {loadParcelSources} from "../../../lib/registry/parcel-sources.ts";
import type {ParcelSource} from "../../../schemas/parcel-source.ts";
import {casesOf} from "../../cases-of.ts";
import {type LayerHabits, layer} from "../arcgis-world.ts";
import type {Answer, Seen} from "../replay-server.ts";

/** Share of the real pages that a played layer has, and share of a real page's rows that its pages have. */
export const pagesShare = 1 / 20;
const rowsShare = 1 / 40;
/** Share of the real rows that are played. */
export const playedShare = pagesShare * rowsShare;

/** A layer as it is played. */
type PlayedLayer = {
  readonly id: string;
  /** Rows and rows of a page of the real layer. */
  readonly rows: number;
  readonly page: number;
  /** Seconds that an answer takes. */
  readonly seconds: number;
  readonly lon: number;
  readonly lat: number;
  readonly county: Readonly<Record<string, string>>;
  /** Further columns that the layer has and no map uses. */
  readonly further?: number;
  /** What is odd about it (`docs/design/fetching.md` section 4). */
  readonly quirk?: Quirk;
};
type Quirk = Partial<LayerHabits> & {
  /** Every so many pages one is an error 504 inside a 200. */
  readonly gateway?: number;
  /** Never answers a question for more rows than this. */
  readonly silentAbove?: number;
};

const layers = casesOf<PlayedLayer>("played-layers.txt");

/** Hosts that are gone. */
export const deadHosts: ReadonlySet<string> = new Set(["gisdata.in.gov"]);

/** A played layer: its entry, its present habits, which a night may change, and its answers. */
export type LayerAtWork = {
  readonly entry: ParcelSource;
  readonly seconds: number;
  readonly answer: Answer;
  habits: LayerHabits;
};

/** All layers by id, each with as many rows as its share of the real ones. */
export function layersAtWork(): Map<string, LayerAtWork> {
  const entries = new Map(loadParcelSources().map((entry) => [entry.id, entry]));
  return new Map(
    layers.map(({id, rows, page, seconds, lon, lat, county, further = 0, quirk = {}}) => {
      const entry = entries.get(id)!;
      const {gateway, silentAbove, ...habits} = quirk;
      const names = [...mainNames(entry), ...Array.from({length: further}, (_, n) => `MORE_${n + 1}`)];
      const work: LayerAtWork = {
        ...{entry, seconds},
        habits: {
          ...{
            rows: Math.round(rows * playedShare),
            maxRecordCount: page * rowsShare,
            lastEdit: () => firstEdit,
          },
          ...{name: entry.layerName ?? "Parcels", place: {lon, lat, county: ""}},
          attributes: (row) =>
            Object.fromEntries(names.map((name) => [name, cellOf(entry, name, {county, row})])),
          ...habits,
        },
        answer: (request, reply) => {
          if (silentAbove !== undefined && Number(request.query.get("resultRecordCount")) > silentAbove)
            return;
          if (isPage(request)) pages += 1;
          if (gateway !== undefined && isPage(request) && pages % gateway === 0)
            return void reply
              .writeHead(200)
              .end('{"error":{"code":504,"message":"Gateway Timeout","details":[]}}');
          if (playing.habits !== work.habits) playing = {habits: work.habits, answer: layer(work.habits)};
          return playing.answer(request, reply);
        },
      };
      let pages = 0;
      let playing = {habits: work.habits, answer: layer(work.habits)};
      return [id, work];
    }),
  );
}

const firstEdit = Date.parse("2026-11-01T00:00:00Z");
/** Acres of a played outline at middle latitudes. */
const acres = 0.38;
const areas: Readonly<Record<string, number | string>> = {
  acres,
  perRow: acres,
  sqft: acres * 43_560,
  m2: acres * 4047,
  text: `${acres} ACRES`,
};

function isPage({query}: Seen): boolean {
  return query.get("returnGeometry") === "true";
}

type Place = {readonly county: Readonly<Record<string, string>>; readonly row: number};

/** An invented cell of a column: the number of the row, its county, an area in the unit of the map, or what its name suggests. */
export function cellOf(entry: ParcelSource, name: string, {county, row}: Place): string | number | null {
  const golden = goldenCells[entry.id]?.[row]?.[name];
  if (golden !== undefined) return golden;
  if (name in county) return county[name]!;
  const {ids, area, fields, values = {}} = entry;
  if (!("none" in ids) && namesOf(ids.raw).includes(name)) return `${100_000 + row}`;
  if ([area?.unitFrom ?? []].flat().includes(name)) return "Acres";
  if ([area?.from ?? []].flat().includes(name)) return areas[area!.unit] ?? acres;
  if (/year|yr$|^FY$|^Asmt_Roll$/i.test(name)) return "2026";
  const valued = Object.keys(values).flatMap((column) => namesOf(fields[column as keyof typeof fields]));
  if (valued.includes(name)) return 10_000 + (row % 5000);
  if (namesOf(fields.situs_raw).includes(name)) return `${100 + row} SAGE RD`;
  return /owne?r?(_?name|nme1|1)?$|^OWN_NAME$/i.test(name) && entry.owners?.published === true
    ? `INVENTED HOLDINGS ${row} LLC`
    : null;
}

/** Real numbers that an entry expects in a complete pull, on invented rows. */
const goldenCells: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>> = {
  "ca-mb-roll-entry": [
    {Roll_No_Txt: "54500.000", Frontage_or_Area: "160 ACRES"},
    {Roll_No_Txt: "141700.000", Municipality: "738 - RM OF ROSSER"},
  ],
};
