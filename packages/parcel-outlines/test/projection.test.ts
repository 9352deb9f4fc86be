import {describe, expect, it} from "vitest";
import {projectionOf, projectionOfEsri, projectionOfProjJson} from "../src/projection.ts";

const nad83 =
  'GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';

function lambert(falseEasting: number, unit: string): string {
  return `PROJCS["Michigan_South",${nad83},PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",${falseEasting}],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-84.36666666666666],PARAMETER["Standard_Parallel_1",42.1],PARAMETER["Standard_Parallel_2",43.66666666666666],PARAMETER["Latitude_Of_Origin",41.5],UNIT[${unit}]]`;
}

function expectNear([lon, lat]: readonly number[], [expectedLon, expectedLat]: readonly number[]) {
  expect(lon).toBeCloseTo(expectedLon!, 7);
  expect(lat).toBeCloseTo(expectedLat!, 7);
}

describe("projectionOf", () => {
  it("reads WKT alone like the EPSG code of the same system, in international feet", () => {
    const wkt = lambert(13_123_359.58005249, '"Foot",0.3048');
    expectNear(projectionOf(wkt)(12_800_000, 560_000), projectionOf("EPSG:2253")(12_800_000, 560_000));
  });

  it("keeps the US survey foot and the international foot apart", () => {
    const survey = projectionOf(lambert(13_123_333.33333333, '"Foot_US",0.3048006096012192'))(
      12_800_000,
      560_000,
    );
    const international = projectionOf(lambert(13_123_359.58005249, '"Foot",0.3048'))(12_800_000, 560_000);
    expect(Math.abs(survey[1] - international[1])).toBeGreaterThan(1e-6);
  });

  it("takes the horizontal part of a compound system", () => {
    const utm = `PROJCS["WGS_1984_UTM_Zone_10N",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-123.0],PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]`;
    const expected = projectionOf("EPSG:32610")(565_000, 4_191_000);
    expectNear(
      projectionOf(`${utm},VERTCS["NAVD_1988",VDATUM["NAVD"],UNIT["Meter",1.0]]`)(565_000, 4_191_000),
      expected,
    );
    expectNear(
      projectionOf(`COMPD_CS["both",${utm},VERT_CS["h",UNIT["m",1]]]`)(565_000, 4_191_000),
      expected,
    );
    // A height in the words of WKT 2 does not make the rest WKT 2.
    expectNear(
      projectionOf(`COMPD_CS["both",${utm},VERTCRS["h",VDATUM["x"],LENGTHUNIT["metre",1]]]`)(
        565_000,
        4_191_000,
      ),
      expected,
    );
  });

  it("leaves degrees as they are, longitude first", () => {
    for (const name of ["EPSG:4326", "OGC:CRS84", "urn:ogc:def:crs:OGC:1.3:CRS84"]) {
      expect(projectionOf(name)(-97.5, 30.25)).toEqual([-97.5, 30.25]);
    }
  });

  it("names a system that it does not know", () => {
    expect(() => projectionOf("EPSG:999999")).toThrow(/EPSG:999999/);
    expect(() => projectionOf("NAD83 feet")).toThrow(/expected EPSG:n/);
  });
});

describe("projectionOfProjJson", () => {
  it("takes the horizontal part of a compound system", () => {
    const parameter = (name: string, value: number, unit: string) => ({name, value, unit});
    const utm = {
      type: "ProjectedCRS",
      name: "WGS 84 / UTM zone 10N",
      base_crs: {
        type: "GeographicCRS",
        name: "WGS 84",
        datum: {
          type: "GeodeticReferenceFrame",
          name: "World Geodetic System 1984",
          ellipsoid: {name: "WGS 84", semi_major_axis: 6378137, inverse_flattening: 298.257223563},
        },
      },
      conversion: {
        name: "UTM zone 10N",
        method: {name: "Transverse Mercator"},
        parameters: [
          parameter("Latitude of natural origin", 0, "degree"),
          parameter("Longitude of natural origin", -123, "degree"),
          parameter("Scale factor at natural origin", 0.9996, "unity"),
          parameter("False easting", 500_000, "metre"),
          parameter("False northing", 0, "metre"),
        ],
      },
      coordinate_system: {
        subtype: "Cartesian",
        axis: [
          {name: "Easting", abbreviation: "E", direction: "east", unit: "metre"},
          {name: "Northing", abbreviation: "N", direction: "north", unit: "metre"},
        ],
      },
    };
    const height = {type: "VerticalCRS", name: "NAVD88 height"};
    const compound = {type: "CompoundCRS", name: "both", components: [utm, height]};
    const expected = projectionOf("EPSG:32610")(565_000, 4_191_000);
    expectNear(projectionOfProjJson(compound)(565_000, 4_191_000), expected);
    expectNear(projectionOfProjJson(utm)(565_000, 4_191_000), expected);
  });
});

describe("projectionOfEsri", () => {
  it("prefers latestWkid, knows 102100 as 3857 and falls back to WKT", () => {
    const mercator = projectionOf("EPSG:3857")(-10_880_000, 3_540_000);
    expectNear(projectionOfEsri({wkid: 102100})(-10_880_000, 3_540_000), mercator);
    expectNear(projectionOfEsri({wkid: 102100, latestWkid: 3857})(-10_880_000, 3_540_000), mercator);
    const wkt = lambert(13_123_359.58005249, '"Foot",0.3048');
    expectNear(
      projectionOfEsri({wkid: 990_001, wkt})(12_800_000, 560_000),
      projectionOf(wkt)(12_800_000, 560_000),
    );
    expect(() => projectionOfEsri({})).toThrow(/without a known wkid/);
  });
});
