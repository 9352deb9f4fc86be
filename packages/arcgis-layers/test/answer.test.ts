import {describe, expect, it} from "vitest";
import {readAnswer} from "../src/layer-reply.ts";

describe("readAnswer", () => {
  it("takes an error inside a 200 for an error", () => {
    expect(readAnswer('{"error":{"code":400,"message":"Failed.","details":["line 1"]}}')).toEqual({
      kind: "error",
      code: 400,
      message: "Failed. line 1",
      needsToken: false,
      isGone: false,
      refusesPages: false,
    });
    expect(readAnswer('{"error":{"code":499,"message":"Token Required"}}')).toMatchObject({needsToken: true});
  });

  it("accepts object ids as the answer to a request for a count", () => {
    expect(readAnswer('{"objectIdFieldName":"OID","objectIds":null}')).toEqual({
      kind: "ids",
      objectIdField: "OID",
      objectIds: [],
    });
    expect(readAnswer('{"count":12}')).toEqual({kind: "count", count: 12});
  });

  it("reads the transfer limit at the top and under properties", () => {
    const features = '"features":[{"attributes":{"A":1},"geometry":null}]';
    expect(readAnswer(`{"exceededTransferLimit":true,${features}}`)).toMatchObject({
      exceededTransferLimit: true,
    });
    const geojson = '{"type":"FeatureCollection","properties":{"exceededTransferLimit":true},"features":[]}';
    expect(readAnswer(geojson)).toMatchObject({
      kind: "page",
      exceededTransferLimit: true,
      spatialReference: {wkid: 4326},
    });
  });

  it("reads a geometry with NaN as no geometry, and leaves NaN in a text alone", () => {
    const page =
      '\uFEFF{"features":[{"attributes":{"NOTE":"NaN, \\"NaN\\""},"geometry":{"x":NaN,"y":-Infinity}}]}';
    expect(readAnswer(page)).toMatchObject({features: [{attributes: {NOTE: 'NaN, "NaN"'}, geometry: null}]});
  });

  it("finds the object id of an old layer by its type", () => {
    const layer = '{"name":"Parcels","fields":[{"name":"FID","type":"esriFieldTypeOID"},{"name":"PIN"}]}';
    expect(readAnswer(layer)).toMatchObject({
      kind: "layer",
      objectIdField: "FID",
      maxRecordCount: null,
      supportsPagination: false,
    });
  });

  it.each(["<html>busy</html>", "", '{"features":', "{}", "[]", '"text"', '{"features":{}}'])(
    "throws for %s",
    (text) => {
      expect(() => readAnswer(text)).toThrow();
    },
  );
});
