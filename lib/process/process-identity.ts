import {readFileSync, readlinkSync} from "node:fs";
import {hostname} from "node:os";
import type {ProcessIdentity} from "../../schemas/delta-record.ts";

/** Linux tells processor time in hundredths of a second, whatever its own clock. */
const tickMs = 10;

/**
 * Facts that tell this process from every other one, also after a restart of the machine. Those of the kernel are empty off
 * Linux.
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

/**
 * True when a process of this host is proven dead: the machine has booted since, or in this pid namespace its number is free
 * or that of a process with another start. False does not mean that it is alive.
 */
export function isProvenDead(identity: ProcessIdentity, own: ProcessIdentity = ownIdentity()): boolean {
  if (identity.host !== own.host || own.bootId === "" || identity.bootId === "") return false;
  if (identity.bootId !== own.bootId) return true;
  if (identity.pidNamespace !== own.pidNamespace) return false;
  const ticks = startTicksOf(String(identity.pid));
  return ticks === null || ticks !== identity.startTicks;
}

/**
 * Start of a process in clock ticks, or null without such a process: field 22 of /proc/<pid>/stat. The name in field 2 may
 * hold blanks and parentheses.
 */
function startTicksOf(pid: string): string | null {
  const stat = text(`/proc/${pid}/stat`);
  return stat === "" ? null : (stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null);
}

/** The text of a file, empty when it cannot be read (another system, a process that ended). */
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

/** Private memory of a process in KiB, without mapped files; 0 where the system does not tell or the process has ended. */
export function privateKib(pid: number): number {
  return Number(/RssAnon:\s+(\d+)/.exec(text(`/proc/${pid}/status`))?.[1] ?? 0);
}

/** Processor time that a process has taken, in all its threads; null where the system does not tell or the process has ended. */
export function processorMs(pid: number): number | null {
  // The name of the program, in brackets, may hold blanks.
  const [, user, system] = /^.*\) (?:\S+ ){11}(\d+) (\d+)/.exec(text(`/proc/${pid}/stat`)) ?? [];
  return user === undefined ? null : (Number(user) + Number(system)) * tickMs;
}
