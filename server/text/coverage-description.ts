import {z} from "zod";
import {countWords} from "../../lib/counts.ts";
import {
  CoverageAnswer,
  type CoveredCounty,
  type CoveredSource,
  CoveredState,
} from "../../schemas/coverage-answer.ts";
import type {Completeness} from "../../schemas/manifest.ts";
import {
  type ColumnOf,
  type Description,
  type Given,
  joined,
  type Note,
  nothing,
  tableOf,
} from "./description.ts";

const {build_id, as_of_date, market, sources, gates} = CoverageAnswer.shape;
/** What programs receive from a coverage answer; with a state, its rows are counties. */
export const coverageSchemas: Given = {
  facts: {build_id, as_of_date, market, sources, gates},
  row: CoveredState.shape,
};

/** Describes the coverage: a table of states, or of the counties of the requested state, plus sources and gates. */
export function describeCoverage(body: unknown): Description {
  const answer = CoverageAnswer.parse(body);
  const {states, counties, market, sample} = answer;
  const coveredStates = states.filter(({parcels, barns}) => parcels + barns > 0);
  const planned = states.length - coveredStates.length;
  const buildLine = `${answer.build_id}, as of ${answer.as_of_date}, made ${answer.generated_at}`;
  return {
    ...nothing,
    headline: counties === undefined ? [wholeWords(coveredStates)] : states.map(({sentence}) => sentence),
    tables: [
      ...(counties === undefined ? tableOf(stateColumns, coveredStates) : tableOf(countyColumns, counties)),
      ...tableOf(sourceColumns, answer.sources, "Sources"),
    ],
    notes: [
      ["Build", `${buildLine}${sample ? ", SAMPLE DATA" : ""}`],
      ["Market", market === null ? "none in this build" : `newest report ${market.newest ?? "not known"}`],
      ["Planned", planned === 0 ? "" : `${planned} states and territories without parcels or barns`],
      ...answer.gates.map(
        ({part, gate, status, detail}): Note => [`Gate: ${status}`, joined([part, gate, detail], " ")],
      ),
    ],
    limitations: answer.limitations,
    records: counties ?? coveredStates,
    facts: {
      ...z.object(coverageSchemas.facts).parse(answer),
      states: counties === undefined ? undefined : states,
    },
  };
}

/** Summarises all states in a sentence. */
function wholeWords(there: readonly CoveredState[]): string {
  const sum = (count: (state: CoveredState) => number) =>
    countWords(there.reduce((total, state) => total + count(state), 0));
  const land = there.filter(({parcels}) => parcels > 0).length;
  return `${sum(({parcels}) => parcels)} parcels in ${land} states and provinces, ${sum(({barns}) => barns)} sale barns, prices of ${sum((each) => each.priced_counties)} counties.`;
}

const stateColumns: readonly ColumnOf<CoveredState>[] = [
  {header: "state", cell: ({state}) => state},
  {header: "parcels", cell: ({parcels}) => parcels},
  {header: "status", cell: ({status}) => status},
  {
    header: "counties",
    cell: ({counties}) => joined([counties.with_parcels, counties.total], " of "),
    right: true,
  },
  {header: "complete", cell: ({counties}) => counties.live, priority: 2},
  {header: "vintage", cell: ({vintage}) => vintage, priority: 1},
  {header: "barns", cell: ({barns}) => barns},
  {header: "priced counties", cell: ({priced_counties}) => priced_counties},
];

const share = (fact: keyof Completeness) => ({
  cell: ({completeness}: CoveredCounty) =>
    completeness === undefined ? "" : `${Math.round(completeness[fact] * 100)}%`,
  right: true,
  priority: 1,
});
const countyColumns: readonly ColumnOf<CoveredCounty>[] = [
  {header: "county", cell: ({county}) => county},
  {header: "code", cell: ({county_key}) => county_key, priority: 2},
  {header: "status", cell: ({status}) => status},
  {header: "parcels", cell: ({parcels}) => parcels},
  {header: "vintage", cell: ({vintage}) => vintage},
  {header: "owners", ...share("owner")},
  {header: "addresses", ...share("address")},
  {header: "points", ...share("point")},
  {header: "uses", ...share("use")},
  {header: "values", ...share("value")},
];

const sourceColumns: readonly ColumnOf<CoveredSource>[] = [
  {header: "source", cell: ({id}) => id},
  {header: "of", cell: ({parts}) => parts.join(", "), priority: 2},
  {header: "newest", cell: ({newest}) => newest},
  {header: "days old", cell: ({age_days}) => age_days},
  {header: "licence", cell: ({licence}) => licence, priority: 1},
];
