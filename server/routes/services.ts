import {dataFolder} from "../../lib/storage/data-folder.ts";
import type {ServerParts} from "../commands/start.ts";
import {fileService} from "../files/file-service.ts";
import type {MakeServices} from "../http/service.ts";
import {mcpService} from "../mcp/mcp-service.ts";
import {pageServices} from "../pages/page-service.ts";

/** What a running server has beside the endpoints. */
export function serverServices({settings, log}: ServerParts): MakeServices {
  const data = dataFolder(settings.CATTLE_DATA);
  return (parts) => [
    ...(settings.CATTLE_DOCS ? pageServices() : []),
    mcpService(parts, {settings, log}),
    ...(settings.CATTLE_FILES ? [fileService(data, parts.generation)] : []),
  ];
}
