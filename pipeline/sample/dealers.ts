import {seededBy} from "./random.ts";

const types = ["Livestock Dealer", "Livestock Auction Market", "Order Buyer"] as const;
const licences = 24;

/** Gives an invented licence list of a state as CSV; every licence is active, and no name is that of a business. */
export function sampleLicences(state: string, listAsOf: string): string {
  const random = seededBy(`licences ${state}`);
  const lines = Array.from({length: licences}, (_, i) => {
    const bonded = random.int(0, 3) === 0 ? "No" : "Yes";
    return `Sample Licensee ${i + 1},${random.pick(types)},${state},${bonded},Active,${listAsOf}\n`;
  });
  return `Licensee,License Type,State,Bonded,Status,List As Of\n${lines.join("")}`;
}
