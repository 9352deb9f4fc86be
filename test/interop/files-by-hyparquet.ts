/** Reads one column of a large table below `/files/` with hyparquet by ranges, and prints the bytes fetched beside the table's size. It first adds the build that
 * has the table to the data folder of the server. Arguments: the address, a key with the scope `files`, the data folder. */
import {realpathSync} from "node:fs";
import {join} from "node:path";
import {asyncBufferFromUrl, parquetReadObjects} from "hyparquet";
import {compressors} from "hyparquet-compressors";
import {history, historyRows, OLDER, writeOlderBuild} from "../server/files/older-build.ts";

const [address, key, data] = process.argv.slice(2) as [string, string, string];
await writeOlderBuild({dir: realpathSync(join(data, "current")), builds: join(data, "builds")});
let fetched = 0;
let ranges = 0;
const file = await asyncBufferFromUrl({
  url: `${address}/files/${OLDER}/${history}`,
  requestInit: {headers: {"X-API-Key": key}},
  fetch: async (input, init) => {
    const reply = await fetch(input, init);
    if (reply.status === 206) {
      fetched += Number(reply.headers.get("content-length"));
      ranges += 1;
    }
    return reply;
  },
});
const rows = await parquetReadObjects({file, compressors, columns: ["week"]});
const right = rows.length === historyRows && rows.every(({week}, at) => Number(week) === at);
const words = `${rows.length} rows equal; ${fetched.toLocaleString("en-US")} of ${file.byteLength.toLocaleString("en-US")} bytes in ${ranges} ranges`;
process.stdout.write(`${"/files/ by hyparquet".padEnd(40)} ${right ? "ok" : "FAIL"}  ${words}\n`);
process.exitCode = right ? 0 : 1;
