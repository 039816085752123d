export { recordsBudget } from './budget.ts'
export {
  type Compaction,
  type CompactionPlan,
  createCompaction,
  type PlanCall,
  type WriteCall,
  type WrittenSummary,
} from './create-compaction.ts'
export { changedFiles, type FileState, type FileStates } from './files.ts'
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
export { type Failure, judgeFailure } from './judge-failure.ts'
export { readMaterial } from './material.ts'
export { createModelCooldown, type ModelCooldown } from './model-cooldown.ts'
export { type LostInput, quoteLost } from './quote-lost.ts'
export { rulesIn } from './rules.ts'
export { isWork, type Section, TALK_SECTIONS, WORK_SECTIONS } from './sections.ts'
export { type SummarizeInput, summarize, summarizerRoom } from './summarize.ts'
export { failureWarning, type SummarizedOrKept, summarizeOrKeep } from './summarize-or-keep.ts'
export { clip, cutMiddle, oneLine } from './text.ts'
export { type FileOperation, type FileTouch, fileTouches } from './tools/file-touches.ts'
export { callLabel } from './tools/tool-call.ts'
export { resultStatus } from './tools/tool-outcome.ts'
export { withoutThinking } from './without-thinking.ts'
export { type WriteSummaryInput, writeSummary } from './write-summary.ts'
