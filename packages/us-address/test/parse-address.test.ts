import {describe, expect, test} from "vitest";
import {parseAddress} from "../src/parse-address.ts";
import type {ParsedAddress} from "../src/parsed-address.ts";
import {chooseType} from "../src/street-types.ts";

/** number|pre|NAME|TYPE|post|unit, as the vectors print it; a unit without a value is its designator. */
function parts({number, numberHi, fraction, pre, name, type, post, unitType, unit}: ParsedAddress): string {
  const range = numberHi === null ? number : `${number}..${numberHi}`;
  const whole = fraction === null ? range : `${range} ${fraction}`;
  return [whole, pre, name, type, post, unit ?? unitType].map((part) => part ?? "-").join("|");
}

const vectors: [string, string, string][] = [
  ["A01", "1218 Lorimar Road", "1218|-|LORIMAR|RD|-|-"],
  ["A02", "1218 LORIMAR RD.", "1218|-|LORIMAR|RD|-|-"],
  ["A03", "788 E EMERALD HILLS DR", "788|E|EMERALD HILLS|DR|-|-"],
  ["A04", "1231 S CANYON CREST", "1231|S|CANYON|CRST|-|-"],
  ["A05", "1196 S 400 EAST", "1196|S|400|-|E|-"],
  ["A06", "668 E 1700 SOUTH", "668|E|1700|-|S|-"],
  ["A07", "4660 22 MILE RD NW", "4660|-|22 MILE|RD|NW|-"],
  ["A08", "N5755 8TH AVE", "N5755|-|8TH|AVE|-|-"],
  ["A09", "W11756 ARCHER AVENUE", "W11756|-|ARCHER|AVE|-|-"],
  ["A10", "N65W21234 MAIN ST", "N65W21234|-|MAIN|ST|-|-"],
  ["A11", "3700-08 SALINA ST S & HALL AVE", "3700..3708|-|SALINA|ST|S|-"],
  ["A12", "112-15 QUEENS BLVD", "112-15|-|QUEENS|BLVD|-|-"],
  ["A13", "1820-1824 MARKET ST", "1820..1824|-|MARKET|ST|-|-"],
  ["A14", "123 1/2 MAIN ST", "123 1/2|-|MAIN|ST|-|-"],
  ["A14", "123½ Main Street", "123 1/2|-|MAIN|ST|-|-"],
  ["A14", "123-1/2 MAIN ST", "123 1/2|-|MAIN|ST|-|-"],
  ["A15", "123A ELM ST", "123A|-|ELM|ST|-|-"],
  ["A16", "00420 HAYWARD ST", "420|-|HAYWARD|ST|-|-"],
  ["A17", "ONE CONGRESS PLAZA", "1|-|CONGRESS|PLZ|-|-"],
  ["A18", "XXX MASHELL AV S", "-|-|MASHELL|AVE|S|-"],
  ["A19", "0 COUNTY ROAD 12", "-|-|COUNTY ROAD 12|-|-|-"],
  ["A20", "Newport Rd", "-|-|NEWPORT|RD|-|-"],
  ["A24", "2711 NE TOWN CENTER DR. HILLSBORO OR, 97006", "2711|NE|TOWN CENTER|DR|-|-"],
  ["A25", "48210 W DOBBINS RD   TONOPAH  85354", "48210|W|DOBBINS|RD|-|-"],
  ["A26", "3220  515TH AVE   TONOPAH  85354", "3220|-|515TH|AVE|-|-"],
  ["A27", "7710 IVERSON AVE S, CITY OF COTTAGE GROVE", "7710|-|IVERSON|AVE|S|-"],
  ["A28", "205 S. Van Buren Street, Salem OR", "205|S|VAN BUREN|ST|-|-"],
  ["A29", "7009 N INTERSTATE 35, GEORGETOWN, TX 78633", "7009|N|INTERSTATE 35|-|-|-"],
  ["A30", "IH-35 N", "-|-|INTERSTATE 35|-|N|-"],
  ["A31", "12500 FARM TO MARKET RD 1826", "12500|-|FM 1826|-|-|-"],
  ["A31", "12500 FM 1826", "12500|-|FM 1826|-|-|-"],
  ["A31", "12500 F.M. 1826", "12500|-|FM 1826|-|-|-"],
  ["A32", "4100 RR 12", "4100|-|RANCH ROAD 12|-|-|-"],
  ["A34", "2200 CO RD 120", "2200|-|COUNTY ROAD 120|-|-|-"],
  ["A34", "2200 CR 120", "2200|-|COUNTY ROAD 120|-|-|-"],
  ["A35", "2200 U.S. 83", "2200|-|US HIGHWAY 83|-|-|-"],
  ["A35", "2200 US HWY 83", "2200|-|US HIGHWAY 83|-|-|-"],
  ["A36", "900 ST HWY 71 W", "900|-|STATE HIGHWAY 71|-|W|-"],
  ["A37", "310 HWY 16 N", "310|-|HIGHWAY 16|-|N|-"],
  ["A38", "123 E COUNTY ROAD 400 N", "123|E|COUNTY ROAD 400|-|N|-"],
  ["A39", "45 LOOP 1604 W", "45|-|LOOP 1604|-|W|-"],
  ["A40", "18 TWP RD 305", "18|-|TOWNSHIP ROAD 305|-|-|-"],
  ["A41", "15 NORTH ST", "15|-|NORTH|ST|-|-"],
  ["A42", "15 N EAST ST", "15|N|EAST|ST|-|-"],
  ["A43", "1401 ST JAMES AVE", "1401|-|SAINT JAMES|AVE|-|-"],
  ["A44", "200 COURT ST", "200|-|COURT|ST|-|-"],
  ["A45", "420 AVENUE B", "420|-|AVENUE B|-|-|-"],
  ["A46", "600 TWENTY-SECOND ST", "600|-|22ND|ST|-|-"],
  ["A47", "600 First Avenue North", "600|-|1ST|AVE|N|-"],
  ["A48", "177 OCEAN LANE DR 302", "177|-|OCEAN LANE|DR|-|302"],
  ["A49", "155 Ocean Lane Dr Apt #1005", "155|-|OCEAN LANE|DR|-|1005"],
  ["A50", "100 MAIN ST PO BOX 12", "100|-|MAIN|ST|-|-"],
  ["A54", "111119 PTH 50", "111119|-|PTH 50|-|-|-"],
  ["A55", "55145 ROAD 111N", "55145|-|ROAD 111N|-|-|-"],
  ["A57", "2181/2 GREEN LN", "218 1/2|-|GREEN|LN|-|-"],
  ["A58", "2019R-39 E CUMBERLAND ST", "2019R..2039|E|CUMBERLAND|ST|-|-"],
  ["A59", "G-4225 MILLER RD", "G4225|-|MILLER|RD|-|-"],
  ["A59", "G4225 MILLER RD", "G4225|-|MILLER|RD|-|-"],
  ["A59", "G 4225 MILLER RD", "G4225|-|MILLER|RD|-|-"],
  ["A60", "G5080 S SAGINAW RD", "G5080|S|SAGINAW|RD|-|-"],
  ["A61", "0108 SW PALATINE HILL RD", "108|SW|PALATINE HILL|RD|-|-"],
  ["A62", "11098 US 15 501 HWY N", "11098|-|US HIGHWAY 15-501|-|N|-"],
  ["A62", "11098 US 15/501 N", "11098|-|US HIGHWAY 15-501|-|N|-"],
  ["A62", "11098 US Hwy 15-501 N", "11098|-|US HIGHWAY 15-501|-|N|-"],
  ["A63", "220 US HWY 70 A E", "220|-|US HIGHWAY 70A|-|E|-"],
  ["A63", "220 US-70A E", "220|-|US HIGHWAY 70A|-|E|-"],
  ["A64", "88 US 64 421 BYP", "88|-|US HIGHWAY 64-421 BYP|-|-|-"],
  ["A65", "3601 FM 620 RD N", "3601|-|FM 620|-|N|-"],
  ["A65", "3601 RM 620 N", "3601|-|RANCH ROAD 620|-|N|-"],
  ["A65", "3601 Ranch Road 620 N", "3601|-|RANCH ROAD 620|-|N|-"],
  ["A66", "23670 NE 154TH PLACE RD", "23670|NE|154TH PL|RD|-|-"],
  ["A67", "410 UNIT 100 EMMETT ST", "410|-|EMMETT|ST|-|100"],
  ["A68", "22 APT 3 MAPLE AVE", "22|-|MAPLE|AVE|-|3"],
  ["A69", "#207-1104 WATKINS GLEN CT", "1104|-|WATKINS GLEN|CT|-|207"],
  ["A69", "207 - 1104 WATKINS GLEN CT", "1104|-|WATKINS GLEN|CT|-|207"],
  ["A71", "3737 CLARKS LANE UNIT#: P-24", "3737|-|CLARKS|LN|-|P24"],
  ["A71", "3737 Clarks Lane Unit P 24", "3737|-|CLARKS|LN|-|P24"],
  ["A72", "100 MAIN ST BLDG 3 UNIT 12", "100|-|MAIN|ST|-|BLDG 3 UNIT 12"],
  ["A72", "100 MAIN ST UNIT 12 BLDG 3", "100|-|MAIN|ST|-|BLDG 3 UNIT 12"],
  ["A73", "300 MAIN ST TOWER 2 APT 5", "300|-|MAIN|ST|-|TOWER 2 UNIT 5"],
  ["A73", "500 MAIN ST FL 2 STE 210", "500|-|MAIN|ST|-|FL 2 UNIT 210"],
  ["A73", "600 MAIN ST LOT 5 UNIT B", "600|-|MAIN|ST|-|LOT 5 UNIT B"],
  ["A74", "1621 BANK ST UNIT#: RES 1", "1621|-|BANK|ST|-|RES1"],
  ["A75", "1010 (TOWER) N REYNOLDS RD", "1010|N|REYNOLDS|RD|-|TOWER"],
  ["A76", "REAR 110 MAIN ST", "110|-|MAIN|ST|-|REAR"],
  ["A76", "112 MAIN ST (REAR)", "112|-|MAIN|ST|-|REAR"],
  ["A76", "108 MAIN ST REAR", "108|-|MAIN|ST|-|REAR"],
  ["A77", "106 MAIN ST 2ND FLOOR", "106|-|MAIN|ST|-|2"],
  ["A78", "122/124 MAIN ST", "122..124|-|MAIN|ST|-|-"],
  ["A78", "118 120 MAIN ST", "118..120|-|MAIN|ST|-|-"],
  ["A80", "2517 South Bv.", "2517|-|SOUTH|BLVD|-|-"],
  ["A81", "2712 HEATHER GLEN CR", "2712|-|HEATHER GLEN|CIR|-|-"],
  ["A81", "2200 CR 120", "2200|-|COUNTY ROAD 120|-|-|-"],
  ["A82", "3622 MAY LA", "3622|-|MAY|LN|-|-"],
  ["A83", "1602 W GEO WASHINGTON BD", "1602|W|GEO WASHINGTON|BLVD|-|-"],
  ["A83", "8 IRON AL", "8|-|IRON|ALY|-|-"],
  ["A83", "319 FAIR TL", "319|-|FAIR|TRL|-|-"],
  ["A83", "315 FAIR HW", "315|-|FAIR|HWY|-|-"],
  ["A83", "324 FAIR HY", "324|-|FAIR|HWY|-|-"],
  ["A83", "322 FAIR TC", "322|-|FAIR|TRCE|-|-"],
  ["A83", "310 FAIR BL", "310|-|FAIR|BLVD|-|-"],
  ["A83", "320 FAIR BV", "320|-|FAIR|BLVD|-|-"],
  ["A84", "Plains Feed & Seed, 210 Simpson Pkwy, Cheney, WA 99004, United States", "210|-|SIMPSON|PKWY|-|-"],
];

test.each(vectors)("%s: %s", (_, line, expected) => {
  expect(parts(parseAddress(line))).toBe(expected);
});

test.each([
  ["A70", "207-1104 CORYDON AVE", "1104|-|CORYDON|AVE|-|207"],
  ["A70", "300 - 55 NASSAU ST", "55|-|NASSAU|ST|-|300"],
])("%s, in Manitoba: %s", (_, line, expected) => {
  expect(parts(parseAddress(line, {state: "MB"}))).toBe(expected);
});

describe("statuses", () => {
  const statuses: [string, string, string][] = [
    ["A01", "1218 Lorimar Road", "numbered"],
    ["A18", "XXX MASHELL AV S", "street_only"],
    ["A19", "0 COUNTY ROAD 12", "street_only"],
    ["A20", "Newport Rd", "street_only"],
    ["A21", "XXX Undetermined Situs", "blank"],
    ["A21", "No Address Found", "blank"],
    ["A22", ", TX 78757", "blank"],
    ["A23", "   . HILLSBORO OR, 97124", "blank"],
    ["A30", "IH-35 N", "street_only"],
    ["A33", "RR 12 BOX 44", "rural_route"],
    ["A51", "PO BOX 82203", "po_box"],
    ["A51", "P.O. Box 82203", "po_box"],
    ["A52", "SE17-19-10W", "legal_only"],
    ["A52", "DESC NW21-19-10W", "legal_only"],
    ["A52", "1-2-7542", "legal_only"],
    ["A52", "A--65576", "legal_only"],
    ["A53", "SUNSET", "name_only"],
    ["A79", "**WS LEVIN RD 135 FT N OF MEADOW RD", "legal_only"],
    ["A79", "**AT A POINT 180 FT E OF ALLENDALE RD REAR 3606-3702", "legal_only"],
    ["A79", "0.25 MI N OF HWY 12", "legal_only"],
    ["A79", "CORNER OF MAIN ST & OAK AVE", "legal_only"],
    ["A79", "OFF COUNTY ROAD 12", "legal_only"],
    ["lot and plan", "3-7542", "legal_only"],
    ["placeholder", "99999 ELM ST", "street_only"],
    ["placeholder", "0", "blank"],
    ["highway contract", "HC 68 BOX 23A", "rural_route"],
  ];
  test.each(statuses)("%s: %j is %s", (_, line, status) => {
    expect(parseAddress(line).status).toBe(status);
  });
});

describe("localities", () => {
  const localities: [string, string, (string | null)[]][] = [
    ["A22", ", TX 78757", [null, "TX", "78757"]],
    ["A23", "   . HILLSBORO OR, 97124", ["HILLSBORO", "OR", "97124"]],
    ["A24", "2711 NE TOWN CENTER DR. HILLSBORO OR, 97006", ["HILLSBORO", "OR", "97006"]],
    ["A25", "48210 W DOBBINS RD   TONOPAH  85354", ["TONOPAH", null, "85354"]],
    ["A27", "7710 IVERSON AVE S, CITY OF COTTAGE GROVE", ["COTTAGE GROVE", null, null]],
    ["A28", "205 S. Van Buren Street, Salem OR", ["SALEM", "OR", null]],
    ["A29", "7009 N INTERSTATE 35, GEORGETOWN, TX 78633", ["GEORGETOWN", "TX", "78633"]],
    ["A56", "33 ELM ST, KEY WEST 33149-0000", ["KEY WEST", null, "33149"]],
    ["A56", "33 ELM ST, ADA MI49327", ["ADA", "MI", "49327"]],
    ["A74", "1621 BANK ST UNIT#: RES 1", [null, null, null]],
    ["A75", "1010 (TOWER) N REYNOLDS RD", [null, null, null]],
    ["A79", "**WS LEVIN RD 135 FT N OF MEADOW RD", [null, null, null]],
    [
      "A84",
      "Plains Feed & Seed, 210 Simpson Pkwy, Cheney, WA 99004, United States",
      ["CHENEY", "WA", "99004"],
    ],
    ["full state name", "12 Parkview Cir Grand Forks, North Dakota 58201", ["GRAND FORKS", "ND", "58201"]],
    ["lost zero", "25 First Street, Cambridge, MA 2141", ["CAMBRIDGE", "MA", "02141"]],
    ["Connecticut", "12 ELM CT, HARTFORD CT", ["HARTFORD", "CT", null]],
    ["a court alone", "12 ELM CT", [null, null, null]],
    ["a code that is a designator", "12 ELM ST, MIAMI, FL 33149", ["MIAMI", "FL", "33149"]],
    ["a code that is a road word", "12 ELM ST, DENVER, CO 80202", ["DENVER", "CO", "80202"]],
    ["a code that is a road class", "12 ELM ST SAN JUAN PR 00901", ["SAN JUAN", "PR", "00901"]],
    ["CITY before a code", "12 ELM ST KANSAS CITY KS 66101", ["KANSAS CITY", "KS", "66101"]],
    ["CITY before a ZIP", "12 ELM ST, SUN CITY 85373", ["SUN CITY", null, "85373"]],
    ["FOREST before a ZIP", "12 ELM ST WAKE FOREST 27587", ["WAKE FOREST", null, "27587"]],
    ["a code that is a type", "12 ELM PKWY LOUISVILLE KY", ["LOUISVILLE", "KY", null]],
    ["an avenue before a code", "500 5TH AVE NY", [null, "NY", null]],
    ["a saint behind a type", "12 STATE ST ST PAUL MN 55401", ["ST PAUL", "MN", "55401"]],
    ["two addresses", "12 ELM ST. SALEM OR, 97301; 14 ELM ST. SALEM OR, 97301", ["SALEM", "OR", "97301"]],
    ["directional of a town", "9 RUSH ST SOUTH EL MONTE CA 91733", ["SOUTH EL MONTE", "CA", "91733"]],
    ["directional behind a street with one", "9 S RUSH AVE S QUILLBURG TN", ["S QUILLBURG", "TN", null]],
    ["MC", "335 QUILL LANE, MC ALDER, ID 83638", ["MC ALDER", "ID", "83638"]],
    ["RIDGE", "QUILL RIDGE, AR 72027", ["QUILL RIDGE", "AR", "72027"]],
    ["a state that is a city too", "9 RUSH AVE QUILLVILLE, NEW YORK 12205", ["QUILLVILLE", "NY", "12205"]],
    ["a city that is a state too", "9 RUSH AVE, NEW YORK 10019", ["NEW YORK", null, "10019"]],
  ];
  test.each(localities)("%s: %j", (_, line, expected) => {
    const {city, state, zip} = parseAddress(line);
    expect([city, state, zip]).toEqual(expected);
  });

  test("the ZIP's four further digits are kept unless they are zeros", () => {
    expect(parseAddress("1 ELM ST, X, TX 78757-1234").zipPlusFour).toBe("1234");
    expect(parseAddress("1 ELM ST, X, TX 78757-0000").zipPlusFour).toBeNull();
  });

  test("without a comma the longest known place of the state is the city", () => {
    const isKnownPlace = (city: string) => ["MONTE", "LAKE MONTE", "BUREN"].includes(city);
    const address = parseAddress("610 EAST MAIN LAKE MONTE KS", {isKnownPlace});
    expect([address.name, address.city, address.state]).toEqual(["MAIN", "LAKE MONTE", "KS"]);
  });

  test("without state or ZIP a known place must follow a finished street", () => {
    const isKnownPlace = (city: string) => city === "BUREN" || city === "SALEM";
    expect(parseAddress("500 VAN BUREN", {isKnownPlace}).name).toBe("VAN BUREN");
    expect(parseAddress("500 VAN BUREN ST SALEM", {isKnownPlace}).city).toBe("SALEM");
    expect(parseAddress("12 E SALEM", {isKnownPlace}).name).toBe("SALEM");
    expect(parseAddress("12 HIGHWAY 7 SALEM", {isKnownPlace}).city).toBe("SALEM");
  });

  test.each([
    ["12 HIGHWAY 7 SALEM OR", "HIGHWAY 7", "SALEM", "OR"],
    ["12 4TH AVE N SALEM CT", "4TH", "SALEM", "CT"],
    ["12 QUILL BLVD LOT 4 SALEM MT", "QUILL", "SALEM", "MT"],
    ["12 OLD SALEM CT", "OLD SALEM", null, null],
  ])("%s: a code behind a known place is the state", (line, name, city, state) => {
    const address = parseAddress(line, {isKnownPlace: (place) => place === "SALEM"});
    expect([address.name, address.city, address.state]).toEqual([name, city, state]);
  });

  test.each([
    ["12 QUILL ST, DELAWARE", {state: "OH"}, "DELAWARE", null],
    ["12 QUILL ST DELAWARE", {state: "OH"}, "DELAWARE", null],
    ["12 QUILL ST, DELAWARE 43015", {}, "DELAWARE", null],
    ["12 QUILL ST, DOVER, DELAWARE", {state: "OH"}, "DOVER", "DE"],
    ["12 QUILL ST, DELAWARE", {state: "TX"}, null, "DE"],
  ])("%s with %o: the name of another state may be the town", (line, context, city, state) => {
    const isKnownPlace = (place: string, of: string | null) => place === "DELAWARE" && of === "OH";
    const address = parseAddress(line, {...context, isKnownPlace});
    expect([address.city, address.state]).toEqual([city, state]);
  });

  test("a known place has five words at most, and takes the directional before it", () => {
    const known = ["LAKE IN THE FAR HILLS", "PALM BEACH", "PARK", "MILL PARK"];
    const cityOf = (line: string) => parseAddress(line, {isKnownPlace: (city) => known.includes(city)}).city;
    expect(cityOf("610 EAST MAIN LAKE IN THE FAR HILLS KS")).toBe("LAKE IN THE FAR HILLS");
    expect(cityOf("9 OAK ST W PALM BEACH")).toBe("W PALM BEACH");
    expect(cityOf("9 W PALM BEACH")).toBeNull();
    expect(cityOf("12 QUILL PARK KS")).toBeNull();
    expect(cityOf("12 QUILL MILL PARK KS")).toBe("MILL PARK");
  });
});

test.each([
  ["of weak types the last", "CANYON CREST RIDGE", false, "RIDGE"],
  ["of weak types apart the last", "QUILL CREST MARDEN RIDGE", false, "RIDGE"],
  ["of weak types apart the first, where a town may follow", "QUILL CREST MARDEN RIDGE", true, "CREST"],
  ["of weak types in a row the last, where a town may follow", "CANYON CREST RIDGE", true, "RIDGE"],
  ["never the first word", "CREST QUILL RIDGE", true, "RIDGE"],
  ["a weak one right after a strong one", "WASHINGTON SQUARE VILLAGE", false, "VILLAGE"],
  ["a strong one, where a town may follow", "WASHINGTON SQUARE VILLAGE", true, "SQUARE"],
  ["a hard one before a weak one", "WASHINGTON ST VILLAGE", false, "ST"],
  ["no type of a second address", "MAIN ST 44 TER", false, "ST"],
  ["no type of a town", "MAIN ST TEMPLE TER", true, "ST"],
  ["no saint of a town", "QUILL ST LOUIS", true, undefined],
  ["a street called after no saint's town", "QUILL ST LOUIS", false, "ST"],
  ["no saint before a hard type", "OLD ST JAMES RD", false, "RD"],
  ["no saint behind a type", "STATE ST ST PAUL", false, "ST"],
])("the type of a street is %s: %s", (_, street, townFollows, expected) => {
  const words = street.split(" ");
  const choice = chooseType(words, 0, {end: words.length, townFollows});
  expect(choice === null ? undefined : words[choice.at]).toBe(expected);
});

test("A11: the street after & is the second street", () => {
  expect(parseAddress("3700-08 SALINA ST S & HALL AVE").secondStreet).toBe("HALL AVE");
});

const cornerLines: [string, string, string | null, string][] = [
  ["12 PARK ST TO STRAND PL APT 4", "PARK ST", "4", "STRAND PL"],
  ["12 PARK ST APT 4 TO STRAND PL", "PARK ST", "4", "STRAND PL"],
  ["301 QUILL AVE APT 9Z7 & MARDEN AVE", "QUILL AVE", "9Z7", "MARDEN AVE"],
  ["301 QUILL AVE & MARDEN AVE UNIT 3, ASHMERE, NY 12207", "QUILL AVE", "3", "MARDEN AVE"],
  ["967 QUILL ST N TO SOLAR AVE", "QUILL ST", null, "SOLAR AVE"],
  ["967 QUILL ST N, TO SOLAR AVE, ASHMERE, NY 12207", "QUILL ST", null, "SOLAR AVE"],
  ["100 MAIN ST AT OAK ST UNIT 5", "MAIN ST", "5", "OAK ST"],
  ["12 MAIN ST & OAK ST & ELM AVE", "MAIN ST", null, "OAK ST & ELM AVE"],
];
test.each(cornerLines)("%s is on %s, unit %s, and the second street is %s", (line, street, unit, second) => {
  const {name, type, unit: found, secondStreet, dropped, notes} = parseAddress(line);
  expect([`${name} ${type}`, found, secondStreet, dropped]).toEqual([street, unit, second, 0]);
  expect(notes).toEqual(["second street not compared"]);
});

test("a TO inside a name begins no second street", () => {
  expect(parseAddress("12 BACK TO QUILL LN")).toMatchObject({name: "BACK TO QUILL", secondStreet: null});
  expect(parseAddress("12500 FARM TO MARKET RD 1826").secondStreet).toBeNull();
  expect(parseAddress("12 ELM ST, TO DALE, SALEM OR").secondStreet).toBeNull();
});

test("A49: the unit keeps its designator", () => {
  expect(parseAddress("155 Ocean Lane Dr Apt #1005")).toMatchObject({unitType: "APT", unit: "1005"});
});

test("a unit glued to its designator keeps both, and the town after it is not part of it", () => {
  const glued = {unitType: "STE", unit: "200", city: "SALEM", type: "ST"};
  expect(parseAddress("12 ELM ST STE200 SALEM OR 97301")).toMatchObject(glued);
  expect(parseAddress("12 ELM ST, LT7, SALEM, OR")).toMatchObject({
    unitType: "LOT",
    unit: "7",
    city: "SALEM",
  });
});

test("AVENUE OF THE keeps one word of the name when a town follows without a comma", () => {
  expect(parseAddress("1114 AVENUE OF THE STARS SALEM OR 97301").city).toBe("SALEM");
});

test("the town after a numbered road and its directional is not part of the road", () => {
  const address = parseAddress("900 HIGHWAY 50 W SALEM OR 97301");
  expect(address).toMatchObject({name: "HIGHWAY 50", post: "W", city: "SALEM"});
});

test("a code that ends a line is the state that the context names", () => {
  expect(parseAddress("500 QUILL MILL RD MA", {state: "MA"})).toMatchObject({state: "MA", city: null});
  expect(parseAddress("12 BROADWAY PORTLAND OR", {state: "OR"}).state).toBe("OR");
  expect(parseAddress("202 QUILL ST S TO WASHINGTON", {state: "NY"}).state).toBeNull();
});

test("A50: a box after a street is noted", () => {
  expect(parseAddress("100 MAIN ST PO BOX 12").notes).toEqual(["box left out"]);
});

const leftOut: [string, string[], number][] = [
  ["100 MAIN ST PO BOX 12", ["box left out"], 0],
  ["PO BOX 12", ["box left out"], 0],
  ["CASCADES E 1196 W MAIN ST", ["text before the number left out"], 2],
  ["QUILL TOWER 350 N MAIN", ["text before the number left out"], 2],
  ["12 ELM ST; 14 ELM ST", ["second address left out"], 3],
  ["12 ELM ST & OAK ST", ["second street not compared"], 0],
  ["12/15 MAIN ST", ["second number left out"], 1],
  ["10 & 13 MAIN ST", ["second number left out"], 1],
  ["10 AND 112 MAIN ST", ["second number left out"], 1],
  ["12 ELM ST APT 2 UNIT 5", ["further unit left out"], 2],
  ["12 ELM ST QUILL 4", ["text after the street left out"], 2],
  ["QUILL TOWER, 350 MAIN ST", ["recipient_dropped"], 0],
  ["12 ELM ST, ATTN DALE, SALEM OR", ["text after the street left out"], 2],
  ["12 ELM ST, QUILL ESTATES, SALEM OR", ["text between street and city left out"], 1],
  ["12 ELM ST QUILL ESTATES, SALEM OR", ["text between street and city left out"], 2],
  ["12 ELM ST, SALEM 5 OR 97301", ["text beside the city left out"], 1],
  ["12 ELM ST, QUILLVILLE ON L4C 1T8", ["postal code left out"], 0],
];
test.each(leftOut)("%s is noted as %j, with %d words dropped", (line, notes, dropped) => {
  expect(parseAddress(line)).toMatchObject({notes, dropped});
});

test.each([
  ["12 ELM ST, AUSTIN, TRAVIS COUNTY, TX 78704", "AUSTIN", "TRAVIS"],
  ["12, Elm Street, Austin, Travis County, Texas, 78704, United States", "AUSTIN", "TRAVIS"],
  ["12 ELM ST, ORLEANS PARISH, NEW ORLEANS LA", "NEW ORLEANS", "ORLEANS"],
  ["12 ELM ST, AUSTIN, TRAVIS CO., TX", "AUSTIN", "TRAVIS"],
  ["12 ELM ST, AUSTIN, COUNTY OF TRAVIS, TX", "AUSTIN", "TRAVIS"],
  ["12 ELM ST, MESA COUNTY, CO", "MESA COUNTY", null],
])("%s has the city %s and the county %s", (line, city, county) => {
  expect(parseAddress(line)).toMatchObject({city, county, dropped: 0});
});

test("the five counties of New York City have no ranges", () => {
  expect(parseAddress("112-16 QUEENS BLVD", {county: "QUEENS", state: "NY"}).number).toBe("112-16");
  expect(parseAddress("112-16 QUEENS BLVD", {county: "36081"}).numberHi).toBeNull();
  expect(parseAddress("112-16 QUEENS BLVD", {county: "RICHMOND", state: "VA"}).numberHi).toBe(116);
});

describe("forms beside the vectors", () => {
  const forms: [string, string][] = [
    ["600 22 ST", "600|-|22ND|ST|-|-"],
    ["336 E 42 ND ST", "336|E|42ND|ST|-|-"],
    ["704 SW 1 ST PL", "704|SW|1ST|PL|-|-"],
    ["45 - 28 212TH ST", "28|-|212TH|ST|-|45"],
    ["NO. 12 ELM ST", "12|-|ELM|ST|-|-"],
    ["NO 106 AVENUE A", "106|-|AVENUE A|-|-|-"],
    ["NO 12TH ST", "-|N|12TH|ST|-|-"],
    ["NO 400 EAST", "-|N|400|-|E|-"],
    ["N-6145 8TH AVE", "N6145|-|8TH|AVE|-|-"],
    ["560 THE ESPLANADE", "560|-|THE ESPLANADE|-|-|-"],
    ["560 THE CIR N", "560|-|THE CIRCLE|-|N|-"],
    ["UNIT B, 44 COURT ST", "44|-|COURT|ST|-|B"],
    ["44 COURT ST NO. B", "44|-|COURT|ST|-|B"],
    ["74 MARDEN AVE, STE. ANNE", "74|-|MARDEN|AVE|-|-"],
    ["22 MILE RD", "-|-|22 MILE|RD|-|-"],
    ["8128 S. DR MARTIN LUTHER KING JR Drive", "8128|S|DR MARTIN LUTHER KING JR|DR|-|-"],
    ["514 PEACE & PLENTY LN", "514|-|PEACE & PLENTY|LN|-|-"],
    ["1 W148 ELM", "1|-|W148 ELM|-|-|-"],
    ["W148 N9748 TREE DR", "W148N9748|-|TREE|DR|-|-"],
    ["1114 AVENUE OF THE STARS", "1114|-|AVENUE OF THE STARS|-|-|-"],
    ["1000 INDIANA HIGHWAY 212", "1000|-|STATE HIGHWAY 212|-|-|-"],
    ["3665 PLAIN COUNTY RD 312", "3665|-|PLAIN COUNTY ROAD 312|-|-|-"],
    ["6842 COUNTY ROAD D", "6842|-|COUNTY ROAD D|-|-|-"],
    ["17380 N HIGHWAY A1A", "17380|N|HIGHWAY A1A|-|-|-"],
    ["1809 C CROSS BEAM DR", "1809C|-|CROSS BEAM|DR|-|-"],
    ["2928 N 2900 E RD", "2928|N|2900 E|RD|-|-"],
    ["W RIVER BUILDING, 2000 AIRPORT RD STE 109", "2000|-|AIRPORT|RD|-|109"],
    ["1640 POWERS FERRY RD BLDG 1, STE 100", "1640|-|POWERS FERRY|RD|-|BLDG 1 UNIT 100"],
    ["10 W 35TH ST 15TH FLOOR", "10|W|35TH|ST|-|15"],
    ["100 NORTH AVE W", "100|-|NORTH|AVE|W|-"],
    ["100 N AVENUE B", "100|N|AVENUE B|-|-|-"],
    ["12 1ST AVENUE NORTH, WEST ASHMERE, AR 72201", "12|-|1ST|AVE|N|-"],
    ["527-29 COURT", "527..529|-|COURT|-|-|-"],
    ["1849 QUILL AVE., 302, ASHMERE", "1849|-|QUILL|AVE|-|302"],
    ["1 MARDEN CTR 5400 QUILL FWY", "5400|-|QUILL|FWY|-|-"],
    ["ONE MARDEN PLAZA, SUITE 7, 55 BROADWAY, ASHMERE", "55|-|BROADWAY|-|-|-"],
    ["100 MARDEN PLAZA 400", "100|-|MARDEN|PLZ|-|400"],
    ["QUILL & SONS LLC 204 MARDEN AVE N", "204|-|MARDEN|AVE|N|-"],
    ["MARDEN N 507 2600 N QUILL DR", "2600|N|QUILL|DR|-|-"],
    ["3633 N 3RD 2090", "3633|N|3RD|-|-|2090"],
    ["11085 GRAVEL PARK ST LOUIS MO 63128", "11085|-|GRAVEL|PARK|-|-"],
    ["100 MAIN ST STE200", "100|-|MAIN|ST|-|200"],
    ["100 MAIN ST APT-4B", "100|-|MAIN|ST|-|4B"],
    ["1114 AVENUE OF THE STARS SALEM OR 97301", "1114|-|AVENUE OF THE STARS|-|-|-"],
    ["1114 AVENUE OF AMERICAS SALEM OR 97301", "1114|-|AVENUE OF AMERICAS|-|-|-"],
    ["900 HIGHWAY 50 W", "900|-|HIGHWAY 50|-|W|-"],
    ["900 HIGHWAY 50 ALT W", "900|-|HIGHWAY 50 ALT|-|W|-"],
    ["900 CR 400N", "900|-|COUNTY ROAD 400|-|N|-"],
    ["900 FM 1826 RD STE 4", "900|-|FM 1826|-|-|4"],
    ["201 QUILL DR., 209 W, ASHMERE, FL 33149", "201|-|QUILL|DR|-|209W"],
    ["10 & 12 MAIN ST", "10..12|-|MAIN|ST|-|-"],
    ["E 1290 COUNTY ROAD H", "E1290|-|COUNTY ROAD H|-|-|-"],
    ["N 5755 8TH AVE", "N5755|-|8TH|AVE|-|-"],
    ["E 1700 SOUTH", "-|E|1700|-|S|-"],
    ["124 US ROUTE ONE", "124|-|US HIGHWAY 1|-|-|-"],
    ["JCT US 2 & SD 10", "-|-|US HIGHWAY 2|-|-|-"],
    ["CORNER MAIN & ELM ST", "-|-|MAIN|-|-|-"],
    ["900 HIGHWAY 50 RD 12", "900|-|HIGHWAY 50 ROAD 12|-|-|-"],
  ];
  test.each(forms)("%s", (line, expected) => {
    expect(parts(parseAddress(line))).toBe(expected);
  });
});

test.each<[line: string, street: string, town: string]>([
  ["9 E 400 W 302", "9|E|400|-|W|302", "-"],
  ["12 400 ST S", "12|-|400TH|ST|S|-", "-"],
  ["12 S LATERAL 4", "12|S|LATERAL 4|-|-|-", "-"],
  ["12 LATERAL 4 RD W", "12|-|LATERAL 4|RD|W|-", "-"],
  ["5400 W CENTER SQ NE", "5400|W|CENTER|SQ|NE|-", "-"],
  ["12 NORTH ST NW # 9, ASHMERE OR 97301", "12|-|NORTH|ST|NW|9", "ASHMERE"],
  ["12 E NORTH NE ASHMERE KS", "12|E|NORTH|-|NE|-", "ASHMERE"],
  ["12 E COURT PARK NE ASHMERE", "12|E|COURT|PARK|-|-", "NE ASHMERE"],
  ["12 W TERRACE FOREST N ST PAUL MN", "12|W|TERRACE|FRST|N|-", "ST PAUL"],
  ["12 BROADWAY NE 302 ST PAUL MN", "12|-|BROADWAY|-|NE|302", "ST PAUL"],
  ["12 E ST JAMES EAST ASHMERE OR 97301", "12|E|SAINT JAMES|-|-|-", "EAST ASHMERE"],
  ["744 AVENUE OF THE STARS LAKE ASHMERE CA", "744|-|AVENUE OF THE STARS|-|-|-", "LAKE ASHMERE"],
  ["1100 3RD FT ASHMERE FL 33301", "1100|-|3RD|-|-|-", "FT ASHMERE"],
])("%s is the street %s in %s", (line, street, town) => {
  const address = parseAddress(line);
  expect([parts(address), address.city ?? "-"]).toEqual([street, town]);
});
