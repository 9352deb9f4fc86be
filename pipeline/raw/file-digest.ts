import {createHash} from "node:crypto";
import type {BigIntStats} from "node:fs";
import {type FileHandle, stat} from "node:fs/promises";
import {openForeign} from "@open-cattle/safe-files";
import {UserError} from "../../lib/errors.ts";

/** Identifies an untouched file: recorded with the digest and compared after reading. */
export type FileIdentity = {
  readonly device: bigint;
  readonly inode: bigint;
  readonly size: bigint;
  readonly modifiedNs: bigint;
  /** Also changes with names, owners and permissions, and cannot be set back. */
  readonly changedNs: bigint;
};

const pieceBytes = 2 ** 20;

/** SHA-256 of a file's bytes, in hex. */
export async function sha256OfFile(path: string): Promise<string> {
  return (await digestOfFile(path)).sha256;
}

/**
 * Returns the SHA-256 of a file's bytes, in hex, and its identity while they were read. Throws a `UserError` for anything but a file, and
 * if the file changes meanwhile.
 */
export async function digestOfFile(path: string): Promise<{sha256: string; identity: FileIdentity}> {
  await using file = await openForeign(path);
  const before = identityOf(await file.stat({bigint: true}));
  const sha256 = await digestOf(file, Number(before.size));
  const after = identityOf(await file.stat({bigint: true}));
  if (!isUntouched(before, after)) throw new UserError(`${path}: changed while it was read.`);
  return {sha256, identity: after};
}

/** True if a path still leads to the file with this identity and digest, without a byte written since. */
export async function isSameFile(path: string, identity: FileIdentity, sha256: string): Promise<boolean> {
  const found = await stat(path, {bigint: true}).catch(() => null);
  if (found === null || !found.isFile()) return false;
  const now = identityOf(found);
  if (!isUntouched(identity, {...now, changedNs: identity.changedNs})) return false;
  if (now.changedNs === identity.changedNs) return true;
  // A hard-link backup or chmod changes only ctime; but so does a writer that resets mtime, hence the new digest.
  return digestOfFile(path).then(
    (again) => again.sha256 === sha256,
    () => false,
  );
}

async function digestOf(file: FileHandle, size: number): Promise<string> {
  const hash = createHash("sha256");
  const piece = Buffer.allocUnsafe(Math.min(pieceBytes, size + 1));
  for (;;) {
    const {bytesRead} = await file.read(piece, 0, piece.length, null);
    if (bytesRead === 0) return hash.digest("hex");
    hash.update(piece.subarray(0, bytesRead));
  }
}

function identityOf({dev, ino, size, mtimeNs, ctimeNs}: BigIntStats): FileIdentity {
  return {device: dev, inode: ino, size, modifiedNs: mtimeNs, changedNs: ctimeNs};
}

function isUntouched(a: FileIdentity, b: FileIdentity): boolean {
  return (
    a.device === b.device &&
    a.inode === b.inode &&
    a.size === b.size &&
    a.modifiedNs === b.modifiedNs &&
    a.changedNs === b.changedNs
  );
}
