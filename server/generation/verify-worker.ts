import {parentPort, workerData} from "node:worker_threads";
import {messageOf} from "../../lib/errors.ts";
import {buildFaults} from "../../lib/storage/build-files.ts";
import {partOfPath} from "../../lib/storage/build-layout.ts";
import {readManifest} from "../../lib/storage/manifest.ts";
import {isPassing} from "../../lib/storage/passing-fault.ts";
import type {VerifyReply, VerifyRequest} from "./verify-build.ts";

async function reply({folder, depth, except}: VerifyRequest): Promise<VerifyReply> {
  const only = ({path}: {path: string}) => !except.includes(partOfPath(path) ?? "");
  try {
    return {faults: await buildFaults(folder, await readManifest(folder), {depth, only})};
  } catch (error) {
    return {reason: messageOf(error), mayPass: isPassing(error)};
  }
}

parentPort?.postMessage(await reply(workerData as VerifyRequest));
