/** Files read where they lie: mapped, checked block by block as they are read, as Arrow tables and indexes of keys, terms and boxes. */
export {type ArrowTable, openArrowTable} from "./arrow-table.ts";
export {
  type BlockGuard,
  checkEntries,
  DamagedFileError,
  fileBlockSums,
  guardBuffer,
  guardedBytes,
  guardOf,
  guardOpened,
} from "./block-guard.ts";
export {type KeyEntry, type KeyHit, type KeyIndex, openKeyIndex} from "./key-index.ts";
export {type MappingMode, mapFile, mappingMode} from "./mapped-file.ts";
export {nearTerms, type SortedTerms, type TermRange} from "./near-terms.ts";
export {checkRow, rowChecks, rowChecksum} from "./row-checksum.ts";
export {
  type AcceptBox,
  type Box,
  openSpatialIndex,
  type SpatialIndex,
  writeSpatialIndex,
} from "./spatial-index.ts";
export {openTermIndex, type TermIndex} from "./term-index.ts";
export {firstNotBefore, type TextColumn} from "./text-column.ts";
export type {Column, DictionaryColumn} from "./value-columns.ts";
