import {
  CoverageAnswer,
  type CoveredCounty,
  type CoveredSource,
  type CoveredState,
} from "../../schemas/coverage-answer.ts";
import {type ColumnOf, type Description, joined, nothing, tableOf} from "./description.ts";

/** Describes what is covered: a table of states, or the counties of the one that was asked for; sources and gates. */
export function describeCoverage(body: unknown): Description {
  const {states, counties, sources, gates, ...answer} = CoverageAnswer.parse(body);
  const {build_id, as_of_date, generated_at, sample, market} = answer;
  const there = states.filter(({parcels, barns}) => parcels + barns > 0);
  const planned = states.length - there.length;
  return {
    ...nothing,
    headline: counties === undefined ? [wholeWords(there)] : states.map(({sentence}) => sentence),
    tables: [
      ...(counties === undefined ? tableOf(stateColumns, there) : tableOf(countyColumns, counties)),
      ...tableOf(sourceColumns, sources, "Sources"),
    ],
    notes: [
      ["Build", `${build_id}, as of ${as_of_date}, made ${generated_at}${sample ? ", SAMPLE DATA" : ""}`],
      ["Market", market === null ? "none in this build" : `newest report ${market.newest ?? "not known"}`],
      ["Planned", planned === 0 ? "" : `${planned} states and territories without parcels or barns`],
      ...gates.map(({part, gate, status, detail}): [string, string] => [
        `Gate: ${status}`,
        joined([part, gate, detail], " "),
      ]),
    ],
    limitations: answer.limitations,
    records: counties ?? there,
    facts: {
      build_id,
      as_of_date,
      market,
      states: counties === undefined ? undefined : states,
      sources,
      gates,
    },
  };
}

/** Sums the states up in a sentence. */
function wholeWords(there: readonly CoveredState[]): string {
  const sum = (count: (state: CoveredState) => number) =>
    there.reduce((total, state) => total + count(state), 0).toLocaleString("en-US");
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
  {header: "whole", cell: ({counties}) => counties.live, priority: 2},
  {header: "vintage", cell: ({vintage}) => vintage, priority: 1},
  {header: "barns", cell: ({barns}) => barns},
  {header: "priced counties", cell: ({priced_counties}) => priced_counties},
];

const share = (name: string) => ({
  cell: ({attributes}: CoveredCounty) =>
    attributes[name] === undefined ? "" : `${Math.floor(attributes[name] * 100)}%`,
  right: true,
});
const countyColumns: readonly ColumnOf<CoveredCounty>[] = [
  {header: "county", cell: ({county}) => county},
  {header: "code", cell: ({county_key}) => county_key, priority: 2},
  {header: "status", cell: ({status}) => status},
  {header: "parcels", cell: ({parcels}) => parcels},
  {header: "vintage", cell: ({vintage}) => vintage},
  {header: "owners", ...share("owner_name"), priority: 1},
  {header: "addresses", ...share("situs_name"), priority: 1},
  {header: "uses", ...share("land_use_category"), priority: 1},
];

const sourceColumns: readonly ColumnOf<CoveredSource>[] = [
  {header: "source", cell: ({id}) => id},
  {header: "of", cell: ({parts}) => parts.join(", "), priority: 2},
  {header: "newest", cell: ({newest}) => newest},
  {header: "days old", cell: ({age_days}) => age_days},
  {header: "licence", cell: ({licence}) => licence, priority: 1},
];
