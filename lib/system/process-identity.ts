import {readFileSync, readlinkSync} from "node:fs";
import {hostname} from "node:os";
import type {ProcessIdentity} from "../../schemas/delta-record.ts";

/** Linux reports processor time in hundredths of a second, independent of the kernel's tick rate. */
const tickMs = 10;

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

/**
 * Private memory of a process in KiB, without mapped files; 0 when the system does not report it or the
 * process has exited.
 */
export function privateKib(pid: number): number {
  return Number(/RssAnon:\s+(\d+)/.exec(text(`/proc/${pid}/status`))?.[1] ?? 0);
}

/**
 * Processor time of a process over all its threads; null when the system does not report it or the process
 * has exited.
 */
export function processorMs(pid: number): number | null {
  // The program name, in parentheses, may contain blanks.
  const [, user, system] = /^.*\) (?:\S+ ){11}(\d+) (\d+)/.exec(text(`/proc/${pid}/stat`)) ?? [];
  return user === undefined ? null : (Number(user) + Number(system)) * tickMs;
}
