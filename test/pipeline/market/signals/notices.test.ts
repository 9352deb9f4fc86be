import {expect, test} from "vitest";
import {aphis} from "../../../../pipeline/market/feeds/aphis.ts";
import {echo} from "../../../../pipeline/market/feeds/echo.ts";
import {references} from "../../../../pipeline/market/feeds/references.ts";
import {contextOf, gathered, readText, reasonsOf, valuesOf} from "./read-text.ts";

const file = (path: string) =>
  ({path, feedOrEntryId: path.split("/")[0], retrievedAt: "2026-11-20T06:00:00Z"}) as never;

test("reads notices from a table: disease by file name, county by name, no finer place", async () => {
  const csv =
    "Confirmed,State,County Name,Production Type,Special Id\n17-Nov-26,Texas,Zavala,Cattle Feedlot,TX-1\n17-Nov-26,Texas,,Cattle Feedlot,TX-2\nsoon,Texas,Zavala,Cattle,TX-3\n";
  const read = await readText(aphis.read, "aphis/hpai-livestock.csv", csv);
  expect(valuesOf(read, "disease", "area_type", "area", "valid_from", "title")).toEqual([
    [
      "highly pathogenic avian influenza",
      "county",
      "48507",
      "2026-11-17",
      "highly pathogenic avian influenza confirmed, cattle feedlot",
    ],
    [
      "highly pathogenic avian influenza",
      "state",
      "TX",
      "2026-11-17",
      "highly pathogenic avian influenza confirmed, cattle feedlot",
    ],
  ]);
  expect(reasonsOf(read)).toEqual(["bad_date"]);
});

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

test("an error inside an HTTP 200 is a failed file with the source's message; a query id is an answer without rows", async () => {
  const error = {Results: {Error: {ErrorMessage: "Queryset Limit would be exceeded"}}};
  await expect(readText(echo.read, "echo/e.json", error)).rejects.toThrow(
    /the source reported an error: Queryset Limit/,
  );
  const first = await readText(echo.read, "echo/q.json", {
    Results: {Message: "Success", QueryRows: "7", QueryID: "9"},
  });
  expect(first).toMatchObject({
    ...{otherAccepted: 1, rows: [], notes: {query_answers: 1, counted_rows_absent: 7}},
    remark: "the file counts 7 rows and has none",
  });
  await expect(readText(echo.read, "echo/x.json", {Results: {Message: "Success"}})).rejects.toThrow(
    /got a JSON object with Results; expected a list with a facility's name/,
  );
});

test("refuses pointers whose header has no address, with the file's name", async () => {
  await expect(
    readText(references.read, "references/list.csv", "title,adress,kind\nBoard,x,brand\n"),
  ).rejects.toThrow("market/references/list.csv: columns title, adress, kind; expected title, url and kind.");
  await expect(readText(references.read, "references/list.json", {title: "Board"})).rejects.toThrow(
    "market/references/list.json: got a JSON object with title; expected a list with title, url and kind.",
  );
});

test("reads pointers with the registry id of their kind, and rejects those without a kind or an address", async () => {
  const rows = [
    {title: "Brand Board", url: "https://example.org/brands", kind: "brand inspection", state: "NE"},
    {
      title: "Terms of the trade",
      url: "https://example.org/terms",
      source_id: "editorial-market-reference-sources",
    },
    {title: "Something", url: "https://example.org/x", kind: "blog"},
    {title: "No address", url: "ftp:/x", kind: "brand inspection"},
  ];
  const read = await readText(references.read, "references/list.json", {references: rows});
  expect(valuesOf(read, "source_id", "area", "url")).toEqual([
    ["state-brand-inspection-agencies", "NE", "https://example.org/brands"],
    ["editorial-market-reference-sources", "US", "https://example.org/terms"],
  ]);
  expect(reasonsOf(read)).toEqual(["unknown_kind", "bad_url"]);
});

test("counts two rows of one day and place as two cases unless they share an id", async () => {
  const csv =
    "Confirmed,State,Special Id,Species\n17-Nov-26,Texas,TX-1,Cattle\n17-Nov-26,Texas,TX-1,Cattle\n17-Nov-26,Texas,,Cattle\n17-Nov-26,Texas,,Cattle\n";
  const reading = await readText(aphis.read, "aphis/hpai.csv", csv);
  const {rows} = await gathered(aphis, "animal_health", [{file: file("aphis/hpai.csv"), reading}]);
  expect(rows).toHaveLength(3);
});

test("drops a facility's point outside its state, and gives null for livestock without codes or components", async () => {
  const csv = `CWPName,SourceID,CWPState,CWPCounty,CWPPermitTypeDesc,FacLat,FacLong
IN PLACE,OK1,OK,CANADIAN,NPDES Individual Permit,35.54,-97.95
AT ZERO,OK2,OK,CANADIAN,NPDES CAFO General Permit,0.000000,0.000000
SIGN LOST,OK3,OK,CANADIAN,,35.54,97.95
ELSEWHERE,OK4,OK,CANADIAN,,40.7,-111.9
`;
  const read = await readText(echo.read, "echo/download.csv", csv);
  expect(valuesOf(read, "lat", "lon", "county_fips", "livestock")).toEqual([
    [35.54, -97.95, "40017", null],
    [null, null, "40017", true],
    [null, null, "40017", null],
    [null, null, "40017", null],
  ]);
});
