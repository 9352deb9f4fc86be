import type {Step} from "../pipeline/parts/options.ts";

/** Runs a step without displaying it. */
export const silently: Step = (_title, work) => work(() => undefined);
