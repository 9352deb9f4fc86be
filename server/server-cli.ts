import type {Command} from "commander";
import {openStateArtifacts} from "../lib/parcels/parcel-set.ts";
import {programVersion} from "../lib/paths.ts";
import {readSettings} from "../lib/read-settings.ts";
import {dataFolder} from "../lib/storage/data-folder.ts";
import {writeData} from "../lib/text/terminal-output.ts";
import {keyCommands} from "./commands/key-commands.ts";
import {questionCommands} from "./commands/question-commands.ts";
import {serveCommand} from "./commands/serve-command.ts";
import type {OpenState} from "./generation/open-generation.ts";
import {askOf} from "./http/direct-answer.ts";
import {deployed, type Endpoint} from "./http/endpoint.ts";
import {endpoints, serverEndpoints} from "./routes/routes.ts";
import {serverServices} from "./routes/services.ts";

/** Adds the server's commands: `serve`, `keys …`, `market PATH …`, `lookup …`, `mcp`. Results go to stdout. */
export function serverCommands(program: Command): void {
  const print = (text: string) => void writeData(`${text}\n`);
  serveCommand(program, {
    endpoints: serverEndpoints,
    services: serverServices,
    openState: openStateArtifacts,
    print,
  });
  keyCommands(program, print);
  questionCommands(program, {endpoints, openState: openStateArtifacts, print});
  mcpCommand(program, {endpoints, openState: openStateArtifacts});
}

/** JSON-RPC 2.0, section 5.1. */
const PARSE_ERROR = -32_700;

type McpDeps = {endpoints: readonly Endpoint[]; openState: OpenState};

/** Adds `mcp`, which answers an agent's tool calls over stdin and stdout until stdin ends. */
function mcpCommand(program: Command, deps: McpDeps): void {
  program
    .command("mcp")
    .description(
      "answer agents over stdio (Model Context Protocol), from the published build or CATTLE_SERVER",
    )
    .action(async () => {
      const settings = readSettings();
      const ask = askOf({...deps, settings});
      // Loaded lazily: the protocol library takes longer to load than most commands to run.
      const [{serveStdio, StdioServerTransport}, {createMcpServer}, {sqlOf}, {lineLimit}] = await Promise.all(
        [
          import("@modelcontextprotocol/server/stdio"),
          import("./mcp/mcp-server.ts"),
          import("./mcp/sql-tool.ts"),
          import("./mcp/line-limit.ts"),
        ],
      );
      const askSql = settings.CATTLE_SERVER === "" ? sqlOf(dataFolder(settings.CATTLE_DATA)) : null;
      const endpoints = deps.endpoints.map((endpoint) => deployed(endpoint, settings));
      const refuse = (message: string) =>
        writeData(`${JSON.stringify({jsonrpc: "2.0", id: null, error: {code: PARSE_ERROR, message}})}\n`);
      const transport = new StdioServerTransport(process.stdin.pipe(lineLimit(refuse)));
      serveStdio(() => createMcpServer({endpoints, ask, askSql}, programVersion()), {transport});
    });
}
