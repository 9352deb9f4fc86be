import {expect, test} from "vitest";
import {metaText} from "../../../pipeline/raw/meta-file.ts";

test("the meta of a raw file has a member a line, one blank in, and ends its last line", () => {
  const text = metaText({retrieved_at: "2026-11-20T05:30:00Z", sample: true});
  expect(text).toBe('{\n "retrieved_at": "2026-11-20T05:30:00Z",\n "sample": true\n}\n');
});
