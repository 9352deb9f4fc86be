import type {SourceRegistry} from "../../lib/parcels/record/source-facts.ts";
import type {Cadastre} from "./cadastre.ts";

/** The dependencies of the parcel endpoints besides a call. */
export type ParcelDeps = {
  readonly cadastre: Cadastre;
  readonly sources: SourceRegistry;
};
