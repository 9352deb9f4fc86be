import type {ProblemSlug} from "../../schemas/problem.ts";

/** For each kind of problem: its meaning, and what a caller can do. The pages at `/problems/<slug>` are made of them. */
export const problemAdvice: Readonly<
  Record<ProblemSlug, {readonly meaning: string; readonly wayOn: string}>
> = {
  "invalid-parameter": {
    meaning: "A parameter is missing, malformed, given twice, or contradicts another one.",
    wayOn:
      "Read invalid_params: it names each wrong parameter, the reason and, where they are few, the values that are accepted. Then ask again.",
  },
  "invalid-request": {
    meaning: "The request itself is malformed: it has a body, or its target is not a path.",
    wayOn: "Send GET or HEAD without a body, to a path that begins with a slash.",
  },
  "state-required": {
    meaning: "The address does not tell its state, and places of that name lie in several.",
    wayOn: "Add state, or a ZIP code or city that lies in one state alone.",
  },
  "ambiguous-parcel": {
    meaning: "Several parcels fit the question equally well.",
    wayOn:
      "Choose one of the candidates by its parcelUid with parcel-id-lookup, or add county, city, ZIP code or unit.",
  },
  "access-denied": {
    meaning:
      "The key is missing, malformed, unknown, expired or revoked, or it does not open this endpoint. The answer does not tell which.",
    wayOn:
      "Send the key in the header X-API-Key (parcel lookups also take Authorization). The operator makes, lists and renews keys.",
  },
  "not-found": {
    meaning: "There is no such path.",
    wayOn: "Paths are case-sensitive; the reference page and /openapi.json list them.",
  },
  "parcel-not-found": {
    meaning: "Neither the dataset nor the county's own service has such a parcel.",
    wayOn:
      "Check the spelling, or search by location or owner; coverage tells how complete the county is here.",
  },
  "parcel-not-covered": {
    meaning:
      "The dataset has no such parcel, and no county service can be asked for it. It may exist all the same.",
    wayOn: "See coverage; ask the county's assessor, or ask again after a later build.",
  },
  "method-not-allowed": {
    meaning: "This path is only read.",
    wayOn: "Use GET or HEAD.",
  },
  "uri-too-long": {
    meaning: "The address of the request is longer than 4 KiB.",
    wayOn: "Shorten the parameters.",
  },
  "rate-limited": {
    meaning: "The key has used up its requests for now, or too many of its requests are in flight.",
    wayOn: "Wait as many seconds as Retry-After says. RateLimit tells how many requests are left.",
  },
  internal: {
    meaning: "The server failed at this request. It is not the caller's fault.",
    wayOn: "Ask again later; if it stays, tell the operator the request id in instance.",
  },
  overloaded: {
    meaning: "The server has more requests than it can answer in time.",
    wayOn: "Wait as many seconds as Retry-After says, then ask again.",
  },
  "cadastre-unavailable": {
    meaning:
      "The dataset has no such parcel, and the county's own service did not answer. It does not mean that the parcel does not exist.",
    wayOn: "Wait as many seconds as Retry-After says, then ask again.",
  },
  "build-unavailable": {
    meaning: "No data build is being served, or the one that is has no such data.",
    wayOn: "Wait as many seconds as Retry-After says; /readyz tells the state of the server.",
  },
  "deadline-exceeded": {
    meaning: "The answer was not ready within the time for one request.",
    wayOn: "Narrow the question (a smaller limit or radius, a state or county), or ask again later.",
  },
};
