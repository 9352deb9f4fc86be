import {parentPort, workerData} from "node:worker_threads";
import {messageOf} from "../../lib/errors.ts";
import {buildFaults} from "../../lib/storage/build-files.ts";
import {readManifest} from "../../lib/storage/manifest.ts";
import {isPassing} from "../../lib/storage/passing-fault.ts";
import type {VerifyReply, VerifyRequest} from "./verify-build.ts";

async function reply({folder, depth, except}: VerifyRequest): Promise<VerifyReply> {
  const only = ({path}: {path: string}) => !except.some((prefix) => path.startsWith(`${prefix}/`));
  try {
    return {faults: await buildFaults(folder, await readManifest(folder), {depth, only})};
  } catch (error) {
    return {reason: messageOf(error), mayPass: isPassing(error)};
  }
}

parentPort?.postMessage(await reply(workerData as VerifyRequest));
