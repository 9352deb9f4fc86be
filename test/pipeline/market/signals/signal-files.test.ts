import {aphis} from "../../../../pipeline/market/feeds/aphis.ts";
import {diesel} from "../../../../pipeline/market/feeds/diesel.ts";
import {echo} from "../../../../pipeline/market/feeds/echo.ts";
import {futures} from "../../../../pipeline/market/feeds/futures.ts";
import {lmr} from "../../../../pipeline/market/feeds/lmr.ts";
import {nass} from "../../../../pipeline/market/feeds/nass.ts";
import {nws} from "../../../../pipeline/market/feeds/nws.ts";
import {references} from "../../../../pipeline/market/feeds/references.ts";
import {usdm} from "../../../../pipeline/market/feeds/usdm.ts";
import {testCases, withLikes} from "../../../given-expect.ts";
import {readText, reasonsOf} from "./read-text.ts";

const feeds = {aphis, diesel, echo, futures, lmr, nass, nws, references, usdm};
type File = {path: string; url?: string; body?: unknown; lines?: string[]};

/** The reading of a file: rows without their nulls, and what is the same in all of them said once. */
testCases<File>("signal-files.txt", async ({path, lines, url, body = lines!.join("\n")}) => {
  const reader = feeds[path.split("/")[0] as keyof typeof feeds].read;
  const reading = await readText(reader, path, withLikes("signal-likes.json", body) as string | object, {
    url,
  });
  const rows = reading.rows.map((row) => Object.entries(row).filter(([, value]) => value !== null));
  const [first = [], ...others] = rows.map(
    (row) => new Map(row.map(([name, value]) => [name, JSON.stringify(value)])),
  );
  const same = new Set(
    others.length === 0
      ? []
      : [...first].flatMap(([name, value]) => (others.every((row) => row.get(name) === value) ? name : [])),
  );
  const {merged, otherAccepted, notes, remark} = reading;
  const counts = Object.entries({rejected: reasonsOf(reading), merged, otherAccepted, notes, remark});
  return {
    each: Object.fromEntries((rows[0] ?? []).filter(([name]) => same.has(name))),
    rows: rows.map((row) => Object.fromEntries(row.filter(([name]) => !same.has(name)))),
    ...Object.fromEntries(
      counts.filter(([, value]) => !["[]", "{}", "0", "null"].includes(JSON.stringify(value))),
    ),
  };
});
