import type {Command} from "commander";
import {programVersion} from "../../lib/paths.ts";
import {readSettings} from "../../lib/read-settings.ts";
import {dataFolder} from "../../lib/storage/data-folder.ts";
import {writeData} from "../../lib/text/terminal-output.ts";
import type {OpenState} from "../generation/open-generation.ts";
import {askOf} from "../http/direct-answer.ts";
import {deployed, type Endpoint} from "../http/endpoint.ts";

/** JSON-RPC 2.0, section 5.1. */
const PARSE_ERROR = -32_700;

type McpDeps = {endpoints: readonly Endpoint[]; openState: OpenState};

/** Adds `mcp`, which answers an agent's tool calls over stdin and stdout until stdin ends. */
export function mcpCommand(program: Command, deps: McpDeps): void {
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
          import("./mcp-server.ts"),
          import("./sql-tool.ts"),
          import("./line-limit.ts"),
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
