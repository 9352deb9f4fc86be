import {count, date, fieldsOf, flag, orNull, text, texts} from "./market-field.ts";
import {shared} from "./shared.ts";

const field = fieldsOf(["dealer"]);
const entities = "Entities; null = not in a list of this build";
const fixed = {revises: true} as const;

/** The fields of the records of licence lists, in column order. */
export const dealerFields = {
  state: field(...shared.state, {header: "state"}),
  list_authority: field(orNull(text), "Agency that publishes the list", {header: "list of"}),
  list_scope: field(
    orNull(text),
    "Kinds of entity in the list; `federal_psd`: the counts are of registrations, not of licences",
  ),
  list_as_of: field(orNull(date), "Date of the list", {...fixed, header: "as of"}),
  licence_types: field(texts, "Kinds of licence in the list, sorted", fixed),
  licensed_dealers: field(orNull(count), entities, {...fixed, header: "dealers"}),
  licensed_market_agencies: field(orNull(count), entities, {...fixed, header: "agencies"}),
  licensed_markets: field(orNull(count), entities, {...fixed, header: "markets"}),
  bonded: field(orNull(count), entities, fixed),
  other: field(orNull(count), entities, fixed),
  total_entities: field(orNull(count), entities, {...fixed, header: "in all"}),
  deduplicated: field(flag, "True when entities were counted once by name and state"),
  states_with_list: field(count, "States with a list in this build"),
  states_in_all: field(count, "US states, each of which may publish a list"),
  url: field(orNull(text), "Address of the list"),
  change_status: field(...shared.change_status),
  evidence_id: field(...shared.evidence_id),
};
