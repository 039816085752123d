import { type CompletionModel, freezeMessage, type TokenCounter } from '@palimpsest/core'
import {
  type CachePricing,
  createBillMeter,
  createLayouter,
  findPricing,
  openaiMessagesWire,
} from '@palimpsest/prompt-caching'
import about from '../../data/measures.json' with { type: 'json' }
import { type Arm, uncalibrated } from '../arms/arm.ts'
import { type PlaySums, playAll, playArm, sumPlays } from '../arms/play-arm.ts'
import type { ReadSessions, RecordedSession } from '../commands/options.ts'
import type { Progress } from '../progress.ts'
import { type ArmRow, type FiguresOf, measurePlays, named } from '../report/measure.ts'
import { createRandom, createVocabulary } from '../workload/vocabulary.ts'
import { USUAL_MODEL } from './measure-placement.ts'
import { exampleTools, requestTimes } from './session-layouts.ts'

type SessionCost = Awaited<ReturnType<typeof billSession>>

const sum = (of: (cost: SessionCost) => number) => (costs: readonly SessionCost[]) =>
  costs.reduce((total, cost) => total + of(cost), 0)

const tokens = sum((cost) => cost.tokens)
const part = (of: typeof tokens, whole: typeof tokens) => (costs: readonly SessionCost[]) =>
  whole(costs) === 0 ? 0 : of(costs) / whole(costs)

/** The agent's own output is the same for all arms and in none of the sums. */
export const BILL_MEASURES = named(about.bills, {
  promptTokens: part(
    tokens,
    sum(({ requests }) => requests),
  ),
  uncached: sum(({ uncached }) => uncached),
  systemAnd3: sum(({ systemAnd3 }) => systemAnd3),
  sticky: sum(({ sticky }) => sticky),
  readShare: part(
    sum(({ read }) => read),
    tokens,
  ),
  summaries: sum(({ summaries }) => summaries),
  total: sum(({ sticky, summaries }) => sticky + summaries),
})

export interface BillRow extends ArmRow, PlaySums, FiguresOf<typeof BILL_MEASURES> {}

/** Costs of every arm on the same sessions, in US dollars; the same in every run. */
export type BillReport = Awaited<ReturnType<typeof runBills>>

interface BillsInput extends ReadSessions {
  readonly arms: readonly Arm[]
  readonly budgets: readonly number[]
  readonly tokens: TokenCounter
  readonly progress: Progress
}

/** Plays every session with every arm at every budget, and prices prompts and summaries. One model's prices for all. */
export async function runBills({ sessions, skipped, ...input }: BillsInput) {
  const profile = findPricing({ model: USUAL_MODEL })
  const tokens = uncalibrated(input.tokens)
  const rows = await playAll(
    { ...input, talks: sessions },
    (arm, budget, session) => billSession({ arm, budget, session, tokens, profile }),
    (arm, budget, costs): BillRow[] => [billRow(arm, budget, costs)],
  )
  return {
    model: profile.model,
    pricesOf: profile.asOf,
    /** Tokens of the agent's tools, which stand in every prompt beside the arm's own. */
    agentTools: tokens.countTools(AGENT_TOOLS),
    rows,
    skipped,
  }
}

export function billRow(
  { name, kind }: Pick<Arm, 'name' | 'kind'>,
  budget: number,
  costs: readonly SessionCost[],
): BillRow {
  return { arm: name, kind, budget, ...sumPlays(costs), ...measurePlays(BILL_MEASURES, costs) }
}

/** Tools of the agent, in every prompt: 12,000 tokens at four characters each. Frozen, so that they are read once. */
const AGENT_TOOLS = exampleTools().map(freezeMessage)

/** The same summaries for everybody who asks for the same. */
const WRITER_SEED = 1

interface BillSessionInput {
  readonly arm: Arm
  readonly session: RecordedSession
  readonly budget: number
  readonly tokens: TokenCounter
  readonly profile: CachePricing
}

/** Each prompt has the agent's tools and the arm's own. The cache holds nothing when the session begins. */
async function billSession(input: BillSessionInput) {
  const { arm, session, budget, tokens, profile } = input
  const writer = createSummaryWriter(tokens, WRITER_SEED)
  const layouter = createLayouter(openaiMessagesWire('native'), tokens, profile)
  const meter = createBillMeter(profile)
  const times = requestTimes(session.entries)
  let read = 0
  const play = await playArm(
    { arm, messages: session.messages, sessionId: session.name, budget, tokens, model: writer },
    ({ length, projection: { messages, tools } }) => {
      const layout = layouter.layout({ messages, tools: [...AGENT_TOOLS, ...tools] })
      read += meter.add({ layout, at: times.get(length) ?? 0 }).read
    },
  )
  const { tokens: sent, sticky, systemAnd3, uncached } = meter.bill
  const summaries = callsUsd(writer.use, profile)
  return { ...play, tokens: sent, read, sticky, systemAnd3, uncached, summaries }
}

type ModelUse = { readonly calls: number; readonly input: number; readonly output: number }

/**
 * A model that writes summaries as long as it is asked for, none like another, and counts what it reads and writes. Asked for
 * decisions it finds none, so that rules alone decide.
 */
interface SummaryWriter extends CompletionModel {
  readonly use: ModelUse
}

/** The length that an engine asks for, in words that hardly end a conversation. */
const LENGTH = /(?:Aim at no more than|Use \d+ to) (\d+) tokens/g
/** For prompts that do not say how long a summary may be, such as those of peers. Assumed; in tokens. */
const UNASKED = 1000
const USED = 0.8
const TOKENS_OF_WORD = 1.45

export function createSummaryWriter(tokens: TokenCounter, seed: number): SummaryWriter {
  const vocabulary = createVocabulary(createRandom(seed), 4000)
  const use = { calls: 0, input: 0, output: 0 }
  return {
    name: 'writer',
    use,
    async complete({ system = '', prompt }) {
      const words = Math.ceil((askedLength(prompt) * USED) / TOKENS_OF_WORD)
      const text = system.includes('JSON')
        ? '{"candidates": [], "verdicts": []}'
        : `## Progress\n${vocabulary.words(words)}`
      use.calls++
      use.input += tokens.countText(system) + tokens.countText(prompt)
      use.output += tokens.countText(text)
      return { text, finishReason: 'stop' }
    },
  }
}

function askedLength(prompt: string): number {
  return Number([...prompt.slice(-3000).matchAll(LENGTH)].at(-1)?.[1] ?? UNASKED)
}

/** The cost of calls without a cache, in US dollars. */
function callsUsd(use: ModelUse, { input, output }: CachePricing): number {
  return (use.input * input + use.output * output) / 1_000_000
}
