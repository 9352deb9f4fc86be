/** Files that lose nothing: written whole, opened with care, checked by lists, locked and leased by processes that may die. */
export {FileFault, isTransient} from "./file-fault.ts";
export {
  blockBytes,
  type Depth,
  digestFile,
  type FileDifference,
  fileDifference,
  filesBelow,
  folderDifferences,
} from "./file-list.ts";
export {
  kindOf,
  NotAFile,
  openForeign,
  readForeign,
  readForeignJson,
  readForeignSync,
} from "./foreign-file.ts";
export {holdLease, readLeases, sweepLeases} from "./leases.ts";
export {isAbandoned, type LockOptions, type Release, readLock, takeLock} from "./lock.ts";
export {makeOwnFolder, privateFolder, setFolderMode, sharedFolder} from "./own-folder.ts";
export {isProvenDead, ownIdentity} from "./process-identity.ts";
export {sweepTemporaryFiles, temporaryName} from "./temporary-files.ts";
export {
  appendPieces,
  copyWhole,
  fillWhole,
  makeWhole,
  type NewFile,
  syncFolder,
  withFilePath,
  writeAll,
  writeNew,
  writeScratch,
  writeWhole,
} from "./whole-file.ts";
