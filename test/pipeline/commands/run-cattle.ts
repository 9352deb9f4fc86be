import {main} from "../../../pipeline/cli.ts";
import {keptOutput} from "../../kept-output.ts";

/** Runs a command line of `cattle` in this process; returns its exit code and what it wrote. */
export async function cattle(...argv: string[]): Promise<{code: number; stdout: string; stderr: string}> {
  using written = keptOutput();
  try {
    const code = await main(argv);
    return {code, stdout: written.stdout, stderr: written.stderr};
  } finally {
    process.exitCode = undefined;
  }
}
