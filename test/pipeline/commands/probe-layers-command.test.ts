import {afterEach, beforeEach, expect, test, vi} from "vitest";
import {main} from "../../../pipeline/cli.ts";
import {temporaryFolder} from "../../temporary-folder.ts";

let out: string;
let errors: string;
beforeEach(() => {
  [out, errors] = ["", ""];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += text;
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    errors += text;
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

const probe = (...words: string[]) => main(["sources", "probe", ...words, "--out", temporaryFolder()]);

test("a probe takes the ids of layers, and asks none outside the states that are named", async () => {
  expect(await probe("us-ga-atkinson", "--state", "TX", "--json"), errors).toBe(0);
  expect(JSON.parse(out)).toMatchObject([]);
});

test("a probe refuses an id that no layer has, and a state that there is not", async () => {
  expect(await probe("us-ga-atkinson", "us-ga-nowhere")).not.toBe(0);
  expect(errors).toContain("us-ga-nowhere: no layer that may be asked");
  expect(await probe("us-ga-atkinson", "--state", "ZZ")).not.toBe(0);
  expect(errors).toContain("ZZ: no state or province.");
});
