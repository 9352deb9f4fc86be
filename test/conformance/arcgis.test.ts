import {readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {gunzipSync} from "node:zlib";
import {type ArcgisPage, readAnswer} from "@open-cattle/arcgis-layers";
import {projectionOfEsri} from "@open-cattle/parcel-outlines";
import {describe, expect, it} from "vitest";
import {corpus} from "./corpus.ts";

const folder = corpus === null ? null : join(corpus, "arcgis");
const files = folder === null ? [] : readdirSync(folder).filter((name) => /\.json(\.gz)?$/.test(name));

function answerIn(name: string) {
  const bytes = readFileSync(join(folder!, name));
  return readAnswer((name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8"));
}

function expectedKind(name: string): string {
  if (
    ["us-tx-runnels-metadata.json", "us-nm-washington-probe.json", "us-mi-kent-statistics.json"].includes(
      name,
    )
  )
    return "error";
  // Cook County's server ignores returnCountOnly and sends features.
  if (name === "us-il-cook-count-only.json.gz") return "page";
  if (name.includes("-metadata.")) return "layer";
  if (name.includes("-count-only.")) return "count";
  return name.includes("-ids-only.") ? "ids" : "page";
}

describe.skipIf(folder === null)("the ArcGIS payloads of the corpus", () => {
  it.each(files)("reads %s as what it is", (name) => expect(answerIn(name).kind).toBe(expectedKind(name)));

  it("puts the polygons of Kent (WKT alone, international feet) into their county", () => {
    const page = answerIn("us-mi-kent-0.json") as ArcgisPage;
    const toLonLat = projectionOfEsri(page.spatialReference!);
    expect(page.features).toHaveLength(15);
    for (const {geometry} of page.features) {
      const ring = geometry?.type === "Polygon" ? geometry.coordinates[0]! : [];
      const [lon, lat] = toLonLat(ring[0]![0]!, ring[0]![1]!);
      expect(lon).toBeGreaterThan(-85.8);
      expect(lon).toBeLessThan(-85.3);
      expect(lat).toBeGreaterThan(42.75);
      expect(lat).toBeLessThan(43.3);
    }
  });

  it("knows the spatial reference of every page that has one", () => {
    for (const name of files) {
      const answer = answerIn(name);
      if (answer.kind === "page" && answer.spatialReference !== null)
        expect(() => projectionOfEsri(answer.spatialReference!), name).not.toThrow();
    }
  });
});
