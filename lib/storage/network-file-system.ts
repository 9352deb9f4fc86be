import {statfs} from "node:fs/promises";
import {ConfigError} from "../errors.ts";

/** Network file systems by their `f_type` in Linux statfs(2); FUSE counts as one, because it may be one. */
const networkFileSystems: Readonly<Record<number, string>> = {
  26985: "NFS",
  20859: "SMB",
  4266872130: "SMB2",
  4283649346: "CIFS",
  1702057286: "FUSE",
  1397113167: "AFS",
  12805120: "Ceph",
  1937076805: "Coda",
  16914839: "9P",
};

/**
 * Throws a `ConfigError` for a folder on a network file system, whose renames, locks and mapped files keep no promise of
 * ours. A folder that does not exist yet passes.
 */
export async function refuseNetworkFileSystem(folder: string, allowed: boolean): Promise<void> {
  const facts = await statfs(folder).catch(() => null);
  const kind = facts === null ? undefined : networkFileSystems[facts.type];
  if (kind === undefined || allowed) return;
  throw new ConfigError(
    `${folder}: on a network file system (${kind}). Use a local disk, or set CATTLE_ALLOW_NETWORK_FS=1 at your own risk.`,
  );
}
