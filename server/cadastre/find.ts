import {createHash} from "node:crypto";
import {resolveColumn} from "../../lib/parcels/conform/cells.ts";
import {provenanceGroups} from "../../lib/parcels/conform/groups.ts";
import {mainNames, namesOf} from "../../lib/parcels/conform/references.ts";
import {landUseColumns, useFactsOf} from "../../lib/parcels/conform/use-forms.ts";
import type {DeltaUpsert} from "../../schemas/delta-record.ts";
import type {Find} from "../delta/find-store.ts";
import type {AskedCounty} from "./asked-county.ts";
import type {LayerMap} from "./layer-map.ts";
import type {Layer} from "./layers.ts";
import type {ReplyRow} from "./reply-reader.ts";

/** The origin of the rows of one answer. */
export type ReplyOrigin = {
  readonly layer: Layer;
  readonly map: LayerMap;
  readonly county: AskedCounty;
  readonly retrievedAt: string;
  /** Day of the build beside which the rows are answered, from which ages count. */
  readonly asOf: string;
  readonly query: DeltaUpsert["query"];
};

/** Gives the record that stores a row of an answer. */
export function upsertOf(
  row: ReplyRow,
  {layer: {source}, map, county, retrievedAt, query}: ReplyOrigin,
): Find["upsert"] {
  const groups = Object.entries(row.groups).filter(
    ([, {vintage, vintageBasis}]) =>
      vintage !== row.vintage.vintage || vintageBasis !== row.vintage.vintageBasis,
  );
  return {
    kind: "upsert",
    v: 1,
    key: {state: county.state, county: county.key, parcelId: row.key},
    country: county.country,
    parcelUid: String(row.columns["parcel_uid"]),
    row: storedColumns(row),
    provenance: {sourceId: source.id, ...row.vintage, retrievedAt, authority: source.authority},
    ...(groups.length === 0 ? {} : {groups: Object.fromEntries(groups)}),
    ...landUseQuestion(row, map),
    proposedMap: map.proposed,
    raw: rawAttributes(row, map),
    sourceId: source.id,
    vintage: row.vintage.vintage,
    query,
  };
}

/** Gives the facts of the layer that are stored with its first find. */
export function sourceOf({layer: {source}, county}: ReplyOrigin): Find["source"] {
  const entryDigest = createHash("sha256").update(JSON.stringify(source)).digest("hex");
  return {sourceId: source.id, entryDigest, countyKey: county.key};
}

/** Gives what the land use of a row is decided by, without facts that are not known. */
function landUseQuestion({use}: ReplyRow, {entry}: LayerMap): Pick<Find["upsert"], "landUse"> {
  if (use === null) return {};
  const {codes, ...facts} = useFactsOf(use, entry);
  const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
  return {landUse: {systems: entry.use?.systems ?? [], facts: {codes, ...known}}};
}

/**
 * The published facts, their normal forms, and what was measured of the outline. What is derived of them is left out: each reader of
 * the row derives it (`docs/design/parcels.md` sections 2.2 and 9).
 */
function storedColumns({columns}: ReplyRow): Find["upsert"]["row"] {
  return {
    ...Object.fromEntries(Object.entries(columns).filter(([name]) => !landUseColumns.has(name))),
    // The outline is not stored: without it the extent is the point.
    ...{xmin: columns["lon"], ymin: columns["lat"], xmax: columns["lon"], ymax: columns["lat"]},
  };
}

/** The mapped attributes as the county sent them, without those of an owner that is withheld. */
function rawAttributes({columns, feature: {attributes}}: ReplyRow, {entry}: LayerMap): Find["upsert"]["raw"] {
  const names = Object.keys(attributes);
  const owners = provenanceGroups.owner.flatMap((column) => namesOf(entry.fields[column]));
  const withheld = columns["owner_withheld"] === true;
  const secret = new Set(withheld ? owners.map((name) => resolveColumn(name, names)) : []);
  const mapped = new Set(mainNames(entry).map((name) => resolveColumn(name, names)));
  return Object.fromEntries(
    names.filter((name) => mapped.has(name) && !secret.has(name)).map((name) => [name, attributes[name]]),
  );
}
