export { analyzeMessage } from './analyze-message.ts'
export { extractIdentifiers } from './identifiers/extract-identifiers.ts'
export type { Identifier, IdentifierKind } from './identifiers/identifier.ts'
export { type AppendixInput, identifierAppendix } from './identifiers/identifier-appendix.ts'
export { createIdentifierMemory, type IdentifierMemory } from './identifiers/identifier-memory.ts'
export { messageIdentifiers } from './identifiers/message-identifiers.ts'
export type { MessageDigest } from './message-digest.ts'
export {
  PROGRESS_HEADINGS,
  type ProgressHeading,
  SECTION_HEADINGS,
  type SectionHeading,
} from './section-headings.ts'
export { type ExtractiveInput, summarizeExtractively } from './summarize-extractively.ts'
export { ownWords } from './text/prose.ts'
export { callOf, resultStatus } from './tools/result-status.ts'
