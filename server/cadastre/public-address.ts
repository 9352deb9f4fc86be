import {type LookupAddress, lookup as systemLookup} from "node:dns";
import type {LookupFunction} from "node:net";
import ipaddr from "ipaddr.js";

/** True for an address of the public internet, not private, local or reserved; IPv4 inside IPv6 is unmapped first. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "unicast";
}

/** Gives the reason to refuse a layer's URL; null for https with a host name (no literal address), without credentials. */
export function refusalOfUrl(url: string): string | null {
  const parsed = URL.parse(url);
  if (parsed === null) return "not a URL";
  if (parsed.protocol !== "https:") return `${parsed.protocol} in place of https:`;
  if (parsed.username !== "" || parsed.password !== "") return "credentials in the URL";
  return ipaddr.isValid(parsed.hostname.replace(/^\[|\]$/g, ""))
    ? "a literal address in place of a host name"
    : null;
}

type Resolve = (host: string, done: (fault: Error | null, addresses: LookupAddress[]) => void) => void;

const resolveAll: Resolve = (host, done) => systemLookup(host, {all: true, verbatim: true}, done);

/**
 * Makes a name look-up for connections that fails when one address of the host is not allowed. The connection dials the
 * addresses that were checked here, so a name cannot resolve differently between check and use.
 */
export function checkedLookup(
  isAllowed: (address: string) => boolean = isPublicAddress,
  resolve: Resolve = resolveAll,
): LookupFunction {
  return (host, options, callback) => {
    resolve(host, (fault, addresses) => {
      const refused = addresses?.find(({address}) => !isAllowed(address));
      if (fault !== null || refused !== undefined || addresses.length === 0) {
        callback(fault ?? new Error("the host has an address that is not public"), "", 0);
      } else if (options.all === true) {
        callback(null, addresses);
      } else {
        callback(null, addresses[0]!.address, addresses[0]!.family);
      }
    });
  };
}
