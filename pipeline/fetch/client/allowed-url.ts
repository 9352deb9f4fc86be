const loopback: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Gives the reason for which an address may not be asked, or null. Only hosts that the entry names are asked, by https; http is
 * for a mirror on this machine.
 */
export function refusalOfAddress(address: URL, hosts: ReadonlySet<string>): string | null {
  if (address.username !== "" || address.password !== "") return "credentials in the address";
  if (!hosts.has(address.host)) return `host ${address.host} is not named by the entry`;
  if (address.protocol === "https:") return null;
  if (address.protocol === "http:" && loopback.has(address.hostname)) return null;
  return `${address.protocol} in place of https:`;
}

/** Gives an address as messages show it, without its query. */
export function shownAddress(address: URL): string {
  return `${address.host}${address.pathname}`;
}
