import type {Geometry} from "geojson";

/** Invented parcels around Austin: a hole, two parts, a third coordinate, an id of many digits, no geometry, an accent. */
export type SampleRow = {
  readonly parcel_no: string;
  readonly owner: string;
  readonly address: string;
  readonly acreage: number;
  readonly account: bigint;
  readonly use_code: string | null;
  readonly geometry: Geometry | null;
};

export const columns = ["parcel_no", "owner", "address", "acreage", "account", "use_code"] as const;

/** Outer rings are clockwise and holes counter-clockwise, as shapefiles require, so that outlines are equal in every format. */
const box = (x: number, y: number, size: number) => [
  [x, y],
  [x, y + size],
  [x + size, y + size],
  [x + size, y],
  [x, y],
];
const hole = (x: number, y: number, size: number) => box(x, y, size).reverse();

export const sampleRows: readonly SampleRow[] = [
  {
    parcel_no: "0012-003",
    owner: "ROE JANE",
    address: "101 SAMPLE ST",
    acreage: 12.5,
    account: 9_007_199_254_740_993n,
    use_code: "A1",
    geometry: {type: "Polygon", coordinates: [box(-97.75, 30.25, 0.002), hole(-97.7495, 30.2505, 0.0005)]},
  },
  {
    parcel_no: "0012-004",
    owner: "MUÑOZ JOSÉ",
    address: "103 SAMPLE ST",
    acreage: 3,
    account: 42n,
    use_code: null,
    geometry: {type: "MultiPolygon", coordinates: [[box(-97.74, 30.25, 0.001)], [box(-97.73, 30.25, 0.003)]]},
  },
  {
    parcel_no: "0012-005",
    owner: 'SMITH, JOHN; "TRUST"',
    address: "105 SAMPLE ST",
    acreage: 0.25,
    account: 43n,
    use_code: "C1",
    geometry: null,
  },
];

/** Swaps latitude and longitude. */
export function swapped(geometry: Geometry | null): Geometry | null {
  return JSON.parse(JSON.stringify(geometry), (_, value: unknown) =>
    Array.isArray(value) && typeof value[0] === "number" ? [value[1], value[0]] : value,
  ) as Geometry | null;
}
