import {expect, test} from "vitest";
import {printableSettings, readSettings} from "../../lib/read-settings.ts";

const faultsOf = (environment: Record<string, string>, text = "") => {
  try {
    readSettings(environment, () => text);
    return [];
  } catch (error) {
    return (error as Error).message.split("\n  ").slice(1);
  }
};

const notLatin1 =
  "Western letters (Latin-1) on one line, as a request header holds no others: an address such as you@example.org";

test.each([
  ["CATTLE_PORT", "abc", "a whole number from 0 to 65535"],
  ["CATTLE_PORT", "99999", "a whole number from 0 to 65535"],
  ["CATTLE_RATE_PER_MINUTE", "1000000000000", "a whole number from 1 to 1000000"],
  ["CATTLE_MAX_RADIUS_MILES", "11", "a number of miles above 0, at most 10, with at most 2 decimals"],
  ["CATTLE_CADASTRE", "no", "0, 1, false or true"],
  ["CATTLE_LOG_LEVEL", "loud", "trace, debug, info, warn, error or silent"],
  ["CATTLE_TRUST_PROXY", "proxy", "addresses or networks, separated by commas"],
  ["CATTLE_PROXY", "proxy", "http://host:port"],
  ["CATTLE_FETCH_STATES", "Texas", "two letters each, separated by commas"],
  ["CATTLE_CONTACT", "x".repeat(201), "at most 200 characters"],
  ["CATTLE_CONTACT", "ops@example.org \u2013 cattle", notLatin1],
  ["CATTLE_CONTACT", "\u0141ukasz <l@example.org>", notLatin1],
])("a wrong value of %s is told with what was expected: %s", (name, value, expected) => {
  expect(faultsOf({[name]: value})).toEqual([`${name}: expected ${expected}, got "${value}".`]);
});

test("a name that is no setting is told with the setting that it is near to, else with the page of all", () => {
  expect(faultsOf({CATTLE_PORTT: "1", CATTLE_MARS_KEYFILE: "k", CATTLE_NONSENSE: "1"})).toEqual([
    "CATTLE_PORTT: no such setting; CATTLE_PORT may be meant.",
    "CATTLE_MARS_KEYFILE: no such setting; CATTLE_MARS_KEY_FILE may be meant.",
    "CATTLE_NONSENSE: no such setting; docs/reference/settings.md has them all.",
  ]);
});

test("a key comes from a file alone, and one that is empty or too long is told without it", () => {
  expect(faultsOf({CATTLE_MARS_KEY: "secret"})).toEqual([
    "CATTLE_MARS_KEY: secrets come from a file: set CATTLE_MARS_KEY_FILE to its path.",
  ]);
  expect(faultsOf({CATTLE_MARS_KEY_FILE: "/k"}, " \n")).toEqual([
    "CATTLE_MARS_KEY_FILE: /k is empty, expected a key.",
  ]);
  expect(faultsOf({CATTLE_MARS_KEY_FILE: "/k"}, "s".repeat(501))).toEqual([
    "CATTLE_MARS_KEY_FILE: the key in the file was not taken, expected at most 500 characters.",
  ]);
});

test.each([
  ["CATTLE_PROXY", "http://svc:S3cretPw@proxy.example:3128", "http://***@proxy.example:3128"],
  ["CATTLE_PROXY", "http://svc:S3cret@Pw@proxy.example:3128", "http://***@proxy.example:3128"],
  ["CATTLE_PROXY", "http://proxy.example:3128", "http://proxy.example:3128"],
  ["CATTLE_SERVER", "https://svc:S3cretPw@cattle.example/", "https://***@cattle.example/"],
  ["CATTLE_CONTACT", "you@example.org", "you@example.org"],
])("of %s=%s the login is not shown", (name, value, shown) => {
  expect(printableSettings(readSettings({[name]: value}))[name]).toBe(shown);
});

test.each([
  ["svc:S3cretPw@proxy.example:3128", "***@proxy.example:3128"],
  ["htp://svc:S3/cretPw@proxy.example:3128", "htp://***@proxy.example:3128"],
  ["http://svc:S3cretPw@proxy example:3128", "http://***@proxy example:3128"],
])("nor is it where the address is wrong: %s", (value, shown) => {
  expect(faultsOf({CATTLE_PROXY: value})).toEqual([
    `CATTLE_PROXY: expected http://host:port, got "${shown}".`,
  ]);
});
