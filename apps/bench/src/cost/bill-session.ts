import { countMessages, freezeMessage, type TokenCounter } from '@palimpsest/core'
import {
  type CachePricing,
  createBillMeter,
  createLayouter,
  openaiMessagesWire,
} from '@palimpsest/prompt-caching'
import type { Arm } from '../arms/arm.ts'
import { uncalibrated } from '../arms/uncalibrated.ts'
import type { RecordedSession } from '../sessions/recorded-session.ts'
import { callsUsd } from './calls-usd.ts'
import { requestTimes } from './request-times.ts'
import { exampleTools } from './session-layouts.ts'
import { createSummaryWriter } from './summary-writer.ts'

export interface BillSessionInput {
  readonly arm: Arm
  readonly session: RecordedSession
  /** Tokens that the messages of a prompt may take. */
  readonly budget: number
  readonly tokens: TokenCounter
  /** Whose prices prompts and summaries have. */
  readonly profile: CachePricing
}

/** What one arm sends and pays in one session. Everything in it can be summed over sessions. */
export interface SessionCost {
  readonly requests: number
  /** Requests for which the arm compacted. */
  readonly compactions: number
  /** Requests whose messages took more than the budget. */
  readonly overBudget: number
  /** Tokens of all prompts, tools included, and what of them `sticky` read from the cache. */
  readonly tokens: number
  readonly read: number
  /** All prompts, in US dollars. */
  readonly sticky: number
  readonly systemAnd3: number
  readonly uncached: number
  /** What the arm's model read and wrote, in US dollars. */
  readonly summaries: number
  /** How often the arm warned, by code. */
  readonly warnings: Readonly<Record<string, number>>
}

/** Tools of the agent, in every prompt: 12,000 tokens at four characters each. Frozen, so that they are read once. */
export const AGENT_TOOLS = exampleTools().map(freezeMessage)

/** The same summaries for everybody who asks for the same. */
const WRITER_SEED = 1

/**
 * Plays a recorded session with an arm: a request before each of the assistant's messages, as the recorded host made one,
 * with what the arm shows, the agent's tools and the arm's own. The cache holds nothing when the session begins.
 */
export async function billSession(input: BillSessionInput): Promise<SessionCost> {
  const { arm, session, budget, profile } = input
  const tokens = uncalibrated(input.tokens)
  const writer = createSummaryWriter(tokens, WRITER_SEED)
  const opened = await arm.open({ sessionId: session.name, budget, tokens, model: writer })
  const layouter = createLayouter(openaiMessagesWire('native'), tokens, profile)
  const meter = createBillMeter(profile)
  const times = requestTimes(session.entries)
  const warned: Record<string, number> = {}
  let compactions = 0
  let overBudget = 0
  let read = 0
  for (const [index, message] of session.messages.entries()) {
    const at = times.get(index)
    if (message.role !== 'assistant' || at === undefined) continue
    const { messages, tools, compacted, warnings } = await opened.project(session.messages.slice(0, index))
    const layout = layouter.layout({ messages, tools: [...AGENT_TOOLS, ...tools] })
    read += meter.add({ layout, at }).read
    for (const code of warnings) warned[code] = (warned[code] ?? 0) + 1
    if (compacted) compactions++
    if (countMessages(tokens, messages) > budget) overBudget++
    await opened.answered(message)
  }
  await opened.end()
  const { requests, tokens: sent, sticky, systemAnd3, uncached } = meter.bill
  const summaries = callsUsd(writer.summaries, profile) + callsUsd(writer.rest, profile)
  const usd = { sticky, systemAnd3, uncached, summaries }
  return { requests, compactions, overBudget, tokens: sent, read, ...usd, warnings: warned }
}
