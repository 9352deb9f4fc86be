import {type CallToolResult, McpServer} from "@modelcontextprotocol/server";
import type {Ask} from "../http/direct-answer.ts";
import type {Endpoint} from "../http/endpoint.ts";
import {describeAnswer} from "../text/describe-answer.ts";
import {helpfulSchema} from "./arguments.ts";
import {shortContent, shortText} from "./short-text.ts";
import type {AskSql} from "./sql-question.ts";
import {answerSql, sqlTool} from "./sql-tool.ts";
import {outputSchema} from "./tool-output.ts";
import {inputSchema, type Tool, tools} from "./tool-table.ts";

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
    const {name, title, description, path} = tool;
    const input = helpfulSchema(inputSchema(tool, endpoints));
    server.registerTool(
      name,
      {title, description, inputSchema: input, outputSchema: outputSchema(path), annotations},
      (given) => answerTool(tool, given, ask),
    );
  }
  if (askSql !== null) {
    const {name, input, output, ...said} = sqlTool;
    server.registerTool(
      name,
      {...said, inputSchema: helpfulSchema(input), outputSchema: output, annotations},
      (given) => answerSql(given, askSql),
    );
  }
  return server;
}

/** Answers one call: a table for the model and the same as JSON; a problem is an error result that says the way on. */
export async function answerTool(tool: Tool, given: Given, ask: Ask): Promise<CallToolResult> {
  const answer = await ask(tool.path, {...usualOf(tool, given), ...asTexts(given)});
  const description = describeAnswer(tool.path, answer);
  const content: CallToolResult["content"] = [{type: "text", text: shortText(description)}];
  return answer.ok ? {content, structuredContent: shortContent(description)} : {isError: true, content};
}

/** Weeks make a record long: with a history one record is enough unless the agent says otherwise. */
function usualOf({usualLimit}: Tool, given: Given): Record<string, string> {
  if (usualLimit === undefined) return {};
  return {limit: given["history"] === undefined ? `${usualLimit}` : "1"};
}

/** Parameters as a query string has them. */
function asTexts(given: Given): Record<string, string> {
  const said = Object.entries(given).filter(([, value]) => value != null);
  return Object.fromEntries(said.map(([name, value]) => [name, String(value)]));
}
