import type {ParcelSource} from "../../schemas/parcel-source.ts";
import {normaliseCode} from "../parcels/land-use/code-steps.ts";
import {type CompiledSystem, loadLandUseMap} from "../parcels/land-use/land-use-map.ts";
import type {ColumnTaker} from "./column-taker.ts";
import type {ColumnValues} from "./column-values.ts";

type Use = NonNullable<ParcelSource["use"]>;

let systems: readonly CompiledSystem[] | undefined;

/**
 * Proposes the columns of the use and the code systems of the state that its codes fit. A column that fits a system comes
 * before others, and a property type is the use only where the table has nothing better. Without cells no system is
 * proposed.
 */
export function proposedUse(taker: ColumnTaker): Use | undefined {
  const described = taker.free("use_description").find((name) => !isCodeList(taker.values(name))) ?? null;
  if (described !== null) taker.claim(described);
  const named = [...taker.free("use_code"), ...taker.free("use_any")];
  const candidates = [...new Set([...named, ...taker.free("use_type")])].filter((name) =>
    isClosedList(taker.values(name)),
  );
  const fits = candidates.flatMap((name) => {
    const fitting = fittingSystems(taker.values(name), taker.state);
    return fitting.length === 0 ? [] : [{name, fitting}];
  });
  const [best] = fits;
  const code = best?.name ?? candidates[0] ?? described;
  if (code === null) return undefined;
  taker.claim(code);
  const words = described ?? (wordsShare(taker.values(code)) >= 0.5 ? code : null);
  const second = fits.find(
    ({name, fitting}) => name !== code && fitting.some(({system}) => isNamed(system.fields, name)),
  );
  const ids = [...(best?.fitting ?? []), ...(second?.fitting ?? [])].map(({id}) => id);
  return {
    systems: [...new Set(ids)],
    codeFrom: second === undefined ? code : [code, second.name],
    ...(words === null ? {} : {descriptionFrom: words}),
  };
}

function isNamed(fields: readonly string[] | undefined, name: string): boolean {
  return fields?.some((field) => field.toLowerCase() === name.toLowerCase()) ?? false;
}

/** The state's system that knows nearly all of the codes; a system of words only for words. */
function fittingSystems(values: ColumnValues, state: string | undefined): CompiledSystem[] {
  if (state === undefined || values.filled.length < 5) return [];
  systems ??= [...loadLandUseMap().systems.values()];
  const shares = systems
    .filter(({system}) => system.region === state)
    .map((system) => ({system, share: values.share((cell) => isKnown(cell, system))}))
    .filter(({share}) => share >= 0.9)
    .sort((a, b) => b.share - a.share);
  return shares.slice(0, 1).map(({system}) => system);
}

function isKnown(cell: string, {system, rules}: CompiledSystem): boolean {
  const codes = normaliseCode(cell, system.normalise);
  return codes.length > 0 && codes.every((code) => rules.some((rule) => rule.fits(code)));
}

/** True for a column of few different values, as a list of uses is; true when few are known. */
function isClosedList(values: ColumnValues): boolean {
  if (values.filled.length < 50) return true;
  return new Set(values.filled).size <= 250 && values.distinct <= 0.5;
}

function isCodeList(values: ColumnValues): boolean {
  return values.filled.length >= 5 && wordsShare(values) < 0.2;
}

function wordsShare(values: ColumnValues): number {
  return values.share((cell) => /[a-z]{3}/i.test(cell));
}
