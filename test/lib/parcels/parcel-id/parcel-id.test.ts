import fc from "fast-check";
import {describe, expect, test} from "vitest";
import {parcelIdMatchLevel} from "../../../../lib/parcels/matching/parcel-id-match.ts";
import {
  cleanParcelId,
  parcelIdReadings,
  parcelIdSpellings,
} from "../../../../lib/parcels/parcel-id/parcel-id-spellings.ts";

describe("forms of a parcel number", () => {
  const vectors: [string, string, string, string][] = [
    ["I01", "401-55-001", "401-55-001", "40155001"],
    ["I02", "40155001", "40155001", "40155001"],
    ["I03", "401-55-001A", "401-55-001A", "40155001A"],
    ["I04", "0783994433", "0783994433", "0783994433"],
    ["I08", "41-01-06-100-009", "41-01-06-100-009", "410106100009"],
    ["I08", "410106100009", "410106100009", "410106100009"],
    ["I09", "1n130cb00200", "1N130CB00200", "1N130CB00200"],
    ["I10", "1401500006M0001", "1401500006M0001", "1401500006M0001"],
    ["I11", "65.69-1-1", "65-69-1-1", "656911"],
    ["I12", " 004-030-070 ", "004-030-070", "004030070"],
    ["I13", "101_1", "101-1", "1011"],
    ["I15", "54500.000", "54500-000", "54500000"],
    ["I26", "12 034 567", "12-034-567", "12034567"],
    ["I27", "01-4207-000-0010", "01-4207-000-0010", "0142070000010"],
    ["I27", "0142070000010", "0142070000010", "0142070000010"],
    ["I28", "４０１-55-001", "401-55-001", "40155001"],
    ["I29", "401–55–001", "401-55-001", "40155001"],
  ];
  test.each(vectors)("%s: %j has tok %s and std %s", (_, raw, tok, std) => {
    expect(parcelIdSpellings(raw)).toMatchObject({tok, std});
  });

  test("I12: the raw form is trimmed only", () => {
    expect(parcelIdSpellings(" 004-030-070 ").raw).toBe("004-030-070");
  });

  test("the loose form drops the leading zeros of each part", () => {
    expect(parcelIdSpellings("001-0203-040").loose).toBe("1203" + "40");
  });
});

describe("level at which a row fits a query", () => {
  const vectors: [string, string, string, string[], {type: string; score: number} | null][] = [
    ["I02", "40155001", "401-55-001", [], {type: "normalized", score: 0.95}],
    ["I03", "401-55-001A", "401-55-001", [], null],
    ["I05", "783994433", "0783994433", [], {type: "fuzzy", score: 0.8}],
    ["I06", "143-6", "143-6", [], {type: "exact", score: 1}],
    ["I06", "143-6", "14-36", [], null],
    ["I06", "1436", "14-36", [], {type: "normalized", score: 0.95}],
    ["I07", "3537000140", "053-3537000140", ["3537000140"], {type: "exact", score: 0.98}],
    ["I09", "1n130cb00200", "1N130CB00200", [], {type: "normalized", score: 0.98}],
    ["I10", "1401500006", "1401500006M0001", [], null],
    ["I11", "06506900010010000000", "65.69-1-1", ["06506900010010000000"], {type: "exact", score: 0.98}],
    ["I14", "101-1", "101_1", [], {type: "normalized", score: 0.98}],
    ["I16", "54500", "54500.000", ["54500"], {type: "exact", score: 0.98}],
    ["I23", "241101058", "0241101058", ["241101058"], {type: "exact", score: 0.98}],
  ];
  test.each(vectors)("%s: query %s, %s on the row", (_, query, rowId, altIds, expected) => {
    const match = parcelIdMatchLevel(parcelIdSpellings(query), rowId, altIds);
    expect(match && {type: match.type, score: match.score}).toEqual(expected);
  });

  test.each([
    ["1-4-90", "1-49-0", null],
    ["1-4-90", "01-004-090", 0.8],
    ["143-6", "14-36", null],
    ["1-4-9-0", "1-49-0", 0.95],
    ["1490", "1-49-0", 0.95],
    ["1-23-4", "12-34", null],
    ["12-3-4", "12-34", 0.95],
    ["12-34", "1-2-34", 0.95],
    ["7701-23", "77-012-3", null],
    ["77-0123", "77-012-3", 0.95],
    ["0-1234", "01-234", 0.95],
    ["0-12-34", "01-234", null],
    ["01-49-0", "1-49-0", 0.8],
    ["1-049", "10-49", null],
  ])("%s asked of %s has the score %s: other parts are another number", (query, rowId, score) => {
    expect(parcelIdMatchLevel(parcelIdSpellings(query), rowId)?.score ?? null).toBe(score);
  });

  test("a row without a number is found by its other ids alone", () => {
    expect(parcelIdMatchLevel(parcelIdSpellings("12-3"), null, ["12/3"])).toMatchObject({
      score: 0.96,
      alternate: true,
    });
  });
});

describe("cleaning a parcel number", () => {
  test("I17: a numeric cell keeps all its digits", () => {
    expect(cleanParcelId(410106100009, {numeric: true})).toEqual({id: "410106100009"});
  });
  test("I18: a numeric cell loses its .0", () => {
    expect(cleanParcelId("1713072013.0", {numeric: true})).toEqual({id: "1713072013"});
  });
  test("I15: decimals of a text stay", () => {
    expect(cleanParcelId("54500.000")).toEqual({id: "54500.000"});
  });
  test.each([true, false])("I19: exponent form has lost digits (numeric column: %s)", (numeric) => {
    expect(cleanParcelId("4.10106E+11", {numeric})).toEqual({reject: "id_precision_lost"});
  });
  test("a number beyond 2^53 has lost digits", () => {
    expect(cleanParcelId(2 ** 60)).toEqual({reject: "id_precision_lost"});
  });
  test("an E in a printed number is no exponent", () => {
    expect(cleanParcelId("12E5")).toEqual({id: "12E5"});
  });
  test.each(["UNKNOWN", "NULL", "0", "0000000000", "00-00-0", "", "  ", "--"])("I24: %j is no id", (id) => {
    expect(cleanParcelId(id)).toEqual({reject: "null_id"});
  });
  const noParcels =
    "ROW|WATER|PARENT|GAP|row|RAILROAD|RR ROW|Dedicated ROW|R/W|RIGHT-OF-WAY|Alley|PUBLIC ROAD|STREET|UNIDENTIFIED|<New parcel>|MIGRATION|COMMON ELEMENT|DLB|Common Area";
  test.each(noParcels.split("|"))("I25: %s is no parcel", (id) => {
    expect(cleanParcelId(id)).toEqual({reject: "non_parcel"});
  });
});

test.each(["ROW 7", "LOT A", "ALLEY-2", "WATERFORD", "OUTLOT B", "ROADSIDE"])("%s names a parcel", (id) => {
  expect(cleanParcelId(id)).toEqual({id});
});

describe("prefixes of a parcel number in a query", () => {
  const vectors: [string, string, string | null, string | null, string][] = [
    ["I20", "48453-0241101058", "48453", "TX", "0241101058"],
    ["I21", "TX-0241101058", null, "TX", "0241101058"],
    ["I22", "04013-401-55-001", "04013", "AZ", "401-55-001"],
    ["Manitoba", "MB601-54500.000", "MB601", "MB", "54500.000"],
    ["Manitoba", "mb-54500", null, "MB", "54500"],
  ];
  test.each(vectors)("%s: %s reads as county %s, state %s, id %s too", (_, asked, countyKey, state, id) => {
    const [plain, prefixed] = parcelIdReadings(asked);
    expect(plain).toMatchObject({countyKey: null, state: null, id: asked});
    expect(prefixed).toMatchObject({countyKey, state, id});
  });
  test.each([
    ["APN 401-55-001", "401-55-001"],
    ["APN: 401-55-001", "401-55-001"],
    ["apn#401-55-001", "401-55-001"],
    ["Parcel ID 12A", "12A"],
    ["Parcel No. 12A", "12A"],
    ["Parcel # 12A", "12A"],
    ["Tax Parcel Number: 12A", "12A"],
    ["Assessor's Parcel Number 12A", "12A"],
    ["Property ID 12", "12"],
    ["PIN 48453-12", "48453-12"],
    ["APN MAP 42 LOT 4/004", "MAP 42 LOT 4/004"],
  ])("%s is the number %s with a label, and the text as it is", (asked, id) => {
    const readings = parcelIdReadings(asked);
    expect(readings[0]).toMatchObject({countyKey: null, state: null, id});
    expect(readings.at(-1)).toMatchObject({countyKey: null, state: null, id: asked});
  });
  test("a number behind a label may have a prefix", () => {
    expect(parcelIdReadings("PIN 48453-12").map(({countyKey}) => countyKey)).toEqual([null, "48453", null]);
  });
  test.each(["PIN", "PARCEL A", "PINE 12", "MAPLE-12", "PID12"])("%s has no label", (asked) => {
    expect(parcelIdReadings(asked)).toHaveLength(1);
  });
  test.each(["401-55-001", "99999-12", "ZZ-12", "TX-", "48453"])("%s has the plain reading only", (asked) => {
    expect(parcelIdReadings(asked)).toHaveLength(1);
  });
});

describe("properties of parcel numbers", () => {
  test("normalising a normal form changes nothing, on any text", () => {
    fc.assert(
      fc.property(fc.string({unit: "binary", maxLength: 60}), (text) => {
        const {raw, tok, std, loose} = parcelIdSpellings(text);
        expect(parcelIdSpellings(raw).tok).toBe(tok);
        expect(parcelIdSpellings(tok)).toEqual({raw: tok, tok, std, loose});
        expect(parcelIdSpellings(std).std).toBe(std);
      }),
    );
  });
  test("cleaning never throws and a kept id is the trimmed text", () => {
    fc.assert(
      fc.property(fc.string({unit: "binary"}), (text) => {
        const cleaned = cleanParcelId(text);
        if ("id" in cleaned) expect(cleaned.id).toBe(text.trim());
      }),
    );
  });
});
