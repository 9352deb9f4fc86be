import type {Command} from "commander";
import {writeData} from "../lib/text/terminal-output.ts";

const print = (text: string) => void writeData(`${text}\n`);

/** The server's commands, each with what it alone needs. Results go to stdout. */
export const serverCommands: readonly {names: string[]; load(): Promise<(program: Command) => void>}[] = [
  {
    names: ["serve"],
    async load() {
      const [{serveCommand}, {serverEndpoints}, {serverServices}, {openStateArtifacts}] = await Promise.all([
        import("./commands/serve-command.ts"),
        import("./routes/routes.ts"),
        import("./routes/services.ts"),
        import("../lib/parcels/parcel-set.ts"),
      ]);
      const deps = {endpoints: serverEndpoints, services: serverServices, openState: openStateArtifacts};
      return (program) => serveCommand(program, {...deps, print});
    },
  },
  {
    names: ["keys"],
    async load() {
      const {keyCommands} = await import("./commands/key-commands.ts");
      return (program) => keyCommands(program, print);
    },
  },
  {
    names: ["market", "lookup", "coverage"],
    async load() {
      const [{questionCommands}, deps] = await Promise.all([
        import("./commands/question-commands.ts"),
        askedBuild(),
      ]);
      return (program) => questionCommands(program, {...deps, print});
    },
  },
  {
    names: ["mcp"],
    async load() {
      const [{mcpCommand}, deps] = await Promise.all([import("./mcp/mcp-command.ts"), askedBuild()]);
      return (program) => mcpCommand(program, deps);
    },
  },
];

/** What answers questions from the published build, without a server. */
async function askedBuild() {
  const [{endpoints}, {openStateArtifacts}] = await Promise.all([
    import("./routes/routes.ts"),
    import("../lib/parcels/parcel-set.ts"),
  ]);
  return {endpoints, openState: openStateArtifacts};
}
