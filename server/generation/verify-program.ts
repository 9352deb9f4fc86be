import {constants, setPriority} from "node:os";
import {isTransient} from "@open-cattle/safe-files";
import {messageOf} from "../../lib/errors.ts";
import {partOfPath} from "../../lib/storage/build-layout.ts";
import {readManifest, servedFaults} from "../../lib/storage/manifest-file.ts";
import {dieWithParent} from "../../lib/system/own-child.ts";
import type {VerifyReply, VerifyRequest} from "./verify-build.ts";

// Entry point of the process that checks a build for the server. It lives until the server has the reply and closes the channel.

dieWithParent();
process.send?.(await reply(JSON.parse(process.argv[2] ?? "")));

async function reply({folder, depth, except, background}: VerifyRequest): Promise<VerifyReply> {
  if (background) setPriority(constants.priority.PRIORITY_LOW);
  const only = ({path}: {path: string}) => !except.includes(partOfPath(path) ?? "");
  try {
    return {faults: await servedFaults(folder, await readManifest(folder), {depth, only})};
  } catch (error) {
    return {reason: messageOf(error), mayPass: isTransient(error)};
  }
}
