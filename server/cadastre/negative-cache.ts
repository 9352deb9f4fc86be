const LIFETIME_MS = 10 * 60_000;
const MAX_ENTRIES = 50_000;

/** Remembers the questions to which a county gave a clean empty answer; failures never enter. */
type NegativeCache = {has(key: string): boolean; add(key: string): void};

/** Makes a cache of 50,000 questions for 10 minutes (`docs/design/reliability.md` section 5); the oldest make room. */
export function createNegativeCache(now: () => number = () => performance.now()): NegativeCache {
  const expiries = new Map<string, number>();
  return {
    has(key) {
      const expiry = expiries.get(key);
      if (expiry === undefined) return false;
      if (now() < expiry) return true;
      expiries.delete(key);
      return false;
    },
    add(key) {
      expiries.delete(key);
      if (expiries.size >= MAX_ENTRIES) expiries.delete(expiries.keys().next().value!);
      expiries.set(key, now() + LIFETIME_MS);
    },
  };
}
