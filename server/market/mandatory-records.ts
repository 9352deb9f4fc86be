import type {MarketArtifacts} from "../tables/market-set.ts";
import type {KindTest, MandatoryKey} from "../tables/record-tables.ts";
import type {Selection} from "./envelope.ts";

/** Lines of mandatory reports that an answer carries at most. */
const MAX_LINES = 20;

/**
 * The lines of mandatory reports behind the records of an answer, by `docs/design/market.md` section 9: of regions that hold a state, the
 * smallest region first and the nation last, else of all regions; of the kinds of cattle that the question names.
 */
export function mandatoryLines(
  {mandatory}: MarketArtifacts,
  {state, test}: {state: string | null; test: KindTest | null},
): Selection["records"] {
  if (mandatory === null) return [];
  const holds = (states: readonly string[]) =>
    state === null || states.length === 0 || states.includes(state);
  const size = ({regionStates}: MandatoryKey) => regionStates.length || Number.MAX_SAFE_INTEGER;
  const keys = mandatory.keys.filter((key) => holds(key.regionStates) && (test === null || test(key)));
  const ordered = state === null ? keys : keys.toSorted((a, b) => size(a) - size(b));
  return ordered
    .slice(0, MAX_LINES)
    .map(({row}) => ({text: mandatory.record(row), evidenceId: mandatory.evidenceId(row)}));
}
