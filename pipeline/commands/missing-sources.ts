import {loadParcelSources, loadWaves} from "../../lib/registry/parcel-sources.ts";
import type {Manifest} from "../../schemas/manifest.ts";
import type {ParcelSource} from "../../schemas/parcel-source.ts";
import {refusalOfBulk} from "../parcels/bulk-terms.ts";

/** A source that a state needs to be live and has not whole, with the command that gets it. */
export type MissingSource = {readonly id: string; readonly why: string; readonly command: string};

/**
 * Gives the sources that keep a state from being live: those that `waves.json` requires and that the build has not whole; empty
 * for a live state. Throws a `ConfigError` for a registry that is not valid.
 */
export function missingSources(manifest: Manifest, state: string): MissingSource[] {
  const required = loadWaves().find((wave) => wave.state === state)?.required ?? [];
  const entries = loadParcelSources();
  const sources = manifest.states[state]?.sources ?? [];
  return required.flatMap((id) => {
    const made = sources.find((source) => source.id === id);
    if (made?.complete === true) return [];
    const entry = entries.find((each) => each.id === id);
    return [{id, why: whyMissing(entry, made !== undefined), command: commandFor(id, entry)}];
  });
}

function whyMissing(entry: ParcelSource | undefined, hasExtract: boolean): string {
  if (entry === undefined) return "no entry yet: its counties come one by one";
  if (hasExtract) return "only an extract is in the build";
  const refusal = /^https:/.test(entry.url ?? "") ? refusalOfBulk(entry) : null;
  if (refusal !== null) return refusal;
  return entry.verified === false
    ? "never pulled; its entry is not verified"
    : "no file of it is in the build";
}

/** An address that is set by edition is no address; what may not be pulled whole is brought by hand. */
function commandFor(id: string, entry: ParcelSource | undefined): string {
  if (entry === undefined)
    return `cattle sources add FILE --county KEY --id ${id.replace(/-counties$/, "-PLACE")} --write`;
  const canFetch = refusalOfBulk(entry) === null && /^https?:\/\//.test(entry.url ?? "");
  return canFetch ? `cattle fetch --source ${id}` : `cattle add --entry ${id} --complete FILE`;
}
