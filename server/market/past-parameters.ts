import {z} from "zod";
import {addDays, ageDays} from "../../lib/dates.ts";
import {invalidParameters} from "../http/problem-document.ts";
import type {Span} from "../tables/past-sales.ts";
import {costParameters, type FaultContext, type PageQuery, type QueryOf} from "./market-parameters.ts";

/** Most days between the first and the last day of a question. */
export const MAX_SPAN = 366;
const day = (about: string) =>
  z.string().regex(z.regexes.date, {error: "is not a date, YYYY-MM-DD"}).optional().describe(about);

/** The days of past sales, and the place in a list of their rows. */
export const pastParameters = {
  from: day("First day of past sales"),
  to: day("Last day; ages count to it"),
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,200}$/, {error: "is not a cursor that an answer gave"})
    .optional()
    .describe("`next_cursor` of the page before"),
};

/** Validation of the days: in order, and not too far apart; and of the place in the list, which only one of two may name. */
export function checkPast(
  {from, to, cursor, offset}: QueryOf<typeof pastParameters> & PageQuery,
  context: FaultContext,
): void {
  const fault = (name: string, message: string) => context.addIssue({code: "custom", path: [name], message});
  if (from !== undefined && to !== undefined) {
    if (from > to) fault("from", "is after to");
    else if (ageDays(from, to) > MAX_SPAN) fault("from", `is more than ${MAX_SPAN} days before to`);
  }
  if (cursor === undefined) return;
  if (from === undefined && to === undefined) fault("cursor", "pages past sales: repeat from and to with it");
  if (offset !== undefined) fault("offset", "is a second place beside cursor");
}

type PastQuery = QueryOf<typeof pastParameters> & Readonly<Record<string, unknown>>;

/** Validation of what only the newest sales have: a comparison of barns, with costs and an order. */
export function checkComparison(query: PastQuery, context: FaultContext): void {
  const names = [...Object.keys(costParameters), "order"];
  refuseWithDays(query, context, {names, message: "compares the newest sales, not those of from and to"});
}

/** The same of a history, which goes back from each record's last sale, and of the curve of a summary. */
export function checkHistory(query: PastQuery, context: FaultContext): void {
  const message = "cannot be given together with from and to: it is of the newest sales";
  refuseWithDays(query, context, {names: ["history", "curve"], message});
}

function refuseWithDays(
  {from, to, ...query}: PastQuery,
  context: FaultContext,
  {names, message}: {readonly names: readonly string[]; readonly message: string},
): void {
  if (from === undefined && to === undefined) return;
  for (const name of names)
    if (query[name] !== undefined) context.addIssue({code: "custom", path: [name], message});
}

/** The days of a question about past sales, both included and none after the build's; null without one. Throws a 400 for a first day after the build's. */
export function spanOf({from, to}: QueryOf<typeof pastParameters>, asOf: string): Span | null {
  if (from === undefined && to === undefined) return null;
  if (from !== undefined && from > asOf)
    throw invalidParameters([{name: "from", value: from, reason: `is after the build's day, ${asOf}`}]);
  const last = to ?? addDays(from!, MAX_SPAN);
  const end = last < asOf ? last : asOf;
  return {from: from ?? addDays(end, -MAX_SPAN), to: end};
}
