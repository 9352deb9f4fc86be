import {type CallToolResult, McpServer} from "@modelcontextprotocol/server";
import type {Ask} from "../http/direct-answer.ts";
import type {Endpoint} from "../http/endpoint.ts";
import {describeAnswer} from "../text/describe-answer.ts";
import type {Description} from "../text/description.ts";
import {helpfulSchema} from "./arguments.ts";
import {shortContent, shortText} from "./short-text.ts";
import {type AskSql, sqlTool} from "./sql-tool.ts";
import {inputSchema, outputSchema, type Tool, tools} from "./tool-table.ts";

const instructions =
  "Reported cattle prices, sale barns, dealers and land parcels, each with source, date, confidence and limitations. " +
  "Cite source and date with every figure, and do not present a price as a current bid.";

/** What an agent says, by parameter. */
type Given = Readonly<Record<string, unknown>>;

const annotations = {readOnlyHint: true, idempotentHint: true, openWorldHint: false};

/** The endpoints and the way of asking them, and the tables in SQL where the build is on this machine. */
export type Asked = {
  readonly endpoints: readonly Endpoint[];
  readonly ask: Ask;
  readonly askSql: AskSql | null;
};

/** Gives a server of the Model Context Protocol whose tools put their questions to the endpoints and the tables. */
export function createMcpServer({endpoints, ask, askSql}: Asked, version: string): McpServer {
  const server = new McpServer({name: "cattle", version}, {instructions});
  for (const tool of tools) {
    const {name, description, path} = tool;
    const endpoint = endpoints.find((each) => each.path === path)!;
    const inputs = {
      inputSchema: helpfulSchema(inputSchema(tool, endpoint)),
      outputSchema: outputSchema(endpoint),
    };
    const said = {title: endpoint.summary, description, ...inputs, annotations};
    server.registerTool(name, said, (given) => answerTool(tool, given, ask));
  }
  if (askSql !== null) {
    const {name, inputSchema: input, ...said} = sqlTool;
    server.registerTool(name, {...said, inputSchema: helpfulSchema(input), annotations}, async (given) => {
      const answer = await askSql(given);
      const {facts, limitations} = answer;
      return {content: textOf(answer), structuredContent: {...facts, limitations}};
    });
  }
  return server;
}

/** Answers one call: a table for the model and the same as JSON; a problem is an error result that says the way on. */
export async function answerTool(tool: Tool, given: Given, ask: Ask): Promise<CallToolResult> {
  // Weeks make a record long: with a history one record is enough unless the agent says otherwise.
  const limit = tool.usualLimit && (given["history"] === undefined ? tool.usualLimit : 1);
  const said = Object.entries({limit, ...given}).filter(([, value]) => value != null);
  // Parameters are texts, as a query string has them.
  const answer = await ask(tool.path, Object.fromEntries(said.map(([name, value]) => [name, String(value)])));
  const description = describeAnswer(tool.path, answer);
  const content = textOf(description);
  return answer.ok ? {content, structuredContent: shortContent(description)} : {isError: true, content};
}

function textOf(answer: Description): CallToolResult["content"] {
  return [{type: "text", text: shortText(answer)}];
}
