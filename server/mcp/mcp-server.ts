import {type CallToolResult, McpServer} from "@modelcontextprotocol/server";
import {visibleText} from "../../lib/text/visible-text.ts";
import type {Ask} from "../http/direct-answer.ts";
import type {Endpoint} from "../http/endpoint.ts";
import {spokenValues} from "../http/spoken-values.ts";
import {describeAnswer} from "../text/describe-answer.ts";
import type {Description} from "../text/description.ts";
import {helpfulSchema, inputSchema} from "./arguments.ts";
import {outputSchema} from "./listed-types.ts";
import {shortContent, shortText} from "./short-text.ts";
import {type AskSql, sqlTool} from "./sql-tool.ts";
import {type Tool, tools} from "./tool-table.ts";

const instructions =
  "Reported cattle prices, sale barns, dealers and land parcels, each with source, date, confidence and limitations. " +
  "Cite source, report and date with every figure, and do not present a price as a current bid. Rows have the members of the HTTP answer: " +
  "prices and changes in USD per `price_unit`; `history` has for each past week its last day, USD and head. " +
  "Parcels are assessor context: not survey, title, ownership or boundary evidence.";

/** An agent's arguments, by name. */
type Given = Readonly<Record<string, unknown>>;

const annotations = {readOnlyHint: true, openWorldHint: false};

/** The endpoints, whose tools are listed, and how to ask them, plus SQL on the tables if the build is on this machine. */
export type ServerOptions = {
  readonly endpoints: readonly Endpoint[];
  readonly ask: Ask;
  readonly askSql: AskSql | null;
};

/** Creates an MCP server whose tools query the endpoints and the tables. */
export function createMcpServer({endpoints, ask, askSql}: ServerOptions, version: string): McpServer {
  const server = new McpServer({name: "cattle", version}, {instructions});
  for (const tool of tools) {
    const {name, description, path} = tool;
    const endpoint = endpoints.find((each) => each.path === path);
    if (endpoint === undefined) continue;
    const said = {description, ...schemasOfTool(tool, endpoint), annotations};
    server.registerTool(name, said, (given) => answerTool(tool, given, ask));
  }
  if (askSql !== null) {
    const {name, inputSchema: input, ...said} = sqlTool;
    server.registerTool(
      name,
      {...said, inputSchema: helpfulSchema(input), annotations},
      async (given, {mcpReq}) => {
        const answer = await askSql(given, mcpReq.signal);
        const {facts, limitations} = answer;
        return {content: textOf(answer), structuredContent: {...facts, limitations}};
      },
    );
  }
  return server;
}

const schemas = new WeakMap<Tool, {endpoint: Endpoint; ofTool: ReturnType<typeof makeSchemas>}>();

/** The schemas of a tool, made once: over HTTP there is a server for each message, and making them takes longer than an answer. */
function schemasOfTool(tool: Tool, endpoint: Endpoint): ReturnType<typeof makeSchemas> {
  const made = schemas.get(tool);
  if (made?.endpoint === endpoint) return made.ofTool;
  const ofTool = makeSchemas(tool, endpoint);
  schemas.set(tool, {endpoint, ofTool});
  return ofTool;
}

function makeSchemas(tool: Tool, endpoint: Endpoint) {
  return {inputSchema: helpfulSchema(inputSchema(tool, endpoint)), outputSchema: outputSchema(endpoint)};
}

/** Answers one call with a table for the model and the same data as JSON; a problem becomes an error result with advice. */
export async function answerTool(tool: Tool, given: Given, ask: Ask): Promise<CallToolResult> {
  // History makes records long, so with it the default is one record.
  const limit = tool.defaultLimit && (given["history"] === undefined ? tool.defaultLimit : 1);
  const said = Object.entries({limit, ...given}).filter(([, value]) => value != null);
  // Parameters are strings, as in a query string.
  const values = spokenValues(Object.fromEntries(said.map(([name, value]) => [name, String(value)])));
  const answer = await ask(tool.path, values);
  const description = describeAnswer(tool.path, answer);
  const content = textOf(description);
  return answer.ok ? {content, structuredContent: shortContent(description)} : {isError: true, content};
}

function textOf(answer: Description): CallToolResult["content"] {
  return [{type: "text", text: visibleText(shortText(answer))}];
}
