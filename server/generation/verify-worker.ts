import {parentPort, workerData} from "node:worker_threads";
import {buildFaults} from "../../lib/storage/build-files.ts";
import {partOfPath} from "../../lib/storage/build-layout.ts";
import {readManifest} from "../../lib/storage/manifest.ts";
import type {VerifyRequest} from "./verify-build.ts";

const {folder, depth, except} = workerData as VerifyRequest;
const only = ({path}: {path: string}) => !except.includes(partOfPath(path) ?? "");
parentPort?.postMessage(await buildFaults(folder, await readManifest(folder), {depth, only}));
