import {basename, join} from "node:path";
import {type Depth, type FileDifference, folderDifferences, readForeign} from "@open-cattle/safe-files";
import {Manifest, type ManifestFile, readFormats} from "../../schemas/manifest.ts";
import {messageOf, UserError} from "../errors.ts";
import {isCarried, partOfPath} from "./build-layout.ts";
import {parseFormatted} from "./formatted-text.ts";

const manifestName = "manifest.json";
/** The whole country has some hundred thousand file entries of one or two kilobytes. */
const maxBytes = 2 ** 29;

/**
 * The manifest of a build folder. Throws a `UserError` that names its path when it is absent, broken or
 * belongs to another build.
 */
export async function readManifest(buildDir: string): Promise<Manifest> {
  const path = join(buildDir, manifestName);
  const text = await readForeign(path, maxBytes).catch((error: unknown) => {
    throw new UserError(`${path}: cannot be read: ${messageOf(error)}`, {cause: error});
  });
  const manifest = parseManifest(path, text);
  if (manifest.build_id !== basename(buildDir)) {
    throw new UserError(
      `${path}: names the build ${manifest.build_id}; its folder is ${basename(buildDir)}.`,
    );
  }
  return manifest;
}

function parseManifest(path: string, text: string): Manifest {
  return parseFormatted(path, text, {
    schema: Manifest,
    name: "a manifest",
    formats: readFormats,
    refusal: (format) =>
      `${path}: format ${format}, this program reads ${readFormats.join(" and ")}. Run "cattle build" with another --out.`,
  });
}

/**
 * The text of `manifest.json`, with members in schema order. Throws when the manifest does not match the
 * schema.
 */
export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(Manifest.parse(manifest), null, 1)}\n`;
}

/** The files of all parts of a manifest, sorted by path (byte order). */
export function manifestFiles(manifest: Manifest): ManifestFile[] {
  const parts = [manifest.market, ...Object.values(manifest.states)];
  const files = [...manifest.files, ...parts.flatMap((part) => part?.files ?? [])];
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** As `buildFaults`, but for the carried records of states that are held back: they may be why, and no answer comes from them. */
export async function servedFaults(...build: Parameters<typeof buildFaults>): Promise<FileDifference[]> {
  const [, {states}] = build;
  const isHeld = (path: string) => states[partOfPath(path) ?? ""]?.status === "held_back";
  return (await buildFaults(...build)).filter(({path}) => !(isCarried(path) && isHeld(path)));
}

/**
 * The differences between a build folder and its manifest. `only` selects the files whose bytes are read; names and sizes are always
 * compared. Only a transient failure, such as too many open files, is thrown.
 */
export function buildFaults(
  buildDir: string,
  manifest: Manifest,
  options: {depth: Depth; only?: (file: ManifestFile) => boolean},
): Promise<FileDifference[]> {
  return folderDifferences(buildDir, manifestFiles(manifest), {...options, unlisted: manifestName});
}
