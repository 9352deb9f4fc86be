import {describe, expect, it} from "vitest";
import {ConfigError} from "../../../lib/errors.ts";
import {printableSettings, readSettings, settingRows} from "../../../lib/read-settings.ts";

function faultOf(environment: Record<string, string>, readText?: (path: string) => string): string {
  try {
    readSettings(environment, readText);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  throw new Error("no fault came");
}

describe("settings", () => {
  it("takes the defaults from an empty environment and ignores other names", () => {
    const settings = readSettings({PATH: "/bin", CATTLE_PORT: ""});
    expect(settings).toMatchObject({CATTLE_PORT: 8080, CATTLE_DATA: "data", CATTLE_RATE_PER_MINUTE: 120});
  });

  it("lists every fault at once: wrong values and unknown names", () => {
    const fault = faultOf({
      CATTLE_PORT: "eighty",
      CATTLE_DRAIN_MS: "999999",
      CATTLE_PROT: "1",
      CATTLE_LOG_LEVEL: "loud",
    });
    for (const name of ["CATTLE_PORT", "CATTLE_DRAIN_MS", "CATTLE_PROT", "CATTLE_LOG_LEVEL"]) {
      expect(fault).toContain(name);
    }
  });

  it("reads a secret from the file that its name points to, and never from the environment", () => {
    const settings = readSettings({CATTLE_EIA_KEY_FILE: "/run/secret"}, () => "abc123\n");
    expect(settings.CATTLE_EIA_KEY).toBe("abc123");
    expect(printableSettings(settings)["CATTLE_EIA_KEY"]).not.toContain("abc123");
    const fault = faultOf({CATTLE_EIA_KEY: "abc123"});
    expect(fault).toContain("CATTLE_EIA_KEY_FILE");
    expect(fault).not.toContain("abc123");
  });

  it("names a secret file that cannot be read", () => {
    expect(faultOf({CATTLE_MARS_KEY_FILE: "/absent/file"})).toContain("CATTLE_MARS_KEY_FILE");
  });

  it("gives every setting a name, a default and a sentence", () => {
    for (const row of settingRows()) {
      expect(row.name).toMatch(/^CATTLE_[A-Z_]+$/);
      expect(row.about.length).toBeGreaterThan(10);
    }
  });

  it.each(["10.0.0", "10.0.0.1/33", "proxy.example", "10.0.0.1/8/9"])("refuses the proxy %s", (proxy) => {
    expect(faultOf({CATTLE_TRUST_PROXY: proxy})).toContain("CATTLE_TRUST_PROXY");
  });

  it("reads lists, switches and decimals", () => {
    const settings = readSettings({
      CATTLE_TRUST_PROXY: "10.0.0.1, fd00::/8",
      CATTLE_FUTURES_LICENSED: "1",
      CATTLE_MAX_RADIUS_MILES: "2.5",
    });
    expect(settings.CATTLE_TRUST_PROXY).toEqual(["10.0.0.1", "fd00::/8"]);
    expect(settings.CATTLE_FUTURES_LICENSED).toBe(true);
    expect(settings.CATTLE_MAX_RADIUS_MILES).toBe(2.5);
  });
});
