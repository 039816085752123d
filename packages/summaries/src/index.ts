export { joinedLength, recordLength, recordsBudget } from './budget.ts'
export {
  type Compaction,
  type CompactionPlan,
  createCompaction,
  type PlanCall,
  type WriteCall,
  type WrittenSummary,
} from './create-compaction.ts'
export {
  createModelCooldown,
  type Failure,
  failureWarning,
  judgeFailure,
  type ModelCooldown,
} from './failures.ts'
export {
  addToFrame,
  EMPTY_FRAME,
  type FrameRoom,
  joinFrames,
  readFrame,
  renderFrame,
  type SummaryFrame,
  withRecord,
} from './frame.ts'
export { readMaterial } from './material.ts'
export { type LostInput, quoteLost } from './quote-lost.ts'
export { isWork, type Section, TALK_SECTIONS, WORK_SECTIONS } from './sections.ts'
export { type SummarizeInput, summarize } from './summarize.ts'
export { clip, cutMiddle, oneLine } from './text.ts'
export { withoutThinking } from './without-thinking.ts'
export { type WriteSummaryInput, writeSummary } from './write-summary.ts'
