import {hash} from "node:crypto";
import type {ApiKeyRecord} from "../../schemas/api-key.ts";
import type {KeyStore} from "../../server/http/key-store.ts";

/** A fixed set of keys. */
export function fixedKeyStore(records: readonly ApiKeyRecord[]): KeyStore {
  const isValid = ({notBefore, notAfter}: ApiKeyRecord, ms: number) =>
    Date.parse(notBefore) <= ms && (notAfter === null || ms < Date.parse(notAfter));
  return {
    find: (key) => {
      const digest = hash("sha256", key, "hex");
      return records.find((record) => record.sha256 === digest && isValid(record, Date.now())) ?? null;
    },
    healthy: () => true,
    refresh: () => {},
    close: () => {},
  };
}
