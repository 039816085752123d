import { freezeMessage, type TokenCounter, type ToolSchema } from '@palimpsest/core'
import {
  type CachePricing,
  createLayouter,
  EMPTY_CACHE,
  findPricing,
  openaiMessagesWire,
  type PlanRequest,
  planRequest,
  tierFactor,
} from '@palimpsest/prompt-caching'
import { type Arm, uncalibrated } from '../arms/arm.ts'
import { playArm } from '../arms/play-arm.ts'
import type { ReadSessions, RecordedSession } from '../commands/options.ts'
import type { Progress } from '../progress.ts'
import { addCounts } from '../report/section.ts'
import { createSummaryWriter } from '../workload/summary-writer.ts'
import { lowerBound } from './lower-bound.ts'
import { requestTimes } from './request-times.ts'

const USUAL_MODEL = 'claude-sonnet-5-5'

type SessionCost = Awaited<ReturnType<typeof billSession>>

export type BillRow = ReturnType<typeof billRow>

export type BillReport = Awaited<ReturnType<typeof runBills>>

interface BillsInput extends ReadSessions {
  readonly arms: readonly Arm[]
  readonly budgets: readonly number[]
  readonly tokens: TokenCounter
  readonly progress: Progress
}

export async function runBills({ sessions, skipped, ...input }: BillsInput) {
  const profile = findPricing({ model: USUAL_MODEL })
  const tokens = uncalibrated(input.tokens)
  const rows: BillRow[] = []
  for (const budget of input.budgets)
    for (const arm of input.arms) {
      input.progress(`${arm.name} within ${budget} tokens`)
      const costs: SessionCost[] = []
      for (const session of sessions) {
        costs.push(await billSession({ arm, budget, session, tokens, profile }))
      }
      rows.push(billRow(arm, budget, costs))
    }
  return {
    model: profile.model,
    pricesOf: profile.asOf,
    agentTools: tokens.countTools(AGENT_TOOLS),
    rows,
    skipped,
  }
}

export function billRow(
  { name, kind }: Pick<Arm, 'name' | 'kind'>,
  budget: number,
  costs: readonly SessionCost[],
) {
  const sum = (of: (cost: SessionCost) => number) => costs.reduce((total, cost) => total + of(cost), 0)
  const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)
  const tokens = sum((cost) => cost.tokens)
  const requests = sum((cost) => cost.requests)
  const sticky = sum((cost) => cost.sticky)
  const summaries = sum((cost) => cost.summaries)
  const bound = sum((cost) => cost.bound)
  return {
    arm: name,
    kind,
    budget,
    requests,
    compactions: sum(({ compactions }) => compactions),
    overBudget: { count: sum(({ overBudget }) => overBudget), n: requests },
    warnings: addCounts(costs.map(({ warnings }) => warnings)),
    promptTokens: share(tokens, requests),
    uncached: sum((cost) => cost.uncached),
    systemAnd3: sum((cost) => cost.systemAnd3),
    sticky,
    readShare: share(
      sum(({ read }) => read),
      tokens,
    ),
    summaries,
    total: sticky + summaries,
    bound,
    overBound: share(sticky + summaries, bound),
  }
}

/** 12,000 tokens at four characters each. Frozen, so that they are read once. */
const AGENT_TOOLS = Array.from({ length: 12 }, (_, index): ToolSchema => {
  const description = `tool ${index} `.padEnd(4_000, 'lorem ipsum dolor ')
  const parameters = { type: 'object' }
  return freezeMessage({ type: 'function', function: { name: `tool_${index}`, description, parameters } })
})

const WRITER_SEED = 1

interface BillSessionInput {
  readonly arm: Arm
  readonly session: RecordedSession
  readonly budget: number
  readonly tokens: TokenCounter
  readonly profile: CachePricing
}

async function billSession(input: BillSessionInput) {
  const { arm, session, budget, tokens, profile } = input
  const writer = createSummaryWriter(tokens, WRITER_SEED)
  const layouter = createLayouter(openaiMessagesWire('native'), tokens)
  const requests: PlanRequest[] = []
  const times = requestTimes(session.entries)
  const sums = { tokens: 0, read: 0, uncached: 0, sticky: 0, systemAnd3: 0 }
  const states = { sticky: EMPTY_CACHE, system_and_3: EMPTY_CACHE }
  const serve = (request: PlanRequest, strategy: keyof typeof states) => {
    const { bill, state } = planRequest(request, states[strategy], profile, { strategy })
    states[strategy] = state
    return bill
  }
  const play = await playArm(
    { arm, messages: session.messages, sessionId: session.name, budget, tokens, model: writer },
    ({ length, projection: { messages, tools } }) => {
      const layout = layouter.layout({ messages, tools: [...AGENT_TOOLS, ...tools] })
      const request = { layout, at: times.get(length) ?? 0 }
      requests.push(request)
      const { read, usd } = serve(request, 'sticky')
      sums.tokens += layout.tokens
      sums.read += read
      sums.sticky += usd
      sums.systemAnd3 += serve(request, 'system_and_3').usd
      sums.uncached += (layout.tokens * profile.input * tierFactor(layout.tokens, profile)) / 1_000_000
    },
  )
  return {
    ...play,
    ...sums,
    bound: lowerBound(requests, profile),
    summaries: (writer.use.input * profile.input + writer.use.output * profile.output) / 1_000_000,
  }
}
