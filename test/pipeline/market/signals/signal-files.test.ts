import {readFileSync} from "node:fs";
import {join} from "node:path";
import {packageRoot} from "../../../../lib/paths.ts";
import {aphis} from "../../../../pipeline/market/feeds/aphis.ts";
import {diesel} from "../../../../pipeline/market/feeds/diesel.ts";
import {echo} from "../../../../pipeline/market/feeds/echo.ts";
import {futures} from "../../../../pipeline/market/feeds/futures.ts";
import {lmr} from "../../../../pipeline/market/feeds/lmr.ts";
import {nass} from "../../../../pipeline/market/feeds/nass.ts";
import {nws} from "../../../../pipeline/market/feeds/nws.ts";
import {references} from "../../../../pipeline/market/feeds/references.ts";
import {usdm} from "../../../../pipeline/market/feeds/usdm.ts";
import {testCases} from "../../../given-expect.ts";
import {readText, reasonsOf} from "./read-text.ts";

const feeds = {aphis, diesel, echo, futures, lmr, nass, nws, references, usdm};
/** Rows as the publishers serve them; an object of a case with `like` is one of them with other members. */
const likes = JSON.parse(readFileSync(join(packageRoot, "test/cases/signal-likes.json"), "utf8")) as Body;

type Body = {readonly [name: string]: unknown; readonly like?: string};
type File = {path: string; url?: string; body?: unknown; lines?: string[]};

/** The reading of a file: rows without their nulls, and what is the same in all of them said once. */
testCases<File>("signal-files.txt", async ({path, lines, url, body = lines!.join("\n")}) => {
  const reader = feeds[path.split("/")[0] as keyof typeof feeds].read;
  const reading = await readText(reader, path, whole(body) as string | object, {url});
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

function whole(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(whole);
  if (value === null || typeof value !== "object") return value;
  const {like, ...members} = value as Body;
  return like === undefined
    ? Object.fromEntries(Object.entries(members).map(([name, member]) => [name, whole(member)]))
    : changed(likes[like] as Body, members);
}

function changed(like: Body, members: Body): Body {
  const isBody = (value: unknown) => value !== null && typeof value === "object" && !Array.isArray(value);
  const entries = Object.entries(members).map(([name, member]) => [
    name,
    isBody(member) && isBody(like[name]) ? changed(like[name] as Body, member as Body) : member,
  ]);
  return {...like, ...Object.fromEntries(entries)};
}
