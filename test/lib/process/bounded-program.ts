import {setTimeout as sleep} from "node:timers/promises";
import {UserError} from "../../../lib/errors.ts";
import {serveTasks} from "../../../lib/system/bounded-program.ts";

// The program of the children in the test beside it.

type Task = {readonly kind: string};

const held: number[][] = [];

serveTasks<Task>(
  async ({kind}) => {
    if (kind === "spin") for (;;) held.length = 0;
    if (kind === "wait") await sleep(600_000);
    if (kind === "eat") for (;;) held.push(Array.from({length: 1e6}, (_, i) => i));
    if (kind === "die") process.kill(process.pid, "SIGSEGV");
    if (kind === "user") throw new UserError("not a list.");
    if (kind === "disk") throw Object.assign(new Error("no space"), {code: "ENOSPC"});
    if (kind === "large") return "x".repeat(2_000_000);
    return {pid: process.pid, big: 1n, map: new Map([["a", 1]])};
  },
  () => 1_000_000,
);
