import type {SourceRegistry} from "../../lib/parcels/record/source-facts.ts";
import type {Cadastre} from "./cadastre.ts";

/** What the parcel endpoints need besides a call. */
export type ParcelDeps = {
  readonly cadastre: Cadastre;
  readonly sources: SourceRegistry;
};
