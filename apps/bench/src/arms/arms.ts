import type { Arm } from './arm.ts'
import { full, truncate } from './bounds.ts'
import { engineArm, enginesWith, THRESHOLD } from './engines.ts'
import { deepAgentsSummarization, langChainSummarization } from './peers/langchain-summarization.ts'
import { mastraObservations } from './peers/mastra-observations.ts'
import { piCompaction } from './peers/pi-compaction.ts'

export const HOSTS_OWN: readonly Arm[] = [
  langChainSummarization,
  deepAgentsSummarization,
  mastraObservations,
  piCompaction,
]

export const ARMS: readonly Arm[] = [
  full,
  truncate,
  ...enginesWith({ threshold: THRESHOLD }).map(engineArm),
  ...HOSTS_OWN,
]
