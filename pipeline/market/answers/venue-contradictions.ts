import {mergeFindings} from "../../../lib/market/contradictions.ts";
import type {Contradiction} from "../../../schemas/market-evidence.ts";
import type {Venue} from "../../../schemas/vocabulary/venue.ts";
import type {BarnFigures} from "./barn-figures.ts";

/** Contradictions between rosters and registry by venue: empty if they agree, absent if there was nothing to compare. */
export type ListedContradictions = ReadonlyMap<string, readonly Contradiction[]>;

/** Contradictions between a venue's sources on place, sale day and status; null if there is nothing to compare. */
export function venueContradictions(
  venue: Venue,
  figures: BarnFigures | undefined,
  listed: ListedContradictions,
): Contradiction[] | null {
  return mergeFindings(listed.get(venue.venueId), statementConflict(venue), saleAfterClosing(venue, figures));
}

type Statement = Venue["statements"][number];

/** Sources whose latest statements contradict each other (open, closed); the latest statement decides the status. */
function statementConflict({venueId, statements}: Venue): Contradiction[] | null {
  const openOrClosed = statements.filter(({status}) => status !== "failed_verification").sort(byDate);
  const latest = [...new Map(openOrClosed.map((statement) => [statement.source, statement])).values()].sort(
    byDate,
  );
  const last = latest.at(-1);
  if (last === undefined || latest.length < 2) return null;
  return latest
    .filter(({status}) => status !== last.status)
    .map((other) => {
      const resolution = last.date > other.date ? "later statement published" : "unresolved";
      return conflict(side(last, venueId), side(other, venueId), resolution);
    });
}

/** A reported sale after the date of a statement that the venue closed. */
function saleAfterClosing(
  {venueId, statements}: Venue,
  figures: BarnFigures | undefined,
): Contradiction[] | null {
  const closed = statements
    .filter(({status}) => status === "closed")
    .sort(byDate)
    .at(-1);
  if (closed === undefined || figures?.last_sale == null) return null;
  if (figures.last_sale <= closed.date) return [];
  const sale = {
    source: figures.source_ids[0]!,
    ref: figures.issue_ids.join(" "),
    value: `sale of ${figures.last_sale}`,
  };
  return [conflict(side(closed, venueId), sale, "unresolved")];
}

function conflict(a: Contradiction["a"], b: Contradiction["b"], resolution: string): Contradiction {
  return {kind: "status_conflict", field: "status", a, b, difference: null, tolerance: null, resolution};
}

function side({source, status, date}: Statement, venueId: string): Contradiction["a"] {
  return {source, ref: venueId, value: `${status} on ${date}`};
}

function byDate(a: Statement, b: Statement): number {
  if (a.date !== b.date) return a.date < b.date ? -1 : 1;
  return a.source < b.source ? -1 : 1;
}
