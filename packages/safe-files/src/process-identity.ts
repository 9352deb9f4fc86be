import {readFileSync, readlinkSync} from "node:fs";
import {hostname} from "node:os";

/** The process that wrote a file or holds a lock, with facts by which a reader can tell that it is dead. */
export type ProcessIdentity = {
  host: string;
  bootId: string;
  pidNamespace: string;
  pid: number;
  /** Start time of the process in clock ticks since boot, from the kernel. */
  startTicks: string;
};

const texts = ["host", "bootId", "pidNamespace", "startTicks"] as const;

/**
 * Identifies this process among all others, even across a reboot. The kernel's values are empty on other
 * systems than Linux.
 */
export function ownIdentity(): ProcessIdentity {
  return {
    host: hostname(),
    bootId: text("/proc/sys/kernel/random/boot_id"),
    pidNamespace: link("/proc/self/ns/pid"),
    pid: process.pid,
    startTicks: startTicksOf("self") ?? "",
  };
}

/** A JSON value as an identity with exactly these members; null for any other. */
export function asIdentity(value: unknown): ProcessIdentity | null {
  const found = Object(value) as ProcessIdentity;
  const isOne =
    Object.keys(found).length === texts.length + 1 &&
    texts.every((name) => typeof found[name] === "string") &&
    Number.isSafeInteger(found.pid) &&
    found.pid > 0;
  return isOne ? found : null;
}

/**
 * True when a process of this host is proven dead: the machine has rebooted since, or in this pid namespace
 * its pid is free or belongs to a process with another start time. False does not mean that it is alive.
 */
export function isProvenDead(identity: ProcessIdentity, own: ProcessIdentity = ownIdentity()): boolean {
  if (identity.host !== own.host || own.bootId === "" || identity.bootId === "") return false;
  if (identity.bootId !== own.bootId) return true;
  if (identity.pidNamespace !== own.pidNamespace) return false;
  const ticks = startTicksOf(String(identity.pid));
  return ticks === null || ticks !== identity.startTicks;
}

/**
 * Start time of a process in clock ticks, field 22 of /proc/<pid>/stat; null when there is no such process.
 * Field 2, the name, may contain blanks and parentheses.
 */
function startTicksOf(pid: string): string | null {
  const stat = text(`/proc/${pid}/stat`);
  return stat === "" ? null : (stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null);
}

/** The text of a file; empty when it cannot be read (another system, or the process has exited). */
function text(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
}

function link(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
