import {type CallToolResult, McpServer} from "@modelcontextprotocol/server";
import type {Ask} from "../http/ask.ts";
import {describeAnswer} from "../text/describe-answer.ts";
import {shortContent, shortText} from "./short-text.ts";
import {inputSchema, type Tool, tools} from "./tool-table.ts";

const instructions =
  "Reported cattle prices, sale barns, dealers and land parcels, each with source, date, confidence and limitations. " +
  "Cite source and date with every figure, and do not present a price as a current bid.";

/** What an agent says, by parameter. */
type Given = Readonly<Record<string, unknown>>;

/** Gives a server of the Model Context Protocol whose tools put their questions to `ask`. */
export function createMcpServer(ask: Ask, version: string): McpServer {
  const server = new McpServer({name: "cattle", version}, {instructions});
  for (const tool of tools) {
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        inputSchema: inputSchema(tool),
        annotations: {readOnlyHint: true, idempotentHint: true, openWorldHint: false},
      },
      (given) => answerTool(tool, given, ask),
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
