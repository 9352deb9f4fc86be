import {countyOf} from "../../lib/geography/counties.ts";
import {countyOfKey} from "../../lib/geography/printed-county.ts";
import type {Choice} from "../../lib/parcels/matching/address-choice.ts";
import type {ParcelSet} from "../../lib/parcels/parcel-set.ts";
import {parcelLimitations as P} from "../../lib/parcels/record/parcel-limitations.ts";
import {joinedPieces, recordMembersOf, recordPieces} from "../../lib/parcels/record/stored-record.ts";
import type {LookupFacts, ParcelCandidate} from "../../schemas/parcel-answer.ts";
import type {Answer, Call} from "../http/endpoint.ts";
import {Problem} from "../http/problem-document.ts";
import {
  type CadastreQuestion,
  type CadastreReply,
  catchUp,
  type NotAskedReason,
  type ParcelDeps,
} from "./cadastre-port.ts";
import {answerLimitations, recordLimitations} from "./coverage-words.ts";
import type {PageRequest} from "./list-answer.ts";
import {countyCoverage, metadataOf, type QueryEcho, sourcesOf, stateCoverage} from "./metadata.ts";

/** How well a row fits a question for one parcel. */
export type WireMatch = {
  readonly type: "exact" | "normalized" | "fuzzy";
  readonly score: number;
  readonly notes: readonly string[];
};

export type SingleHit = {readonly set: ParcelSet; readonly row: number; readonly match: WireMatch};

/** A validated question for one parcel. */
type SingleQuestion = {
  readonly call: Call<unknown>;
  readonly query: QueryEcho;
  /** The current parcel sets to search. */
  sets(): readonly ParcelSet[];
  /** Chooses among the rows of any sets: those of the build, or a county's reply. */
  choose(sets: readonly ParcelSet[]): Choice<SingleHit>;
  readonly cadastre: CadastreQuestion;
  /** What the caller can add to narrow the result to one parcel. */
  readonly advice: string;
  /** Limitation sentences that follow from the hit. */
  limitations(hit: SingleHit, stack: boolean): string[];
  /** Additional sentences for a miss. */
  readonly missLimitations?: readonly string[];
  /** The page of candidates to show when several parcels fit. */
  readonly page: PageRequest;
};

const defaultRetrySeconds = 30;

/** Answers a lookup for one parcel. A miss goes to the county; a failure there is thrown as its problem. */
export function answerSingle(question: SingleQuestion, deps: ParcelDeps): Answer | Promise<Answer> {
  const choice = question.choose(question.sets());
  return choice.kind === "none" ? answerMiss(question, deps) : answerHit(question, choice, deps);
}

function answerHit(
  question: SingleQuestion,
  choice: Exclude<Choice<SingleHit>, {kind: "none"}>,
  deps: ParcelDeps,
): Answer {
  const lookup = (hit: SingleHit): LookupFacts => ({origin: hit.set.origin, cadastreStatus: "not_asked"});
  return propertyAnswer(question, oneOf(choice, question), {deps, lookup});
}

type Chosen = Extract<Choice<SingleHit>, {kind: "one"}>;

function oneOf(choice: Exclude<Choice<SingleHit>, {kind: "none"}>, {advice, page}: SingleQuestion): Chosen {
  if (choice.kind === "one") return choice;
  const {hits} = choice;
  const {offset, limit} = page;
  const said =
    hits.length > 1
      ? `${hits.length} parcels match.`
      : "One parcel matches, and the county sent rows that cannot be read.";
  throw new Problem("ambiguous-parcel", `${said} ${advice}`, {
    members: {
      candidateTotal: hits.length,
      candidates: hits.slice(offset, offset + limit).map(candidateOf),
    },
  });
}

async function answerMiss(question: SingleQuestion, deps: ParcelDeps): Promise<Answer> {
  const {call} = question;
  if (await catchUp(question.cadastre, call, deps.cadastre)) {
    const late = question.choose(question.sets());
    // The ETag predates this discovery.
    if (late.kind !== "none") return {...answerHit(question, late, deps), store: "no-store"};
  }
  const reply = await deps.cadastre.ask(question.cadastre, call);
  if (reply.status !== "found") throw missProblem(question, reply, deps);
  const choice = choiceOf(question, reply);
  if (choice.kind === "none") throw missProblem(question, withoutHit(question, reply), deps);
  const chosen = oneOf(choice, question);
  const {persisted, sourceAdded} = await reply.keep([chosen.hit.row]);
  const lookup = (): LookupFacts => ({
    origin: "cadastre",
    cadastreStatus: "found",
    persisted,
    ...(sourceAdded ? {sourceAdded} : {}),
  });
  return {...propertyAnswer(question, chosen, {deps, lookup}), store: "no-store"};
}

/**
 * What it means when none of a county's rows fit. Parcels are requested by number or point, so a wrong one is no answer. Addresses are
 * requested by house number, so other addresses are a valid "empty", unless a row was unreadable or not all were sent.
 */
function withoutHit({cadastre}: SingleQuestion, {unreadable, isNarrowed, unaskedCounties = []}: Found): Miss {
  const isWhole = unreadable === undefined && isNarrowed !== true;
  return {status: cadastre.kind === "address" && isWhole ? "empty" : "rejected", unaskedCounties};
}

type Found = Extract<CadastreReply, {status: "found"}>;

/** Chooses among the rows of a reply. An unreadable row beside a match makes the result ambiguous. */
function choiceOf(question: SingleQuestion, {set, unreadable}: Found): Choice<SingleHit> {
  const choice = question.choose([set]);
  if (choice.kind !== "one" || unreadable === undefined) return choice;
  const all = question.choose([set, unreadable.set]);
  if (all.kind === "several") return all;
  if (all.kind === "one" && all.hit.set === unreadable.set) return {kind: "none"};
  return unreadable.unnamedCount === 0 ? choice : {kind: "several", hits: [choice.hit]};
}

type Making = {deps: ParcelDeps; lookup: (hit: SingleHit) => LookupFacts};

function propertyAnswer(question: SingleQuestion, {hit, stack}: Chosen, {deps, lookup}: Making): Answer {
  const {call} = question;
  const {generation} = call;
  const record = hit.set.record(hit.row);
  const countyKey = hit.set.parcels.string("county_key").at(hit.row) ?? "";
  const facts = lookup(hit);
  const sentences = [
    ...recordLimitations([record]),
    ...question.limitations(hit, stack),
    ...(facts.origin === "cadastre" ? [P.P11] : []),
  ];
  const metadata = metadataOf(call, {
    query: question.query,
    records: [record],
    coverage: countyCoverage(generation, [countyKey]),
    sources: sourcesOf(generation, [record], deps.sources),
    lookup: facts,
    limitations: answerLimitations(call, sentences, [hit.set.state]),
  });
  return {
    body: joinedPieces([
      '{"property":',
      ...recordPieces(record, {match: hit.match}),
      `,"metadata":${JSON.stringify(metadata)}}`,
    ]),
    lookup: facts.origin,
    ...(/^\d{5}$/.test(countyKey) ? {countyFips: countyKey} : {}),
  };
}

/** A candidate: enough to tell it apart, without the owner. */
function candidateOf({set, row, match}: SingleHit): ParcelCandidate {
  const members = recordMembersOf(set.record(row));
  const shown = ["parcelUid", "parcelId", "address", "city", "county", "state", "acres"] as const;
  const known = shown.filter((name) => members[name] !== undefined).map((name) => [name, members[name]]);
  return {
    ...Object.fromEntries(known),
    match: {type: match.type, score: match.score},
  } as ParcelCandidate;
}

type Miss = Exclude<CadastreReply, {status: "found"}>;

function missProblem(question: SingleQuestion, reply: Miss, {sources}: ParcelDeps): Problem {
  const {call, query, cadastre} = question;
  const {generation, ignored} = call;
  const coverage = missCoverage(question, sources);
  // The parcel may lie in a county that was not asked.
  const isUnproven = reply.status === "empty" && (reply.unaskedCounties?.length ?? 0) > 0;
  const cadastreStatus = isUnproven ? "county_unknown" : reply.status;
  const notCovered = cadastreStatus === "unsupported" || cadastreStatus === "county_unknown";
  const lookup: LookupFacts = {origin: notCovered ? "dataset" : "cadastre", cadastreStatus};
  if (!notCovered && cadastreStatus !== "empty") {
    const seconds = Math.min(60, Math.max(5, reply.retryAfterSeconds ?? defaultRetrySeconds));
    return new Problem(
      "cadastre-unavailable",
      "The county service did not answer; this is not a statement that the parcel does not exist.",
      {members: {coverage, lookup}, retryAfterSeconds: seconds},
    );
  }
  const states =
    cadastre.state === null ? [] : [cadastre.state].filter((state) => state in generation.manifest.states);
  const members = {
    query: {...query, ignored},
    coverage,
    lookup,
    limitations: answerLimitations(call, question.missLimitations ?? [], states),
  };
  return new Problem(notCovered ? "parcel-not-covered" : "parcel-not-found", missText(cadastre, reply), {
    members,
  });
}

function missCoverage({call, cadastre}: SingleQuestion, sources: ParcelDeps["sources"]) {
  const {generation} = call;
  if (cadastre.counties !== null) return countyCoverage(generation, cadastre.counties);
  const states = cadastre.state === null ? Object.keys(generation.manifest.states) : [cadastre.state];
  return stateCoverage(generation, states, sources);
}

const inDataset = "No such parcel in the dataset";

/** Miss messages when no county was asked, by reason. */
const notAskedTexts: Readonly<Record<NotAskedReason, string>> = {
  switched_off: `${inDataset}; asking counties is switched off in this deployment.`,
  sample: `${inDataset}, which is a generated sample; no county is asked for it.`,
  no_service: `${inDataset}, and no service of its county is registered, so that no county can be asked.`,
  token: `${inDataset}, and the county's service requires a token.`,
  unsuited: `${inDataset}, and the county's service cannot answer this kind of question.`,
};

/** The sentence of a 404: whether the house number, the parcel, the county or the setting is missing. */
function missText(question: CadastreQuestion, {status, notAsked, unaskedCounties = []}: Miss): string {
  if (status === "empty") {
    if (unaskedCounties.length === 0) return `${inDataset} or at the county service.`;
    return `${inDataset} or at the service of the county that was asked. It may also lie in ${eitherOf(unaskedCounties)}: add county.`;
  }
  if (question.kind === "address" && question.address.number === null)
    return "The address has no house number. A county is asked by number, and no parcel of the dataset has this very line.";
  if (status !== "county_unknown") return notAskedTexts[notAsked ?? "no_service"];
  if (unaskedCounties.length > 1)
    return `${inDataset}. It may lie in ${eitherOf(unaskedCounties)}: add county, so that the service of one can be asked.`;
  return `${inDataset}, and nothing says which county to ask. Add a county, city or ZIP.`;
}

/** Names counties with their keys: `Baltimore County (24005) or Baltimore city (24510)`. */
function eitherOf(keys: readonly string[]): string {
  const names = keys.map((key) => {
    const name = countyOf(key)?.fullName ?? countyOfKey(key)?.name;
    return name === undefined ? key : `${name} (${key})`;
  });
  return new Intl.ListFormat("en", {type: "disjunction"}).format(names);
}
