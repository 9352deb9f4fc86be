import type {ServerResponse} from "node:http";
import {gzipSync} from "node:zlib";
import {type FakeArcgis, type FakeRow, type Misbehaviour, pageOf, square} from "./fake-arcgis.ts";

/** A server that misbehaves in place of its answer; its metadata are correct unless `always`. */
export type Hostile = {readonly name: string; readonly does: Misbehaviour};

/** Text in place of the answer to a query. */
function sends(text: string | Buffer, headers: Record<string, string> = {}): Misbehaviour {
  return (response, {isQuery}) => {
    if (isQuery) response.writeHead(200, headers).end(text);
    return isQuery;
  };
}

function status(code: number, headers: Record<string, string> = {}): Misbehaviour {
  return (response, {isQuery}) => {
    if (isQuery) response.writeHead(code, headers).end("{}");
    return isQuery;
  };
}

const during =
  (act: Misbehaviour): Misbehaviour =>
  (response, asked) =>
    asked.isQuery && act(response, asked);

const megabyte = Buffer.alloc(1024 * 1024, " ");
/** 64 gzip members of 16 MiB each, which unpack to one stream. */
const bomb = Buffer.concat(Array<Buffer>(64).fill(gzipSync(Buffer.alloc(16 * 1024 * 1024))));

/** Sends blanks as long as the client takes them. */
function sendGigabyte(response: ServerResponse): boolean {
  response.writeHead(200);
  let left = 1024;
  const send = () => {
    while (left > 0 && !response.destroyed) {
      left -= 1;
      if (!response.write(megabyte)) {
        response.once("drain", send);
        return;
      }
    }
    response.end();
  };
  send();
  return true;
}

/** Faults of transport: no answer, a late one, or one that we must not take. */
export const transportFaults: readonly Hostile[] = [
  {name: "accepts and hangs", does: during(() => true)},
  {
    name: "sends the body at one byte now and then",
    does: during((response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(" "), 40);
      response.on("close", () => clearInterval(timer));
      return true;
    }),
  },
  {
    name: "sends the headers at one byte now and then",
    does: during((response) => {
      const {socket} = response;
      socket?.write("HTTP/1.1 200 OK\r\nX-Slow: ");
      const timer = setInterval(() => socket?.write("x"), 40);
      socket?.on("close", () => clearInterval(timer));
      return true;
    }),
  },
  {
    name: "stalls in mid-body",
    does: during((response) => response.writeHead(200).write('{"features":[') || true),
  },
  {
    name: "resets in mid-body",
    does: during((response) => {
      response.writeHead(200, {"content-length": "1000"}).write("{");
      setTimeout(() => response.destroy(), 10);
      return true;
    }),
  },
  {
    name: "answers in frames of HTTP/2",
    does: during((response) => {
      // SETTINGS without values, then GOAWAY.
      response.socket?.end(Buffer.from("000000040000000000000008070000000000000000000000", "hex"));
      return true;
    }),
  },
  {name: "answers 500", does: status(500)},
  {name: "answers 502", does: status(502)},
  {name: "answers 503", does: status(503)},
  {name: "answers 429 for a day", does: status(429, {"retry-after": "86400"})},
  ...[
    "http://127.0.0.1:1/",
    "http://169.254.169.254/latest",
    "http://[::ffff:127.0.0.1]/",
    "file:///etc/passwd",
  ].map((location) => ({name: `redirects to ${location}`, does: status(302, {location})})),
];

/** Bodies that are not an ArcGIS answer. */
export const bodyFaults: readonly Hostile[] = [
  {
    name: "an error inside a 200",
    does: sends('{"error":{"code":400,"message":"Failed to execute query.","details":[]}}'),
  },
  {name: "HTML", does: sends("<html><body>Welcome</body></html>")},
  {name: "nothing", does: sends("")},
  {name: "JSON that is cut off", does: sends('{"features":[{"attributes":{"APN":"R-100')},
  {name: "a gigabyte", does: during(sendGigabyte)},
  {name: "a gigabyte in a megabyte of gzip", does: sends(bomb, {"content-encoding": "gzip"})},
  {name: "a million features", does: sends(`{"features":[${"{},".repeat(999_999)}{}]}`)},
  {name: "a million lists", does: sends(`{"features":[${"[],".repeat(999_999)}[]]}`)},
  {
    name: "nesting of 100,000 levels",
    does: sends(`{"features":${"[".repeat(100_000)}${"]".repeat(100_000)}}`),
  },
  {name: "a byte-order mark", does: sends('\uFEFF{"features":[]}')},
  {name: "another charset", does: sends(Buffer.from('{"features":[],"name":"Cañon"}', "latin1"))},
  {name: "a key twice", does: sends('{"features":[],"features":[]}')},
  {name: "features that are no list", does: sends('{"features":{"attributes":{}}}')},
  {name: "a count", does: sends('{"count":1}')},
  {name: "object ids", does: sends('{"objectIdFieldName":"OBJECTID","objectIds":[1]}')},
];

/** Answers of the right form that do not fit the question. */
export function meaningFaults({rows}: Pick<FakeArcgis, "rows">): readonly Hostile[] {
  const [row, neighbour] = rows as [FakeRow, FakeRow];
  const page = (more: Record<string, unknown>, from: readonly FakeRow[] = [row]) =>
    sends(JSON.stringify(pageOf(from, more)));
  const withText = (text: string) =>
    sends(JSON.stringify(pageOf([{...row, attributes: {...row.attributes, SITUS: text}}])));
  const rings = (ring: unknown[]) =>
    page({features: [{attributes: row.attributes, geometry: {rings: [ring]}}]});
  const corners = square(row);
  const {west, south} = row;
  const many = Array.from({length: 100_002}, (_, i) => [west + (i % 2) * 1e-6, south + i * 1e-9]);
  return [
    {name: "another parcel", does: page({}, [neighbour])},
    {name: "a parcel of another county", does: page({}, [{...row, west: -101, south: 33}])},
    {name: "more rows than it sent", does: page({exceededTransferLimit: true})},
    {name: "no geometry", does: page({features: [{attributes: row.attributes}]})},
    {name: "NaN for coordinates", does: sends(JSON.stringify(pageOf([row])).replaceAll(String(west), "NaN"))},
    {
      name: "infinite coordinates",
      does: sends(JSON.stringify(pageOf([row])).replaceAll(String(west), "1e999")),
    },
    {name: "numbers as strings", does: rings(corners.map((corner) => corner.map(String)))},
    {name: "latitude and longitude swapped", does: rings(corners.map(([x, y]) => [y, x]))},
    {name: "another reference system", does: page({spatialReference: {wkid: 102100, latestWkid: 3857}})},
    {name: "no reference system", does: page({spatialReference: undefined})},
    {name: "a ring that is not closed", does: rings(corners.slice(0, 4))},
    {
      name: "a ring that crosses itself",
      does: rings([corners[0], corners[2], corners[1], corners[3], corners[0]]),
    },
    {name: "a ring of 100,000 vertices", does: rings([...many, many[0]])},
    {name: "a lone surrogate", does: sends(JSON.stringify(pageOf([row])).replace("OAKVALE", "\\ud800"))},
    {name: "a text of a million characters", does: withText("x".repeat(1_000_000))},
    {
      name: "prototype keys alone",
      does: sends(
        `{"spatialReference":{"wkid":4326},"features":[{"attributes":{"__proto__":{"APN":"R-100-1"}},"geometry":{"rings":[${JSON.stringify(corners)}]}}]}`,
      ),
    },
    {
      name: "a word for the number",
      does: page({}, [{...row, attributes: {...row.attributes, APN: "<script>"}}]),
    },
  ];
}
