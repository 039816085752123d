export { isRecordedUser } from './assemble.ts'
export {
  listOpencodeSessions,
  type OpencodeSession,
  opencodeHolds,
  opencodeMessageId,
} from './opencode/opencode-database.ts'
export { createPiBranchReader } from './pi/pi-branch.ts'
export { fromPiMessage, toPiMessage } from './pi/pi-messages.ts'
export { DEFAULT_MAX_LINE_BYTES, type ReadTranscriptOptions, readTranscript } from './read-transcript.ts'
export type * from './transcript.ts'
export { TranscriptError, type TranscriptErrorCode } from './transcript-error.ts'
export { piUsage } from './usage.ts'
