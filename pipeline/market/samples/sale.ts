import {seededBy} from "./lots.ts";

/** One generated price row, in the reports' wording. */
export type SampleRow = {
  readonly commodity: "Feeder Cattle" | "Slaughter Cattle" | "Replacement Cattle";
  readonly className: string;
  /** Grade as printed in a heading: frame and muscle, or quality and lean share. */
  readonly grade: string;
  readonly priceUnit: "Per Cwt" | "Per Unit";
  readonly head: number;
  readonly weightLow: number;
  readonly weightHigh: number;
  readonly avgWeight: number;
  readonly priceLow: number;
  readonly priceHigh: number;
  readonly avgPrice: number;
  readonly dressing?: string;
  readonly age?: string;
  readonly stage?: string;
};

/** A generated sale: its rows, and receipts slightly above the head in the rows. */
export type SampleSale = {
  readonly date: string;
  readonly rows: SampleRow[];
  readonly receipts: Readonly<Record<SampleRow["commodity"], number>>;
};

const feederClasses = [
  {className: "Steers", grade: "Medium and Large 1", at500: 410, perCwt: 0.32},
  {className: "Steers", grade: "Medium and Large 1-2", at500: 392, perCwt: 0.31},
  {className: "Heifers", grade: "Medium and Large 1", at500: 372, perCwt: 0.27},
  {className: "Heifers", grade: "Medium and Large 1-2", at500: 355, perCwt: 0.26},
  {className: "Bulls", grade: "Medium and Large 1", at500: 380, perCwt: 0.34},
] as const;

const slaughterClasses = [
  {className: "Cows", grade: "Breaker 75-80%", price: 168, weight: 1480},
  {className: "Cows", grade: "Boner 80-85%", price: 162, weight: 1290},
  {className: "Cows", grade: "Lean 85-90%", price: 148, weight: 1150},
  {className: "Bulls", grade: "1-2", price: 205, weight: 1790},
] as const;

/** Generates the sale of a barn on a day, deterministically; prices drift slowly over the weeks. */
export function sampleSale(slug: number, date: string): SampleSale {
  const random = seededBy(`${slug} ${date}`);
  const season = Math.sin((Date.parse(date) / 86_400_000 / 365.25) * 2 * Math.PI) * 9;
  const level = 1 + (season + random.next() * 4 - 2) / 100;
  const row = (fixed: Omit<SampleRow, Measured>, head: number, weight: number, price: number): SampleRow => {
    const spreadWeight = head < 4 ? 0 : random.int(3, 18);
    const spreadPrice = head < 4 ? 0 : random.int(2, 12) * 0.5;
    const avgPrice = quarter(price * level);
    return {
      ...fixed,
      head,
      weightLow: weight - spreadWeight,
      weightHigh: weight + spreadWeight,
      avgWeight: weight,
      priceLow: avgPrice - spreadPrice,
      priceHigh: avgPrice + spreadPrice,
      avgPrice,
    };
  };
  const feeders = feederClasses.flatMap(({className, grade, at500, perCwt}) =>
    [425, 475, 525, 575, 625, 675, 725, 775, 825].map((weight) =>
      row(
        {commodity: "Feeder Cattle", className, grade, priceUnit: "Per Cwt"},
        random.int(3, 48),
        weight + random.int(-18, 18),
        at500 - (weight - 500) * perCwt,
      ),
    ),
  );
  const slaughter = slaughterClasses.map(({className, grade, price, weight}) =>
    row(
      {commodity: "Slaughter Cattle", className, grade, priceUnit: "Per Cwt", dressing: "Average"},
      random.int(4, 40),
      weight + random.int(-40, 40),
      price,
    ),
  );
  const bred = ["T1", "T2", "T3"].map((stage, i) =>
    row(
      {
        commodity: "Replacement Cattle",
        className: "Bred Cows",
        grade: "Medium and Large 1-2",
        priceUnit: "Per Unit",
        age: "5-8",
        stage,
      },
      random.int(3, 20),
      1180 + random.int(-40, 40),
      2450 + i * 150,
    ),
  );
  const rows = [...feeders, ...slaughter, ...bred];
  return {date, rows, receipts: receiptsOf(rows, random.int(2, 12))};
}

type Measured = "head" | "weightLow" | "weightHigh" | "avgWeight" | "priceLow" | "priceHigh" | "avgPrice";

function receiptsOf(rows: readonly SampleRow[], unpriced: number): SampleSale["receipts"] {
  const head = (commodity: SampleRow["commodity"]) =>
    rows.filter((row) => row.commodity === commodity).reduce((sum, row) => sum + row.head, 0) + unpriced;
  return {
    "Feeder Cattle": head("Feeder Cattle"),
    "Slaughter Cattle": head("Slaughter Cattle"),
    "Replacement Cattle": head("Replacement Cattle"),
  };
}

/** Rounds a price to a quarter dollar, the usual bid step of auctions. */
function quarter(price: number): number {
  return Math.round(price * 4) / 4;
}
