import {readFileSync, readlinkSync} from "node:fs";
import {hostname} from "node:os";
import type {ProcessIdentity} from "../../schemas/delta-record.ts";

/** What tells this process from every other one, also after a restart of the machine. Kernel facts are empty off Linux. */
export function ownIdentity(): ProcessIdentity {
  return {
    host: hostname(),
    bootId: text("/proc/sys/kernel/random/boot_id"),
    pidNamespace: link("/proc/self/ns/pid"),
    pid: process.pid,
    startTicks: startTicksOf("self") ?? "",
  };
}

/**
 * True only where a process is proven dead: it ran on this host, and the machine has booted since, or in this pid
 * namespace its number is free or belongs to a process with another start. False means "not provable", not "alive".
 */
export function isProvenDead(identity: ProcessIdentity, own: ProcessIdentity = ownIdentity()): boolean {
  if (identity.host !== own.host || own.bootId === "" || identity.bootId === "") return false;
  if (identity.bootId !== own.bootId) return true;
  if (identity.pidNamespace !== own.pidNamespace) return false;
  const ticks = startTicksOf(String(identity.pid));
  return ticks === null || ticks !== identity.startTicks;
}

/**
 * Field 22 of /proc/<pid>/stat; the name in field 2 may hold blanks and parentheses. Null where there is no such process.
 */
function startTicksOf(pid: string): string | null {
  const stat = text(`/proc/${pid}/stat`);
  return stat === "" ? null : (stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null);
}

/** Absence (another system, a process that ended) is an answer here. */
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
