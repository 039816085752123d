import { countMessages } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import { generateConversation } from '../workload/conversation.ts'
import { measureCompress } from './measure-compress.ts'
import { measureEstimate } from './measure-estimate.ts'
import { type FactCounts, measureFacts } from './measure-facts.ts'
import { repetitionsFor } from './repetitions.ts'
import type { SpeedRow } from './speed-row.ts'

export interface SpeedReport {
  readonly node: string
  readonly seed: number
  readonly rows: readonly SpeedRow[]
  readonly facts: readonly FactCounts[]
}

export interface SpeedInput {
  readonly seed: number
  /** Sizes of the conversations, in messages. */
  readonly sizes: readonly number[]
  /** Messages of the rolling conversation with planted facts; 0 leaves it out. */
  readonly factMessages: number
  /** Share of the usual repetitions, for a trial. Default 1. */
  readonly effort?: number
  readonly onStep?: (text: string) => void
}

const NEEDLES = 200
export const PROFILES = ['lean', 'classic'] as const

/** All speed figures, each as a ratio to serialising the same messages in the same run. */
export async function runSpeed({
  seed,
  sizes,
  factMessages,
  effort = 1,
  onStep = () => {},
}: SpeedInput): Promise<SpeedReport> {
  const rows: SpeedRow[] = []
  for (const size of sizes) {
    onStep(`${size} messages`)
    const { messages } = generateConversation({ seed, messages: size })
    const tokens = createTokenCounter()
    countMessages(tokens, messages)
    const often = repetitionsFor(size, effort)
    rows.push(...(await measureEstimate(messages, tokens, often)))
    for (const profile of PROFILES)
      rows.push(...(await measureCompress({ messages, tokens, profile, ...often })))
  }
  const facts: FactCounts[] = []
  if (factMessages > 0) {
    const workload = generateConversation({ seed, messages: factMessages, needles: NEEDLES })
    for (const profile of PROFILES) {
      onStep(`facts over ${factMessages} messages, ${profile}`)
      facts.push(...(await measureFacts(workload, createTokenCounter(), profile)))
    }
  }
  return { node: process.version, seed, rows, facts }
}
