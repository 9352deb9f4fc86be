import {type Child, startChild} from "./children.ts";

/** Starts a writer whose acknowledged numbers are collected. */
export function startWriter(args: readonly string[], acknowledged: Set<string>): Child {
  const child = startChild("find-writer.ts", args);
  let rest = "";
  child.process.stdout?.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) acknowledged.add(line);
  });
  return child;
}
