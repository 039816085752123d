import type { Arm } from './arm.ts'
import { full, truncate } from './bounds.ts'
import { engineArm, THRESHOLD } from './engine-arm.ts'
import { enginesWith } from './engines.ts'
import { aiSdkPrune } from './peers/ai-sdk-prune.ts'
import { deepAgentsSummarization } from './peers/deepagents-summarization.ts'
import { langChainClearTools } from './peers/langchain-clear-tools.ts'
import { langChainSummarization } from './peers/langchain-summarization.ts'
import { langChainTrim } from './peers/langchain-trim.ts'
import { mastraObservations } from './peers/mastra-observations.ts'
import { openClawCompaction } from './peers/openclaw-compaction.ts'
import { piCompaction } from './peers/pi-compaction.ts'

/** The compactions that hosts bring along, in the versions that are installed. */
export const HOSTS_OWN: readonly Arm[] = [
  langChainSummarization,
  deepAgentsSummarization,
  mastraObservations,
  piCompaction,
  ...(openClawCompaction === undefined ? [] : [openClawCompaction]),
]

export const PEERS: readonly Arm[] = [langChainTrim, langChainClearTools, aiSdkPrune, ...HOSTS_OWN]

/** All that is compared: bounds, our engines, each of which may use the whole budget before it compacts, and peers. */
export const ARMS: readonly Arm[] = [
  full,
  truncate,
  ...enginesWith({ threshold: THRESHOLD }).map(engineArm),
  ...PEERS,
]
