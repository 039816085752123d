export { isRecordedUser } from './assemble.ts'
export {
  agentMessageId,
  agentSessionHolds,
  type DatabasePlace,
  databasePlace,
  listAgentSessions,
  type StoredAgentSession,
} from './databases/session-database.ts'
export { fromPiMessage, toPiMessage } from './pi/pi-messages.ts'
export { createPiBranchReader } from './pi/pi-reader.ts'
export { readHead } from './read-lines.ts'
export { type ReadTranscriptOptions, readSessionLines, readTranscript } from './read-transcript.ts'
export { KNOWN_FORMATS } from './session-intake.ts'
export type * from './transcript.ts'
export { TranscriptError, type TranscriptErrorCode } from './transcript.ts'
export { piUsage } from './usage.ts'
