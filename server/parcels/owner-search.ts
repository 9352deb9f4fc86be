import {z} from "zod";
import {
  findOwners,
  type OwnerHit,
  type OwnerPage,
  type OwnerQuestion,
  type OwnerWords,
  ownerSteps,
} from "../../lib/parcels/matching/owner-match.ts";
import {filtersUse, includesOpenRange} from "../../lib/parcels/matching/use-filter.ts";
import {inTurns} from "../../lib/parcels/matching/yield-to-loop.ts";
import {queryTokens} from "../../lib/parcels/owner/owner-score.ts";
import {parcelLimitations as P} from "../../lib/parcels/record/parcel-limitations.ts";
import type {StatePart} from "../../schemas/manifest.ts";
import {ParcelListAnswer} from "../../schemas/parcel-answer.ts";
import {type Generation, oncePer} from "../generation/generation.ts";
import {type Answer, type Call, defineEndpoint, type Endpoint} from "../http/endpoint.ts";
import {textParameter, yesNoParameter} from "../http/parameter-kinds.ts";
import {invalidParameters} from "../http/problem-document.ts";
import {type CadastreQuestion, catchUp, type ParcelDeps} from "./cadastre-port.ts";
import {type CountyChoice, chooseCounty} from "./county-choice.ts";
import {
  knownMembers,
  type ListHit,
  type LookupOutcome,
  listAnswer,
  lookupOf,
  notAsked,
  type PageRequest,
  pageRequest,
} from "./list-answer.ts";
import {stateCoverage} from "./metadata.ts";
import {
  acresParameters,
  checkAcres,
  countyParameter,
  limitParameter,
  offsetParameter,
  openRangeParameter,
  sortParameter,
  stateParameter,
  useParameter,
} from "./parcel-parameters.ts";
import {openSets, setsOf} from "./parcel-sets.ts";

const parameters = z.strictObject({
  owner: textParameter(200)
    .optional()
    .describe("Owner name, words in any order; this, `nameContains` or `lastName` is required"),
  nameContains: textParameter(200).optional().describe("Words that the owner name contains"),
  lastName: textParameter(100).optional().describe("Last name of a recorded person"),
  firstName: textParameter(100)
    .optional()
    .describe("With `lastName`: given names; the last one may be a prefix"),
  state: stateParameter,
  county: countyParameter,
  use: useParameter,
  includeOpenRange: openRangeParameter,
  ...acresParameters,
  exact: yesNoParameter(
    "`true` for equal names only; by default words match in any order, and so do similar spellings",
  ),
  sort: sortParameter("score"),
  limit: limitParameter,
  offset: offsetParameter,
});
type Query = z.output<typeof parameters>;

/** Parcels of an owner. */
export function ownerSearch(deps: ParcelDeps): Endpoint {
  return defineEndpoint({
    path: "/public/land-agent/property/owner-search",
    operationId: "ownerSearch",
    summary: "Parcels of an owner",
    description:
      "Recorded names that contain every word, best match first. The last word may be a prefix, and one longer word may have one wrong letter. " +
      "Each match says what differs, and an answer with only similar spellings says so first. Mailing addresses and care-of lines are never searched; no hit is 200 with an empty list.",
    family: "parcel",
    scope: "owner-search",
    parameters,
    redacted: ["owner", "nameContains", "lastName", "firstName"],
    response: ParcelListAnswer,
    answer(call) {
      const page = pageRequest(call.query);
      const words = wordsOf(call.query);
      checkAcres(call.query);
      const countyChoice = chooseCounty(call.generation, call.query.county, call.query.state ?? null);
      const question = {
        words,
        exact: call.query.exact,
        counties: countyChoice?.keys ?? null,
        use: call.query.use ?? null,
        includeOpenRange: call.query.includeOpenRange,
        residential: null,
        minAcres: call.query.minAcres,
        maxAcres: call.query.maxAcres,
        sort: call.query.sort,
        offset: page.offset,
        limit: page.limit,
      };
      // A search for a very common name (a million parcels) yields in between, so that other requests are answered.
      const find = () => {
        const sets = setsOf(call.generation, call.query.state ?? countyChoice?.state ?? null);
        return inTurns(ownerSteps(sets, question, deps.sources), () => call.signal);
      };
      const answer = (found: OwnerPage) => {
        const searched = {call, question, page, countyChoice, found, find};
        return found.beforeUse === 0 && isOneCounty(searched)
          ? askCounty(searched, deps)
          : ownerAnswer(searched, notAsked, deps);
      };
      const found = find();
      return found instanceof Promise ? found.then(answer) : answer(found);
    },
  });
}

/** Returns the words to search for. Throws a 400 for none, for two kinds of them, and for words without information. */
function wordsOf({owner, nameContains, lastName, firstName}: Query): OwnerWords {
  const given = Object.entries({owner, nameContains, lastName}).filter(([, value]) => value !== undefined);
  const [first, second] = given;
  if (first === undefined) {
    throw invalidParameters([{name: "owner", reason: "owner, nameContains or lastName is required"}]);
  }
  if (second !== undefined) {
    throw invalidParameters([{name: second[0], reason: `cannot be given together with ${first[0]}`}]);
  }
  const [name, text = ""] = first;
  if (firstName !== undefined && name !== "lastName") {
    throw invalidParameters([{name: "firstName", reason: "goes with lastName only"}]);
  }
  const read = queryTokens(text);
  if ("reject" in read) {
    const reason = read.reject === "empty" ? "holds no word" : "is too common: add another word";
    throw invalidParameters([{name, reason}]);
  }
  return name === "lastName" ? {lastName: text, firstName: firstName ?? null} : {tokens: read.tokens};
}

type Searched = {
  call: Call<Query>;
  question: OwnerQuestion;
  page: PageRequest;
  countyChoice: CountyChoice | null;
  found: OwnerPage;
  /** Repeats the search on the current parcels. */
  find: () => OwnerPage | Promise<OwnerPage>;
};

/** Owner search never fans out: it asks at most one county, which the caller named. */
function isOneCounty({call, countyChoice}: Searched): boolean {
  return call.query.state !== undefined && countyChoice !== null && countyChoice.keys.size === 1;
}

async function askCounty(searched: Searched, deps: ParcelDeps): Promise<Answer> {
  const {call, question, countyChoice} = searched;
  const {counties, words} = question;
  const asked: CadastreQuestion = {kind: "owner", state: countyChoice?.state ?? null, counties, words};
  if (await catchUp(asked, call, deps.cadastre)) {
    const found = await searched.find();
    if (found.beforeUse > 0) return {...ownerAnswer({...searched, found}, notAsked, deps), store: "no-store"};
  }
  const reply = await deps.cadastre.ask(asked, call);
  const found = reply.status === "found" ? findOwners([reply.set], question, deps.sources) : searched.found;
  return ownerAnswer({...searched, found}, await lookupOf(reply, found), deps);
}

function ownerAnswer(
  {call, question, page, countyChoice, found}: Searched,
  lookup: LookupOutcome,
  deps: ParcelDeps,
): Answer {
  const {generation, query} = call;
  const state = query.state ?? countyChoice?.state ?? null;
  const states =
    state === null ? new Set(openSets(generation, null).map((set) => set.state)) : new Set([state]);
  return listAnswer(
    {
      call,
      query: {
        applied: {...knownMembers(query), limit: page.limit, offset: page.offset},
        resolution: knownMembers({
          tokens: "tokens" in question.words ? question.words.tokens : null,
          state,
          counties: countyChoice === null ? null : [...countyChoice.keys].sort(),
        }),
      },
      page,
      hits: found.hits.map(listHit),
      total: found.total,
      unclassified: filtersUse(question) ? found.unclassified : null,
      openRange: {...found.openRange, included: includesOpenRange(question)},
      coverage: stateCoverage(generation, states, deps.sources),
      states,
      lookup,
      metadata: {totals: found.totals},
      limitations: [
        ...(lacksOwners(generation, {states, counties: question.counties, found}) ? [P.P23] : []),
        ...(found.isNearest ? [P.P26] : []),
      ],
    },
    deps,
  );
}

/** True if the build lacks owners for the searched place: for all of its counties or, if nothing was found, for any of them. */
function lacksOwners(
  {manifest}: Generation,
  {
    states,
    counties,
    found,
  }: {states: ReadonlySet<string>; counties: ReadonlySet<string> | null; found: OwnerPage},
): boolean {
  const parts = [...states].map((state) => manifest.states[state]).filter((part) => part !== undefined);
  const searched = (keys: readonly string[]) =>
    counties === null ? keys.length : keys.filter((key) => counties.has(key)).length;
  const without = sum(parts.map((part) => searched(ownersOf(part).lacking)));
  if (found.total === 0) return without > 0;
  return without > 0 && without === sum(parts.map((part) => searched(ownersOf(part).all)));
}

/** Keys of a state's counties, and of those without any known owner. */
const ownersOf = oncePer(({counties}: StatePart) => ({
  all: counties.map(({county_key: key}) => key),
  lacking: counties
    .filter(({fill}) => fill !== undefined && (fill["owner_name"] ?? 0) === 0)
    .map(({county_key: key}) => key),
}));

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function listHit({set, row, match}: OwnerHit): ListHit {
  return {set, row, members: {match}};
}
