import type {Scope} from "../../schemas/api-key.ts";
import type {Generation} from "../generation/generation.ts";
import type {Endpoint} from "./endpoint.ts";
import type {AccessLimits} from "./rate.ts";
import type {Step} from "./step.ts";

/** What a service may need of the server that it is part of. */
export type ServiceParts = {
  /** The served build; null while there is none. */
  readonly generation: () => Generation | null;
  /** The endpoints as this deployment answers them. */
  readonly endpoints: readonly Endpoint[];
  readonly limits: AccessLimits;
};

/** A path beside the endpoints that answers with other things than one JSON document: the page, the files, agents. */
export type Service = {
  /** A regular expression has no groups: Express would decode them. */
  readonly path: string | RegExp;
  /** Template of the path, for log and metrics. */
  readonly route: string;
  readonly method: "get" | "post";
  /** The scope a key needs; `any` accepts every valid key, `open` needs none. */
  readonly scope: Scope | "any" | "open";
  /** `files`: counted in a bucket of its own and not shed, because its answers are long. */
  readonly counts: "requests" | "files";
  readonly answer: Step;
};

/** Makes the services of a server from its parts. */
export type MakeServices = (parts: ServiceParts) => readonly Service[];
