import {hash} from "node:crypto";
import type {Call} from "../http/endpoint.ts";
import {invalidParameters} from "../http/problem-document.ts";
import {type Page, pageOf} from "./market-parameters.ts";

type PagedQuery = Parameters<typeof pageOf>[0] & {readonly cursor?: string | undefined};
type PagedCall = Pick<Call<PagedQuery>, "query" | "generation">;

/** The page of a question that may continue another, and the cursors of the pages after it. */
type Paged = {readonly page: Page; readonly nextCursor: (offset: number) => string};

/**
 * Returns the page of a question. A cursor holds the build, the question and the number of records before the page: within a build each
 * record comes once. Throws a 400 for a cursor of another build, whose pages have other records, and for one of another question.
 */
export function pagedBy(call: PagedCall): Paged {
  const {query, generation} = call;
  const asked = questionDigest(query);
  const nextCursor = (offset: number) =>
    Buffer.from([offset, asked, generation.buildId].join(" ")).toString("base64url");
  const page = pageOf(query);
  if (query.cursor === undefined) return {page, nextCursor};
  const [, offset, digest, build] =
    /^(\d{1,9}) ([0-9a-f]{12}) (\S+)$/.exec(Buffer.from(query.cursor, "base64url").toString()) ?? [];
  const refused = (reason: string) => invalidParameters([{name: "cursor", value: query.cursor!, reason}]);
  if (offset === undefined) throw refused("is not a cursor that an answer gave");
  if (build !== generation.buildId)
    throw refused(`is of build ${build}; ${generation.buildId} is served now: begin again without it`);
  if (digest !== asked) throw refused("is of another question: repeat its parameters, or begin without it");
  return {page: {...page, offset: Number(offset)}, nextCursor};
}

/** What selects and orders the records: everything but the page. */
function questionDigest({
  limit: _limit,
  offset: _offset,
  evidence: _evidence,
  cursor: _cursor,
  ...asked
}: PagedQuery): string {
  const members = Object.entries(asked).sort(([a], [b]) => (a < b ? -1 : 1));
  return hash("sha256", JSON.stringify(members)).slice(0, 12);
}
