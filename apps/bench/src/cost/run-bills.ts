import { type CompletionModel, freezeMessage, type TokenCounter } from '@palimpsest/core'
import {
  type CachePricing,
  createBillMeter,
  createLayouter,
  findPricing,
  openaiMessagesWire,
} from '@palimpsest/prompt-caching'
import { type Arm, uncalibrated } from '../arms/arm.ts'
import { type PlaySums, playAll, playArm, sumPlays } from '../arms/play-arm.ts'
import type { ReadSessions, RecordedSession } from '../commands/options.ts'
import type { Progress } from '../progress.ts'
import { type ArmRow, type FiguresOf, type Measures, measurePlays } from '../report/measure.ts'
import { dollars, percent, whole } from '../report/section.ts'
import { createRandom, createVocabulary } from '../workload/vocabulary.ts'
import { USUAL_MODEL } from './measure-placement.ts'
import { exampleTools, requestTimes } from './session-layouts.ts'

type SessionCost = Awaited<ReturnType<typeof billSession>>

const sum = (costs: readonly SessionCost[], of: (cost: SessionCost) => number): number =>
  costs.reduce((total, cost) => total + of(cost), 0)

const part = (of: number, whole: number): number => (whole === 0 ? 0 : of / whole)

const usd = (name: string, definition: string, of: (cost: SessionCost) => number) => ({
  name,
  definition,
  of: (costs: readonly SessionCost[]) => sum(costs, of),
  write: dollars,
})

/** The agent's own output is the same for all arms and in none of the sums. */
export const BILL_MEASURES = {
  promptTokens: {
    name: 'prompt, tokens',
    definition: 'mean of a prompt, tools included',
    of: (costs) =>
      part(
        sum(costs, ({ tokens }) => tokens),
        sum(costs, ({ requests }) => requests),
      ),
    write: whole,
  },
  uncached: usd('no cache', 'all prompts without breakpoints', (cost) => cost.uncached),
  systemAnd3: usd('system_and_3', 'all prompts with these breakpoints', (cost) => cost.systemAnd3),
  sticky: usd('sticky', 'all prompts with these breakpoints', (cost) => cost.sticky),
  readShare: {
    name: 'read from the cache',
    definition: 'part of the tokens that `sticky` reads',
    of: (costs) =>
      part(
        sum(costs, ({ read }) => read),
        sum(costs, ({ tokens }) => tokens),
      ),
    write: percent,
  },
  summaries: usd(
    'summaries',
    'what a model would be paid for writing them and reading what they are of, at full price, although an engine that asks behind a prompt that is cached would read most of it from the cache',
    (cost) => cost.summaries,
  ),
  total: {
    ...usd('total', '`sticky` and summaries', ({ sticky, summaries }) => sticky + summaries),
    better: 'less',
  },
} as const satisfies Measures<readonly SessionCost[]>

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
