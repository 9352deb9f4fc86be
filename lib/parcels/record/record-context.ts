import type {SourceRegistry} from "./source-facts.ts";

/** What a record needs besides its row. */
export type RecordContext = {
  /** Day of the build, `YYYY-MM-DD`, from which ages count. */
  readonly asOf: string;
  readonly sources: SourceRegistry;
};
