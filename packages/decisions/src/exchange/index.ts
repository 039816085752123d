export { ExchangeError, type ExchangeErrorCode } from './exchange-error.ts'
export { type ExportMeta, exportDecisions } from './json/export-decisions.ts'
export { type ImportedDecisions, type ImportTarget, importDecisions } from './json/import-decisions.ts'
export type { ImportedFile } from './madr/draft-record.ts'
export {
  type FromMadrInput,
  type FromMadrResult,
  fromMadr,
  type KeptFile,
} from './madr/from-madr.ts'
export type { ShelvedRecord } from './madr/link-records.ts'
export { MAX_MADR_CHARACTERS, MAX_MADR_FILES, type MadrFile, readSeal } from './madr/madr-file.ts'
export { type ExistingMadr, type ToMadrOptions, toMadr, type WrittenMadr } from './madr/to-madr.ts'
export type { ExternalMemory, FoundMemory, Memory } from './memory/external-memory.ts'
export { MemoryError, type MemoryErrorCode } from './memory/external-memory.ts'
export { fromMemories, type RecalledMemories } from './memory/from-memories.ts'
export { toMemories } from './memory/to-memories.ts'
