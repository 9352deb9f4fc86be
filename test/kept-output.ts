import {vi} from "vitest";

/** Captures this process's stdout and stderr until the end of the scope. */
export function keptOutput(): {stdout: string; stderr: string} & Disposable {
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      kept[name] += String(text);
      return true;
    }),
  );
  const kept = {
    stdout: "",
    stderr: "",
    [Symbol.dispose]() {
      for (const spy of spies) spy.mockRestore();
    },
  };
  return kept;
}
