import {countWords} from "../../lib/counts.ts";
import {type Lot, lotsOn, ringOf, seededBy} from "../market/samples/lots.ts";

/** Property use codes by kind of lot, from the Arizona assessors' manual. */
const useCodes: Readonly<Record<Lot["kind"], string>> = {
  ranch: "4710",
  home: "0131",
  shop: "1010",
  vacant: "0014",
};

const squareFeetPerAcre = 43_560;

/** State property categories by kind of lot, from the Texas comptroller. */
const categories: Readonly<Record<Lot["kind"], string>> = {ranch: "D1", home: "A1", shop: "F1", vacant: "C1"};

const earthRadiusM = 6_378_137;

/** Generates parcels in the layout of the Texas land-parcel service, as one page of Esri JSON in Web Mercator. */
export function texasParcels(asOf: string): string {
  const random = seededBy("us-tx-stratmap");
  const lots = lotsOn({south: 32.22, west: -98.3, rows: 12, columns: 15}, random);
  const features = lots.map((lot) => ({
    attributes: attributes(lot, asOf),
    geometry: {rings: [ringOf(lot).reverse().map(webMercator)]},
  }));
  const page = {
    objectIdFieldName: "OBJECTID",
    geometryType: "esriGeometryPolygon",
    spatialReference: {wkid: 102100, latestWkid: 3857},
    features,
  };
  return `${JSON.stringify(page)}\n`;
}

function attributes(lot: Lot, asOf: string): Record<string, string | number | null> {
  const land = Math.round(lot.acres * 5_200);
  const improvement = lot.kind === "home" ? 165_000 : lot.kind === "shop" ? 240_000 : 0;
  const year = Number(asOf.slice(0, 4));
  return {
    OBJECTID: lot.number,
    Prop_ID: `R${String(990_000 + lot.number).padStart(9, "0")}`,
    GEO_ID: `S.${String(lot.number).padStart(4, "0")}.00010.00`,
    FIPS: "48143",
    COUNTY: "ERATH",
    SOURCE: "GENERATED SAMPLE",
    DATE_ACQ: Number(`${year}0301`),
    TAX_YEAR: year,
    OWNER_NAME: lot.owner,
    NAME_CARE: null,
    SITUS_ADDR: `${lot.houseNumber} ${lot.direction} ${lot.street} ${lot.streetType}, SAMPLE SPRINGS, TX 76401`,
    SITUS_NUM: String(lot.houseNumber),
    SITUS_STRE: lot.direction,
    SITUS_ST_1: lot.street,
    SITUS_ST_2: lot.streetType,
    SITUS_CITY: "SAMPLE SPRINGS",
    SITUS_STAT: "TX",
    SITUS_ZIP: "76401",
    MAIL_ADDR: `PO BOX ${2000 + lot.number}, SAMPLE SPRINGS, TX 76401`,
    MAIL_LINE1: `PO BOX ${2000 + lot.number}`,
    MAIL_LINE2: null,
    MAIL_CITY: "SAMPLE SPRINGS",
    MAIL_STAT: "TX",
    MAIL_ZIP: "76401",
    LEGAL_DESC: `GENERATED SAMPLE SURVEY, TRACT ${lot.number}, ${lot.acres} ACRES`,
    LEGAL_AREA: lot.acres,
    LGL_AREA_U: "Acres",
    GIS_AREA: lot.acres,
    GIS_AREA_U: "Acres",
    STAT_LAND_: categories[lot.kind],
    LOC_LAND_U: null,
    LAND_VALUE: land,
    IMP_VALUE: improvement,
    MKT_VALUE: land + improvement,
    YEAR_BUILT: improvement > 0 ? String(lot.year) : null,
  };
}

/** Projects a position to EPSG:3857 (Web Mercator). */
function webMercator([lon, lat]: [number, number]): [number, number] {
  const y = earthRadiusM * Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360));
  return [centimetres((lon * Math.PI * earthRadiusM) / 180), centimetres(y)];
}

function centimetres(metres: number): number {
  return Math.round(metres * 100) / 100;
}

/** Generates parcels in the layout of the Maricopa County assessor's layer, as GeoJSON. */
export function arizonaParcels(asOf: string): string {
  const random = seededBy("us-az-maricopa");
  const lots = lotsOn({south: 33.31, west: -112.95, rows: 12, columns: 12}, random);
  const features = lots.map((lot) => ({
    type: "Feature",
    properties: properties(lot, Number(asOf.slice(0, 4))),
    geometry: {type: "Polygon", coordinates: [ringOf(lot)]},
  }));
  const crs = {type: "name", properties: {name: "urn:ogc:def:crs:OGC:1.3:CRS84"}};
  return `${JSON.stringify({type: "FeatureCollection", name: "generated sample", crs, features}, null, 0)}\n`;
}

function properties(lot: Lot, year: number): Record<string, string | number | null> {
  const [book, map, item] = [
    "998",
    String(10 + Math.floor(lot.number / 40)),
    String(lot.number).padStart(3, "0"),
  ];
  const street = {num: String(lot.houseNumber), dir: lot.direction, name: lot.street, type: lot.streetType};
  const value = Math.round(lot.acres * 1_900 + (lot.kind === "ranch" ? 4_000 : 180_000));
  return {
    OBJECTID: lot.number,
    APN: `${book}${map}${item}`,
    FLOOR: 1,
    APN_DASH: `${book}-${map}-${item}`,
    BOOK: book,
    MAP: map,
    ITEM: item,
    PUC: useCodes[lot.kind],
    OWNER_NAME: lot.owner,
    MAIL_ADDR1: `PO BOX ${1000 + lot.number}`,
    MAIL_ADDR2: null,
    MAIL_CITY: "SAMPLE WELLS",
    MAIL_STATE: "AZ",
    MAIL_CNTRY: "USA",
    MAIL_ZIP: "85326",
    PHYSICAL_STREET_NUM: street.num,
    PHYSICAL_STREET_DIR: street.dir,
    PHYSICAL_STREET_NAME: street.name,
    PHYSICAL_STREET_TYPE: street.type,
    PHYSICAL_STREET_SUFFIX: "",
    PHYSICAL_STREET_POSTDIR: null,
    PHYSICAL_SUITE: null,
    PHYSICAL_CITY: "SAMPLE WELLS",
    PHYSICAL_ZIP: "85326",
    PHYSICAL_ADDRESS: `${street.num} ${street.dir} ${street.name} ${street.type}   SAMPLE WELLS  85326`,
    MAIL_ADDRESS: `PO BOX ${1000 + lot.number} SAMPLE WELLS AZ 85326`,
    DEED_NUMBER: `2000${String(lot.number).padStart(7, "0")}`,
    DEED_DATE: String(Date.UTC(2000 + (lot.number % 24), 2, 20)),
    SALE_DATE: `03/15/${2000 + (lot.number % 24)}`,
    SALE_PRICE: String(value + 10_000),
    MCRNUM: null,
    SUBNAME: null,
    LOT_NUM: String(lot.number),
    BLOCK: null,
    TRACT: null,
    LAND_SIZE: Math.round(lot.acres * squareFeetPerAcre),
    STR: "14 1N 5W",
    CITY_ZONING: lot.kind === "ranch" ? "RU-190" : "R1-6",
    JURISDICTION: "NO CITY/TOWN",
    CONST_YEAR: lot.kind === "vacant" || lot.kind === "ranch" ? "" : String(lot.year),
    LIVING_SPACE: lot.kind === "home" ? "   1,840" : null,
    INCAREOF: "",
    TAX_YR_CUR: String(year),
    FCV_CUR: countWords(value).padStart(12),
    LPV_CUR: Math.round(value * 0.66)
      .toLocaleString("en-US")
      .padStart(12),
    LC_CUR: "2.R",
  };
}
