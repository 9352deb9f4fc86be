import {expect, test} from "vitest";
import {aphis} from "../../../../pipeline/market/feeds/aphis.ts";
import {echo} from "../../../../pipeline/market/feeds/echo.ts";
import {contextOf, gathered, readText} from "./read-text.ts";

const file = (path: string) =>
  ({path, feedOrEntryId: path.split("/")[0], retrievedAt: "2026-11-20T06:00:00Z"}) as never;

test("counts a county's notices without withdrawn ones, and all counties' in the state", async () => {
  const cases = ["active", "inactive", "withdrawn"].map((status, id) => ({
    id,
    date: `2026-06-0${id + 1}`,
    species: "Bovine",
    county: "Zavala",
    state: "TX",
    status,
  }));
  const reading = await readText(aphis.read, "aphis/screwworm.json", {
    confirmedCases: cases,
    other: [{x: 1}],
  });
  const {rows} = await gathered(aphis, "animal_health", [{file: file("aphis/s"), reading}]);
  const items = await contextOf(aphis, rows, "2026-11-21");
  expect(
    items.map(({key_type, key, item}) => [
      key_type,
      key,
      item?.values["notices"],
      item?.age_days,
      item?.freshness,
    ]),
  ).toEqual([
    ["county", "48507", 2, 172, null],
    ["state", "TX", 2, 172, null],
  ]);
});

test("merges the parts of a facility from several answers of a day", async () => {
  const download =
    'CWP_NAME,SOURCE_ID,CWP_STREET,CWP_CITY,CWP_STATE\n"BIG FEEDER","OK0000001","1 ROAD","YUKON","OK"\n';
  const geojson = {
    type: "FeatureCollection",
    features: [
      {
        type: "Feature",
        geometry: {type: "Point", coordinates: [-97.98, 35.54]},
        properties: {CWPName: "BIG FEEDER", SourceID: "OK0000001", CWPState: "OK", CWPZip: "73099-1234"},
      },
    ],
  };
  const readings = [
    {file: file("echo/a"), reading: await readText(echo.read, "echo/get_download.csv", download)},
    {file: file("echo/b"), reading: await readText(echo.read, "echo/get_geojson.json", geojson)},
  ];
  const {rows} = await gathered(echo, "facilities", readings);
  expect(
    rows.map((row) => ["key", "street", "zip", "county_fips", "source_path"].map((name) => row[name])),
  ).toEqual([["cwa/OK0000001", "1 ROAD", "73099", "40017", "echo/b"]]);
});

test("counts two rows of one day and place as two cases unless they share an id", async () => {
  const csv =
    "Confirmed,State,Special Id,Species\n17-Nov-26,Texas,TX-1,Cattle\n17-Nov-26,Texas,TX-1,Cattle\n17-Nov-26,Texas,,Cattle\n17-Nov-26,Texas,,Cattle\n";
  const reading = await readText(aphis.read, "aphis/hpai.csv", csv);
  const {rows} = await gathered(aphis, "animal_health", [{file: file("aphis/hpai.csv"), reading}]);
  expect(rows).toHaveLength(3);
});

const noValues = ["", "N/A", "NA", "na", "-", "--", "None", "null", "NaN"];

test.each(noValues)("%j is no id of a notice, so that two cases of one day stay two", async (id) => {
  const csv = `Confirmed,State,Special Id,Species\n1-Nov-26,Texas,${id},beef\n1-Nov-26,Texas,${id},dairy\n`;
  const reading = await readText(aphis.read, "aphis/hpai.csv", csv);
  const {rows} = await gathered(aphis, "animal_health", [{file: file("aphis/hpai.csv"), reading}]);
  expect(rows.map(({key}) => key).sort()).toEqual(
    ["beef", "dairy"].map((species) => `highly-pathogenic-avian-influenza/TX/2026-11-01-${species}`),
  );
});

test.each([...noValues.map((status) => [status, null]), ["Effective", "Effective"]])(
  "a permit's status of %j is %j",
  async (status, expected) => {
    const csv = `CWP_NAME,SOURCE_ID,CWP_STATE,CWP_STATUS\n"BIG FEEDER","OK0000001","OK","${status}"\n`;
    const reading = await readText(echo.read, "echo/get_download.csv", csv);
    const {rows} = await gathered(echo, "facilities", [{file: file("echo/a"), reading}]);
    expect(rows.map((row) => row["permit_status"])).toEqual([expected]);
  },
);
