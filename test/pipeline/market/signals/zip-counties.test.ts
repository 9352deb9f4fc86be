import {expect, test} from "vitest";
import {openMarketArtifacts} from "../../../../server/tables/market-set.ts";
import {signalBuild} from "./signal-build.ts";

const gazetteer = "GEOID\tALAND\tINTPTLAT\tINTPTLONG\n73099\t1\t35.49\t-97.76\n73036\t1\t35.53\t-97.95\n";
const relationship = [
  "OID_ZCTA5_20|GEOID_ZCTA5_20|NAMELSAD_ZCTA5_20|AREALAND_ZCTA5_20|GEOID_COUNTY_20|NAMELSAD_COUNTY_20|AREALAND_PART|AREAWATER_PART",
  "1|73099|ZCTA5 73099|100|40017|Canadian County|48|0",
  "1|73099|ZCTA5 73099|100|40109|Oklahoma County|48|1",
  "1|73099|ZCTA5 73099|100|40051|Grady County|4|0",
  "2|73999|ZCTA5 73999|10|40109|Oklahoma County|10|0",
  "||||40109|Oklahoma County|5000|0",
  "3|bad|ZCTA5|1|40109|Oklahoma County|1|0",
].join("\n");

test("takes a ZIP's counties from land shares if the Census file is there, else from its point", async () => {
  const files = {"geo/gaz.txt": gazetteer, "geo/tab20_zcta520_county20_natl.txt": `\uFEFF${relationship}`};
  const build = await signalBuild({files});
  try {
    expect(build.report("geo/tab20_zcta520_county20_natl.txt")).toMatchObject({
      status: "read",
      rowsIn: 6,
      accepted: 4,
      rejected: {no_zcta: 1, bad_zip_or_county: 1},
    });
    const {zip} = openMarketArtifacts(build.serving);
    expect(zip("73099")).toEqual({
      zip: "73099",
      point: {lat: 35.49, lon: -97.76},
      countyFips: "40017",
      method: "zcta_county_land_area",
      counties: [
        {county_fips: "40017", share: 0.48},
        {county_fips: "40109", share: 0.48},
      ],
    });
    expect(zip("73036")).toMatchObject({countyFips: "40017", method: "zcta_internal_point", counties: []});
    expect(zip("73999")).toMatchObject({countyFips: "40109", method: "zcta_county_land_area_county_point"});
  } finally {
    build.close();
  }
});
