import {type CallToolResult, McpServer} from "@modelcontextprotocol/server";
import type {Ask} from "../http/ask.ts";
import {readAnswer} from "../readable/read-answer.ts";
import {shortMarket, shortParcels} from "./short-json.ts";
import {shortText} from "./short-text.ts";
import {type Tool, tools} from "./tool-table.ts";

const instructions =
  "Reported cattle prices, sale barns, dealers and land parcels, each with source, date, confidence and limitations. " +
  "Cite source and date with every figure, and do not present a price as a current bid.";

/** Gives a server of the Model Context Protocol whose tools put their questions to `ask`. */
export function createMcpServer(ask: Ask, version: string): McpServer {
  const server = new McpServer({name: "cattle", version}, {instructions});
  for (const tool of tools) {
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        inputSchema: tool.input,
        annotations: {readOnlyHint: true, idempotentHint: true, openWorldHint: false},
      },
      (given) => answerTool(tool, given, ask),
    );
  }
  return server;
}

/** Answers one call: a table for the model and the same as JSON; a problem is an error result that says the way on. */
export async function answerTool(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  ask: Ask,
): Promise<CallToolResult> {
  const answer = await ask(tool.path, {...usualOf(tool, given), ...asTexts(given)});
  const readable = readAnswer(tool.path, answer);
  if (!answer.ok) return {isError: true, content: [{type: "text", text: shortText(readable)}]};
  const parsed: unknown = JSON.parse(answer.body);
  if (tool.path.startsWith("/public/")) {
    return {content: [{type: "text", text: shortText(readable)}], structuredContent: shortParcels(parsed)};
  }
  const {short, claims} = shortMarket(parsed);
  return {content: [{type: "text", text: shortText(readable, claims)}], structuredContent: short};
}

/** Weeks make a record long: with a history one record is enough unless the agent says otherwise. */
function usualOf({usual}: Tool, given: Readonly<Record<string, unknown>>): Record<string, string> {
  return given["history"] === undefined ? usual : {...usual, limit: "1"};
}

/** Parameters as a query string has them. */
function asTexts(given: Readonly<Record<string, unknown>>): Record<string, string> {
  const said = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(said.map(([name, value]) => [name, String(value)]));
}
