import {join} from "node:path";
import {describe, expect, it} from "vitest";
import {draftOf, type ProposeOptions} from "../../pipeline/commands/propose-options.ts";
import {type ProposedEntry, proposeEntry} from "../../pipeline/parcels/propose/propose-entry.ts";
import {corpus} from "./corpus.ts";

/**
 * The mapping found by a person: our columns (or `id`, `area`, `use`, `year`, `county`) with the file's columns; several form
 * one value.
 */
type Truth = Readonly<Record<string, string>>;

/** A line with town, owner and legal description, as several cases of one hand print it. */
const listing: Truth = {
  id: "PIN",
  situs_raw: "SITUS",
  city: "CITY",
  zip: "ZIP",
  owner_raw: "OWNER",
  legal_desc: "LEGAL",
};

/** The files of `new-counties` and `new-counties-2` with the truth of their README, and the layouts of the cases of parcels and addresses. */
const layouts: readonly (readonly [path: string, options: ProposeOptions, truth: Truth])[] = [
  [
    "new-counties/us-co-mesa.csv",
    {county: ["08077"]},
    {
      id: "PARCEL_NUM",
      situs_raw: "LOCATION",
      situs_number: "STRNUMBER",
      situs_pre: "STRDIR",
      situs_name: "STRNAME",
      situs_type: "STRMODE",
      situs_unit: "STRUNIT",
      city: "SITUS_CITY",
      zip: "SITUS_ZIP",
      owner_raw: "OWNER + JTOWNER",
      mail_line1: "MAILING",
      mail_city: "MAILING_CITY",
      mail_state: "MAILING_ST",
      mail_zip: "MAILING_ZIP",
      area: "Acres",
      market_value: "TOTVALCUR",
      assessed_value: "TOTASSCUR",
      land_value: "LNDASSCUR",
      building_value: "IMPASSCUR",
      use: "LNDUSE",
      transfer_date: "SDATE",
      transfer_price: "SPRICE",
      year_built: "AYB1ST",
      zoning_code: "ZONING",
    },
  ],
  [
    "new-counties/us-pa-lycoming.csv",
    {county: ["42081"]},
    {
      id: "Tax Parcel Number",
      situs_raw: "Property Address",
      owner_raw: "Owner",
      mail_line1: "Address Line 1 + Address Line 2",
      mail_city: "City",
      mail_state: "State",
      mail_zip: "Zip",
      area: "Deeded Acres",
      transfer_date: "SALE_DATE",
      transfer_price: "SALE_AMT",
      jurisdiction: "Municipality",
      source_url: "LycoOnline",
    },
  ],
  [
    "new-counties/us-az-maricopa-assessor-export.csv",
    {county: ["04013"]},
    {
      id: "Parcel Number",
      situs_raw: "Property Address",
      situs_number: "Property Street Number",
      situs_pre: "Property Street Direction",
      situs_name: "Property Street Name",
      situs_type: "Property Street Type",
      situs_unit: "Property Suite",
      city: "Property City",
      zip: "Property Zip Code",
      owner_raw: "Owner Name",
      owner_care_of: "In Care Of",
      mail_line1: "Mailing Address1 + Mailing Address2",
      mail_city: "Mailing Address City",
      mail_state: "Mailing Address State",
      mail_zip: "Mailing Address Zip Code",
      area: "Land Size",
      market_value: "Current Full Cash Value",
      taxable_value: "Current Limited Property Value",
      year: "Current Tax Year",
      use: "PUC",
      year_built: "Construction Year",
      building_area: "Living Space Size",
      transfer_date: "Sale Date",
      transfer_price: "Sale Price",
      recording_date: "Deed Date",
    },
  ],
  [
    "new-counties/us-me-portland.csv.gz",
    {county: ["23005"], place: ["Portland"]},
    {
      id: "parcel",
      situs_raw: "address",
      area: "land_area_acreage",
      assessed_value: "2021_total",
      land_value: "2021_land",
      building_value: "2021_building",
      use: "land_use_code",
      year: "2021",
    },
  ],
  [
    "new-counties/us-oh-dayton.csv",
    {county: ["39113"], place: ["Dayton"]},
    {id: "KeyParcelId", situs_raw: "Parcel Address"},
  ],
  [
    "new-counties/us-ny-albany-20.zip",
    {county: ["36001"]},
    {
      id: "print_key",
      situs_number: "loc_st_nbr",
      situs_pre: "loc_prefix",
      situs_name: "loc_st_nam",
      situs_type: "loc_mail_s",
      city: "loc_muni_n",
      zip: "loc_zip",
      owner_raw: "owner_name + additional",
      owner_care_of: "attention_",
      mail_line1: "street_add + po_box + city_state",
      area: "ACRES",
      assessed_value: "total_av",
      land_value: "land_av",
      use: "prop_class",
      year: "roll_yr",
    },
  ],
  [
    "new-counties-2/nh-lebanon-parcels.csv.gz",
    {county: ["33009"], place: ["Lebanon"]},
    {
      id: "parcel_id",
      situs_raw: "situs_address",
      owner_raw: "owner_name + nhdra_co own name",
      mail_line1: "mailing_address1",
      mail_city: "mailing_city",
      mail_state: "mailing_state",
      mail_zip: "mailing_zip",
      area: "lot_size_acres",
      assessed_value: "total_value",
      land_value: "land_value",
      building_value: "building_value",
      transfer_date: "nhdra_saledate",
      transfer_price: "nhdra_saleprice",
      year_built: "nhdra_vns ayb",
      use: "class_code",
      zoning_code: "nhdra_lnd zone",
    },
  ],
  [
    "new-counties-2/nh-lebanon-map.zip",
    {county: ["33009"], place: ["Lebanon"]},
    {id: "MAP_LOT", area: "CALC_ACRES"},
  ],
  [
    "new-counties-2/mi-tuscola-mayville.geojson.gz",
    {county: ["26157"], place: ["Mayville"]},
    {
      id: "PIN",
      situs_raw: "Address",
      owner_raw: "send_to_na",
      mail_line1: "ownerstree + ownerCityS",
      area: "Acres",
    },
  ],
  [
    "new-counties-2/ga-atlanta.csv.gz",
    {state: "GA"},
    {
      id: "assessorID",
      county: "county",
      situs_raw: "addressLine1",
      city: "city",
      zip: "zipCode",
      area: "lotSize",
      transfer_date: "lastSaleDate",
      transfer_price: "lastSalePrice",
      year_built: "yearBuilt",
      use: "propertyType",
      owner_raw: "owner.names",
      mail_line1: "owner.mailingAddress.addressLine1",
      mail_city: "owner.mailingAddress.city",
      mail_state: "owner.mailingAddress.state",
      mail_zip: "owner.mailingAddress.zipCode",
    },
  ],
  [
    "new-counties-2/mn-yellow-medicine.zip",
    {county: ["27173"]},
    {
      id: "PARCEL_NUM",
      situs_raw: "PROPERTY_A",
      zip: "PROPERTY_Z",
      // The owner is printed only if the taxpayer differs.
      owner_raw: "OWNER_NAME + TAXPAYER_N",
      mail_line1: "OWNER_ADDR + OWNER_AD_1 + OWNER_AD_2 + OWNER_AD_3",
      area: "DEEDED_ACR + GIS_ACRES",
      legal_desc: "LEGAL",
      year: "TAX_YEAR",
      jurisdiction: "CITY_TWP_1",
    },
  ],
  ["cases/parcels/arcgis-hole-same-direction/custer.json", {county: ["31041"]}, {...listing, area: "ACRES"}],
  [
    "cases/parcels/county-names-retired-and-ct/va.csv",
    {state: "VA"},
    {...listing, area: "ACRES", county: "COUNTY"},
  ],
  ["cases/parcels/curve-rings/page.json", {county: ["04003"]}, {id: "PIN", situs_raw: "SITUS"}],
  ["cases/parcels/dbf-cpg-1252-on-utf8/taos.zip", {county: ["35055"]}, listing],
  ["cases/parcels/map-roll-dash/map.geojson", {county: ["05125"]}, {id: "PIN"}],
  [
    "cases/parcels/map-roll-dash/roll.csv",
    {county: ["05125"]},
    {
      id: "PARCEL",
      owner_raw: "OWNER",
      situs_raw: "SITEADDR",
      city: "CITY",
      market_value: "APPRAISED",
      year: "YEAR",
    },
  ],
  ["cases/parcels/report-export-with-totals/cowley.csv", {county: ["20035"]}, {...listing, area: "ACRES"}],
  [
    "cases/parcels/s-t-r-as-street/saline.csv",
    {county: ["05125"]},
    {
      id: "parcel_id",
      legal_desc: "parcel_lgl",
      owner_raw: "ow_name",
      mail_line1: "ow_add",
      situs_raw: "ph_add",
      situs_number: "ph_rd_num",
      situs_pre: "ph_pre_dir",
      situs_name: "ph_rd_nam",
      situs_type: "ph_rd_typ",
      city: "ph_cty_nm",
      zip: "ph_zip",
      use: "type",
      assessed_value: "total_val",
      sec_twn_rng: "s_t_r",
      area: "acre_area",
    },
  ],
  [
    "cases/addresses/location-description/baltimore.csv",
    {county: ["24510"]},
    {
      id: "block_lot",
      situs_raw: "Address",
      owner_raw: "Owner_Name",
      assessed_value: "assessed_value",
      area: "lot_size",
    },
  ],
];

const ofOwner = /^(?:owner|mail)_/;

/** The columns of the file that a proposal puts into one of ours. */
function proposed({entry}: ProposedEntry, column: string): string | null {
  const joined = (names: string | readonly string[] | undefined) =>
    names === undefined ? null : [names].flat().join(" + ");
  const nameOf = (spec: unknown) =>
    typeof spec === "string" ? spec : joined((spec as {from?: string | string[]} | undefined)?.from);
  const {ids, area, use, vintage, coverage, fields} = entry;
  if (column === "id") return "raw" in ids ? nameOf(ids.raw) : null;
  if (column === "area") return joined(area?.from);
  if (column === "use") return joined(use?.codeFrom);
  if (column === "county") return nameOf(coverage.countyFrom);
  if (column !== "year") {
    const members = fields[column]?.transform?.flatMap((step) => /^member:(.*)/.exec(step)?.[1] ?? []) ?? [];
    return members.length === 0 ? nameOf(fields[column]) : [nameOf(fields[column]), ...members].join(".");
  }
  const roll = vintage.flatMap((rule) =>
    typeof rule === "object" && "rollYear" in rule ? [rule.rollYear] : [],
  )[0];
  return roll === undefined ? null : String(roll);
}

describe.skipIf(corpus === null)("proposals for files that nobody had seen", () => {
  it("M10: find the columns that a person found: 20 of 20 layouts are usable as they are, and no column is wrong", async () => {
    const lines: string[] = [];
    const wrongOwners: string[] = [];
    const counts = {right: 0, wrong: 0, missed: 0, usable: 0};
    for (const [path, options, truth] of layouts) {
      const proposal = await proposeEntry(join(corpus!, path), draftOf(options), "2026-11-21");
      const judged = Object.entries(truth).map(([column, expected]) => ({
        column,
        expected,
        came: proposed(proposal, column),
      }));
      const right = judged.filter(({came, expected}) => came === expected);
      const missed = judged.filter(({came}) => came === null);
      const wrong = judged.filter(({came, expected}) => came !== null && came !== expected);
      const strange = Object.keys(proposal.entry.fields).filter(
        (column) => ofOwner.test(column) && truth[column] === undefined,
      );
      wrongOwners.push(
        ...wrong.filter(({column}) => ofOwner.test(column)).map(({column}) => `${path} ${column}`),
        ...strange,
      );
      const isUsable = wrong.length === 0 && !missed.some(({column}) => /^(?:id|situs|owner)/.test(column));
      counts.right += right.length;
      counts.wrong += wrong.length;
      counts.missed += missed.length;
      counts.usable += isUsable ? 1 : 0;
      const told = [
        ...wrong.map(({column, came}) => `${column} wrong: ${came}`),
        ...missed.map(({column}) => `${column} missed`),
      ];
      lines.push(
        `${path.split("/").at(-1)!.padEnd(40)} ${right.length} right, ${wrong.length} wrong, ${missed.length} missed${isUsable ? "" : "  NOT USABLE"}  ${told.join(", ")}`,
      );
      expect(proposal.entry.accept.minRows, path).toBeGreaterThan(proposal.merges.parcels * 0.89 - 1);
    }
    process.stderr.write(
      `proposals: ${counts.right} right, ${counts.wrong} wrong, ${counts.missed} missed\n${lines.join("\n")}\n`,
    );
    expect(wrongOwners).toEqual([]);
    expect(counts.wrong).toBe(0);
    expect(counts.usable).toBe(layouts.length);
  });
});
