import {resolveColumn} from "../../lib/parcels/conform/cells.ts";
import {provenanceGroups} from "../../lib/parcels/conform/groups.ts";
import {mainNames, namesOf} from "../../lib/parcels/conform/references.ts";
import type {LayerMap} from "./layer-map.ts";
import type {ReplyRow} from "./reply-reader.ts";

const ofArea = ["acres", "land_area_sqft", "acres_basis"];
const ofCategory = ["land_use_category", "land_use_method", "land_use_confidence", "is_vacant_land"];
/** A category that was read from the words of a description, or from what stands on the land, is a guess and no reading of a code. */
const guesses: ReadonlySet<unknown> = new Set(["keyword", "improvement_test"]);

/**
 * What is stored of a found row: published facts and their normal forms, without what was computed or inferred, and the mapped
 * attributes as the county sent them, without those of an owner that is withheld (`docs/design/parcels.md` section 9).
 */
export function findRow({columns, feature}: ReplyRow, map: LayerMap) {
  const left = new Set([
    "geom_acres",
    ...(columns["acres_basis"] === "computed" ? ofArea : []),
    ...(guesses.has(columns["land_use_method"]) ? ofCategory : []),
  ]);
  return {
    stored: {
      ...Object.fromEntries(Object.entries(columns).filter(([name]) => !left.has(name))),
      // The outline is not stored: without it the extent is the point.
      ...{xmin: columns["lon"], ymin: columns["lat"], xmax: columns["lon"], ymax: columns["lat"]},
    },
    raw: rawOf(feature.attributes, map, columns["owner_withheld"] === true),
  };
}

function rawOf(
  attributes: Readonly<Record<string, unknown>>,
  {entry}: LayerMap,
  withheld: boolean,
): Record<string, unknown> {
  const names = Object.keys(attributes);
  const owners = provenanceGroups.owner.flatMap((column) => namesOf(entry.fields[column]));
  const secret = new Set(withheld ? owners.map((name) => resolveColumn(name, names)) : []);
  const mapped = new Set(mainNames(entry).map((name) => resolveColumn(name, names)));
  return Object.fromEntries(
    names.filter((name) => mapped.has(name) && !secret.has(name)).map((name) => [name, attributes[name]]),
  );
}
