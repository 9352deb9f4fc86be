import {readFileSync} from "node:fs";
import {join} from "node:path";
import {z} from "zod";
import {ConfigError} from "../../../lib/errors.ts";
import type {Point} from "../../../lib/geography/distance.ts";
import {referenceDir} from "../../../lib/paths.ts";

const Towns = z.record(z.string(), z.record(z.string(), z.tuple([z.number(), z.number()])));

const PlaceFile = z.strictObject({
  about: z.string(),
  sources: z.array(z.strictObject({name: z.string(), url: z.url(), licence: z.string(), covers: z.string()})),
  places: Towns,
  gazetteer: Towns,
});

/** A sale yard mostly stands at the edge of its town: so far from the middle it may be. */
export const townAccuracyM = 5000;

let known: Map<string, Point> | null = null;

/** The middle of a town by its name and state letters (`data/reference/places.json`); null for a town that the table lacks. */
export function placeOf(city: string, state: string): Point | null {
  known ??= loadPlaces();
  return known.get(keyOf(city, state)) ?? null;
}

function loadPlaces(path: string = join(referenceDir, "places.json")): Map<string, Point> {
  const parsed = PlaceFile.safeParse(JSON.parse(readFileSync(path, "utf8")));
  if (!parsed.success) throw new ConfigError(`${path}: ${z.prettifyError(parsed.error)}`);
  const {places, gazetteer} = parsed.data;
  return new Map(
    [places, gazetteer].flatMap((towns) =>
      Object.entries(towns).flatMap(([state, points]) =>
        Object.entries(points).map(([name, [lat, lon]]) => [keyOf(name, state), {lat, lon}] as const),
      ),
    ),
  );
}

/** `St. Joseph` and `Saint Joseph`, `Ft Pierre` and `Fort Pierre` are one town. */
function keyOf(city: string, state: string): string {
  const words = city
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[\u0300-\u036f'’.]/g, "")
    .replaceAll(/[^a-z]+/g, " ")
    .trim();
  const spelt = words
    .replace(/^saint\b/, "st")
    .replace(/^fort\b/, "ft")
    .replace(/^mount\b/, "mt");
  return `${spelt}|${state}`;
}
