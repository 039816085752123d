import type { Arm } from './arm.ts'
import { full, truncate } from './bounds.ts'
import { engineArm, enginesWith, THRESHOLD } from './engines.ts'
import { deepAgentsSummarization, langChainSummarization } from './peers/langchain-summarization.ts'
import { mastraObservations } from './peers/mastra-observations.ts'
import { openClawCompaction, piCompaction } from './peers/pi-compaction.ts'

/** The compactions that hosts bring along, in the versions that are installed. */
export const HOSTS_OWN: readonly Arm[] = [
  langChainSummarization,
  deepAgentsSummarization,
  mastraObservations,
  piCompaction,
  ...(openClawCompaction === undefined ? [] : [openClawCompaction]),
]

/** All that is compared: bounds, our engines, each of which may use the whole budget before it compacts, and peers. */
export const ARMS: readonly Arm[] = [
  full,
  truncate,
  ...enginesWith({ threshold: THRESHOLD }).map(engineArm),
  ...HOSTS_OWN,
]
