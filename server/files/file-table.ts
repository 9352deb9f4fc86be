import {join} from "node:path";
import {digestFile} from "@open-cattle/safe-files";
import {packageRoot} from "../../lib/paths.ts";
import {buildDocuments, partOfPath} from "../../lib/storage/build-layout.ts";
import type {Manifest, ManifestFile} from "../../schemas/manifest.ts";
import {type LeftOut, refusals} from "./hand-on.ts";

/** A file that `/files/` shows. */
export type ShownFile = {
  /** Below the build's address: the manifest's path, or the name of a document of the program. */
  readonly path: string;
  /** Where it lies; made from the manifest, never from what is asked. */
  readonly place: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly rows: number | null;
  readonly licences: readonly string[];
};

/** All that `/files/` shows of a build, by the exact text of its path. */
export type FileTable = {
  readonly buildId: string;
  readonly asOf: string;
  readonly sample: boolean;
  readonly files: ReadonlyMap<string, ShownFile>;
  readonly leftOut: readonly LeftOut[];
};

/** Makes the table of a build's files from its manifest, without the parts whose terms forbid handing them on. */
export async function fileTable(folder: string, manifest: Manifest): Promise<FileTable> {
  const parts = [manifest.market, ...Object.values(manifest.states)];
  const listed = [...manifest.files, ...parts.flatMap((part) => part?.files ?? [])]
    .filter(({path}) => path.startsWith("tables/") || buildDocuments.includes(path))
    .map((file) => ({file, refused: refusals(file.path, partOfPath(file.path), manifest)}));
  const shown = listed
    .filter(({refused}) => refused.length === 0)
    .map(({file}) => shownFile(folder, file, manifest));
  const files = [...shown, await formatDocument()].sort((a, b) => (a.path < b.path ? -1 : 1));
  const leftOut = new Map(listed.flatMap(({refused}) => refused).map((each) => [JSON.stringify(each), each]));
  return {
    buildId: manifest.build_id,
    asOf: manifest.as_of_date,
    sample: manifest.sample,
    files: new Map(files.map((file) => [file.path, file])),
    leftOut: [...leftOut.values()],
  };
}

function shownFile(folder: string, file: ManifestFile, {sources}: Manifest): ShownFile {
  const {path, size, sha256, rows} = file;
  const part = partOfPath(path);
  const licences = sources
    .filter(({parts, licence}) => part !== null && licence !== null && parts.includes(part))
    .map(({licence}) => licence!);
  return {
    path,
    place: join(folder, path),
    bytes: size,
    sha256,
    rows,
    licences: [...new Set(licences)].sort(),
  };
}

/** The description of all tables, which comes with the program. */
async function formatDocument(): Promise<ShownFile> {
  const place = join(packageRoot, "schemas", "FORMAT.md");
  const {size, sha256} = await digestFile(place);
  return {path: "FORMAT.md", place, bytes: size, sha256, rows: null, licences: []};
}
