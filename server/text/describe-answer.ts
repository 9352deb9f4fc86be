import {z} from "zod";
import {UserError} from "../../lib/errors.ts";
import {type ParcelCandidate, ParcelProblem} from "../../schemas/parcel-answer.ts";
import type {InvalidParameter} from "../../schemas/problem.ts";
import type {Endpoint} from "../http/endpoint.ts";
import {coverageSchemas, describeCoverage} from "./coverage-description.ts";
import {
  type ColumnOf,
  type Description,
  type Given,
  joined,
  type Note,
  nothing,
  tableOf,
} from "./description.ts";
import {describeMarket, marketSchemas} from "./market-description.ts";
import {
  coverageText,
  describeParcel,
  describeParcels,
  matchWords,
  parcelSchemas,
} from "./parcel-description.ts";

/**
 * Describes an endpoint's answer or problem document. Throws a `UserError` if the body does not match the schema, for example because the
 * server has another version.
 */
export function describeAnswer(path: string, {ok, body}: {ok: boolean; body: string}): Description {
  try {
    const answer = JSON.parse(body);
    if (!ok) return describeProblem(answer);
    if (path === "/coverage") return describeCoverage(answer);
    if (!path.startsWith("/public/land-agent/")) return describeMarket(path, answer);
    return "property" in answer ? describeParcel(answer) : describeParcels(answer);
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error;
    throw new UserError(`${path}: this version does not know such an answer. ${z.prettifyError(error)}`);
  }
}

/** Schemas of what programs receive from an endpoint's answers. */
export function schemasOf(endpoint: Endpoint): Given {
  if (endpoint.family === "coverage") return coverageSchemas;
  return endpoint.family === "parcel" ? parcelSchemas : marketSchemas(endpoint);
}

const candidateColumns: readonly ColumnOf<ParcelCandidate>[] = [
  {header: "parcel", cell: ({parcelUid}) => parcelUid},
  {header: "address", cell: ({address, city}) => joined([address, city])},
  {header: "county", cell: ({county, state}) => joined([county, state])},
  {header: "acres", cell: ({acres}) => acres},
  {header: "match", cell: ({match}) => matchWords(match)},
];

/** A problem of this server, or of an older one whose market problems lack `error`. */
const AnyProblem = ParcelProblem.partial({error: true});

/** Describes a problem document: what is wrong, each wrong parameter, and the candidates. */
function describeProblem(body: unknown): Description {
  const {title, detail, invalid_params = [], candidates = [], ...found} = AnyProblem.parse(body);
  return {
    ...nothing,
    headline: [invalid_params.length > 0 ? `${title}.` : `${title}. ${detail}`],
    tables: tableOf(candidateColumns, candidates),
    notes: [
      ...invalid_params.map(wrongParameter),
      ["Shown", found.candidateTotal ? joined([candidates.length, found.candidateTotal], " of ") : ""],
      ["Coverage", coverageText(found.coverage ?? [])],
    ],
  };
}

function wrongParameter({name, value, reason, allowed}: InvalidParameter): Note {
  const valueText = value === undefined ? "" : JSON.stringify(value);
  return [name, joined([valueText, reason, allowed === undefined ? "" : `(${joined(allowed)})`], " ")];
}
