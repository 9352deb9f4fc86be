import {loadParcelSources, loadWaves} from "../../lib/registry/parcel-sources.ts";
import {addressOf, withDecision} from "../../lib/registry/terms.ts";
import type {Manifest} from "../../schemas/manifest.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import type {TermsDecisions} from "../../schemas/terms.ts";
import {refusalOfSource} from "../parcels/bulk-terms.ts";

/** A source that a state needs to be live and has not whole, with the command that gets it. */
export type MissingSource = {readonly id: string; readonly why: string; readonly command: string};

/**
 * Gives the sources that keep a state from being live: those that `waves.json` requires and that the build has not whole; empty
 * for a live state. A state for which none is settled has one line that says so, and how its counties are added. Throws a `ConfigError`
 * for a registry that is not valid.
 */
export function missingSources(
  manifest: Manifest,
  state: string,
  decisions: TermsDecisions,
): MissingSource[] {
  const wave = loadWaves().find((each) => each.state === state);
  if (wave === undefined) return [];
  const {country, required} = wave;
  if (required.length === 0) {
    const id = `${country}-${state}`.toLowerCase();
    const command = `cattle sources add FILE --county KEY --id ${id}-PLACE --write`;
    return [
      {
        id: `${id}-counties`,
        why: "none is settled: its counties come one by one, and it cannot be live yet",
        command,
      },
    ];
  }
  const entries = loadParcelSources().map((entry) => withDecision(entry, decisions));
  const sources = manifest.states[state]?.sources ?? [];
  return required.flatMap((id) => {
    const made = sources.find((source) => source.id === id);
    if (made?.complete === true) return [];
    const entry = entries.find((each) => each.id === id);
    if (entry === undefined)
      return [{id, why: "no entry in this registry", command: `cattle sources add ${id}.json`}];
    return [{id, why: whyMissing(entry, made !== undefined), command: commandFor(entry)}];
  });
}

function whyMissing(entry: ParcelSource, hasExtract: boolean): string {
  if (hasExtract) return "only an extract is in the build";
  const refusal = refusalOfSource(entry);
  if (refusal !== null) return refusal;
  return entry.verified === false
    ? "never pulled; its entry is not verified"
    : "no file of it is in the build";
}

/** What may not be pulled whole is brought by hand. */
function commandFor(entry: ParcelSource): string {
  const {id} = entry;
  const canFetch = refusalOfSource(entry) === null && addressOf(entry) !== undefined;
  return canFetch ? `cattle fetch --source ${id}` : `cattle add --entry ${id} --complete FILE`;
}
