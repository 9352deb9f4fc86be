import {z} from "zod";

/**
 * What a key may use: `market` the six market endpoints, `parcel` the three lookups, `owner-search` the search by owner, `files` the
 * published tables.
 */
export const Scope = z.enum(["market", "parcel", "owner-search", "files"]);
export type Scope = z.infer<typeof Scope>;

/** A record of `keys.json`. It stores the SHA-256 of a key, never the key itself. */
export const ApiKeyRecord = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,39}$/)
    .describe("Name of the record in logs, metrics and `cattle keys revoke`"),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe("SHA-256 of the whole key, lower-case hex"),
  scopes: z.array(Scope).min(1).describe("Endpoints that the key may use"),
  notBefore: z.iso.datetime().describe("First instant of validity, UTC"),
  notAfter: z.iso.datetime().nullable().describe("End of validity, UTC; null for none"),
  label: z.string().max(200).describe("For people: who uses the key"),
});
export type ApiKeyRecord = z.infer<typeof ApiKeyRecord>;

/** The contents of `keys.json`. */
export const ApiKeyFile = z.array(ApiKeyRecord);
