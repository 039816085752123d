import type { Arm } from './arm.ts'
import { aiSdkPrune } from './peers/ai-sdk-prune.ts'
import { langChainClearTools } from './peers/langchain-clear-tools.ts'
import { langChainSummarization } from './peers/langchain-summarization.ts'
import { langChainTrim } from './peers/langchain-trim.ts'

/** Packages of others that decide the same thing, run as their guides say. */
export const PEERS: readonly Arm[] = [langChainTrim, langChainSummarization, langChainClearTools, aiSdkPrune]
