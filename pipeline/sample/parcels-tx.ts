import {type Lot, lotsOn, ringOf} from "./lots.ts";
import {seededBy} from "./random.ts";

/** State property categories by kind of lot, from the Texas comptroller. */
const categories: Readonly<Record<Lot["kind"], string>> = {ranch: "D1", home: "A1", shop: "F1", vacant: "C1"};

const earthRadiusM = 6_378_137;

/** Gives invented parcels in the layout of the Texas land-parcel service, as one page of Esri JSON in Web Mercator. */
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

/** Gives a position in EPSG:3857, the sphere of web maps. */
function webMercator([lon, lat]: [number, number]): [number, number] {
  const y = earthRadiusM * Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360));
  return [centimetres((lon * Math.PI * earthRadiusM) / 180), centimetres(y)];
}

function centimetres(metres: number): number {
  return Math.round(metres * 100) / 100;
}
