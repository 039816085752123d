export {
  type Compaction,
  type CompactionPlan,
  createCompaction,
  type PlanCall,
  type WriteCall,
  type WrittenSummary,
} from './compaction/create-compaction.ts'
export { isSpoken, ownWords, readInstruction } from './messages/own-words.ts'
export { askForRecord } from './summarizer/ask-for-record.ts'
export { boundMemory } from './summarizer/bound-memory.ts'
export { promptBlock } from './summarizer/escape-tags.ts'
export { type Failure, judgeFailure } from './summarizer/judge-failure.ts'
export { createModelCooldown, type ModelCooldown } from './summarizer/model-cooldown.ts'
export { redactMessage, redactMessages } from './summarizer/redact-message.ts'
export { serializeMessage } from './summarizer/serialize-message.ts'
export { type SummaryPart, summarizeMessages } from './summarizer/summarize-messages.ts'
export { type SummarizedOrKept, summarizeOrKeep } from './summarizer/summarize-or-keep.ts'
export { LENGTH_SLACK, summarizerRoom } from './summarizer/summarizer-room.ts'
export { trimSummary } from './summarizer/trim-summary.ts'
export { withoutThinking } from './summarizer/without-thinking.ts'
