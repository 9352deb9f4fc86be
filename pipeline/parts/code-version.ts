import {createHash} from "node:crypto";
import {existsSync, readdirSync, readFileSync} from "node:fs";
import {join} from "node:path";
import {packageRoot} from "../../lib/paths.ts";

/** Code and data of our packages, by the names that a checkout and a packed install have in common. */
const packageFolders = readdirSync(placeOf("node_modules/@open-cattle"))
  .sort()
  .flatMap((name) => ["src", "data"].map((folder) => `node_modules/@open-cattle/${name}/${folder}`));

/** Code and tables, besides its inputs, that determine the bytes of a part. */
const stageFolders = {
  market: [
    ...packageFolders,
    "schemas",
    "lib",
    "pipeline/raw",
    "pipeline/tables",
    "pipeline/market",
    "data/reference",
    "data/sources/market.json",
    "data/sources/lists",
  ],
  parcels: [
    ...packageFolders,
    "schemas",
    "lib",
    "pipeline/raw",
    "pipeline/tables",
    "pipeline/parcels",
    "data/reference",
  ],
} as const;
type Stage = keyof typeof stageFolders;

/** Returns the program version plus 12 hex digits of the digest over both stages' code, such as `0.1.0+3f9c1a04b2d7`. */
export function codeVersion(): string {
  const {version} = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")) as {version: string};
  return `${version}+${sha256(`${stageCodeDigest("market")}${stageCodeDigest("parcels")}`).slice(0, 12)}`;
}

const digests = new Map<Stage, string>();

/** SHA-256 over the files of a stage and the versions of the packages that it may use. */
export function stageCodeDigest(stage: Stage): string {
  const known = digests.get(stage);
  if (known !== undefined) return known;
  const {dependencies} = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  const files = stageFolders[stage].flatMap((folder) => filesOf(folder));
  const digest = sha256(JSON.stringify([dependencies, files]));
  digests.set(stage, digest);
  return digest;
}

/** `[path, digest]` of a file, or of every file below a folder. */
function filesOf(path: string): [string, string][] {
  const absolute = placeOf(path);
  return list(absolute).map((file) => [`${path}${file.slice(absolute.length)}`, sha256(readFileSync(file))]);
}

/** The file or folder of the program at a path; a packed install has its code below `dist/`. */
function placeOf(path: string): string {
  const compiled = join(packageRoot, "dist", path);
  return existsSync(compiled) ? compiled : join(packageRoot, path);
}

function list(path: string): string[] {
  if (!existsSync(path)) return [];
  const entries = readdirOrNull(path);
  return entries === null ? [path] : entries.sort().flatMap((name) => list(join(path, name)));
}

function readdirOrNull(path: string): string[] | null {
  try {
    return readdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return null;
    throw error;
  }
}

function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
