/** Parses a `Retry-After` header (seconds or a date) into a wait of at most `mostMs`; null without one. */
export function retryAfterMs(header: string | undefined, now: number, mostMs: number): number | null {
  if (header === undefined) return null;
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), mostMs);
}
