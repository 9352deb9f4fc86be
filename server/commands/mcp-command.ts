import type {Command} from "commander";
import {readSettings} from "../../lib/settings.ts";
import {dataFolder} from "../../lib/storage/data-folder.ts";
import {programVersion} from "../../lib/version.ts";
import type {OpenState} from "../generation/open-generation.ts";
import {askOf} from "../http/direct-answer.ts";
import {deployed, type Endpoint} from "../http/endpoint.ts";

type McpDeps = {endpoints: readonly Endpoint[]; openState: OpenState};

/** Adds `mcp`, which answers an agent's tool calls on stdin and stdout until stdin ends. */
export function mcpCommand(program: Command, deps: McpDeps): void {
  program
    .command("mcp")
    .description(
      "answer agents over stdio (Model Context Protocol), from the published build or CATTLE_SERVER",
    )
    .action(async () => {
      const settings = readSettings();
      const ask = askOf({...deps, settings});
      // Loaded when needed, because the protocol takes longer to load than most other commands to run.
      const [{serveStdio}, {createMcpServer}, {sqlOf}] = await Promise.all([
        import("@modelcontextprotocol/server/stdio"),
        import("../mcp/mcp-server.ts"),
        import("../mcp/sql-question.ts"),
      ]);
      const askSql = settings.CATTLE_SERVER === "" ? sqlOf(dataFolder(settings.CATTLE_DATA)) : null;
      const endpoints = deps.endpoints.map((endpoint) => deployed(endpoint, settings));
      serveStdio(() => createMcpServer({endpoints, ask, askSql}, programVersion()));
    });
}
