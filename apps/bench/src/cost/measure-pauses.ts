import { freezeMessage, type TokenCounter } from '@palimpsest/core'
import {
  type CachePricing,
  createLayouter,
  findPricing,
  lowerBound,
  openaiMessagesWire,
  type PlanOptions,
  type PlanRequest,
  simulateStrategy,
} from '@palimpsest/prompt-caching'
import { uncalibrated } from '../arms/arm.ts'
import { full } from '../arms/bounds.ts'
import { engineArm, enginesWith, THRESHOLD } from '../arms/engines.ts'
import { playArm } from '../arms/play-arm.ts'
import type { RecordedSession } from '../commands/options.ts'
import { decimal, left, right, type Section, tableOf, whole } from '../report/section.ts'
import { createSummaryWriter } from '../workload/summary-writer.ts'
import { createRandom } from '../workload/vocabulary.ts'
import { COST_MODELS } from './measure-placement.ts'
import { exampleTools, generatedSession, RULES, requestTimes } from './session-layouts.ts'

/** One session, or the sum of several: US dollars with each lifetime, with and without pings. */
export type PausesRow = ReturnType<typeof priceSession>

/** A session's requests, by an arm or with made-up pauses. */
interface PausedSession {
  readonly group: string
  readonly name: string
  readonly requests: readonly PlanRequest[]
}

/** More than the pings of any session cost, in US dollars. */
const KEEP_ALIVE = { budgetUsd: 1000 }

const SUM = 'all'

/** Each session after the others of its group, whose pauses are known; the sum of a group behind its sessions. */
export function measurePauses(sessions: readonly PausedSession[]): PausesRow[] {
  return COST_MODELS.flatMap((model) =>
    [...Map.groupBy(sessions, ({ group }) => group).values()].flatMap((group) => {
      const pricing = findPricing({ model })
      const states = group.map(({ requests }) => simulateStrategy(requests, pricing).state)
      const rows = group.map((session, index) =>
        priceSession(session, pricing, { earlier: states.filter((_, other) => other !== index) }),
      )
      const isRecorded = rows.some(({ name }) => name !== '')
      return [...(isRecorded ? rows : []), ...sumOf(rows)]
    }),
  )
}

function priceSession({ group, name, requests }: PausedSession, pricing: CachePricing, known: PlanOptions) {
  const usd = (options: PlanOptions) => simulateStrategy(requests, pricing, options).total.usd
  const shortMs = pricing.short.seconds * 1000
  return {
    group,
    name,
    model: pricing.model,
    requests: requests.length,
    longPauses: requests.filter(({ at }, index) => at - (requests[index - 1]?.at ?? at) > shortMs).length,
    short: usd({}),
    long: usd({ ttl: '1h' }),
    auto: usd({ ttl: 'auto', ...known }),
    /** Without the sessions before. */
    untaught: usd({ ttl: 'auto' }),
    pings: usd({ ttl: 'auto', keepAlive: KEEP_ALIVE, ...known }),
    /** The least with knowledge of the future, without pings and with them. */
    bound: lowerBound(requests, pricing, { pings: false }),
    pingedBound: lowerBound(requests, pricing),
  }
}

function sumOf(rows: readonly PausesRow[]): PausesRow[] {
  return rows.slice(0, 1).map((first) => {
    const sums = Object.entries(first).map(([key, value]) => {
      const sum = (total: number, row: PausesRow) => total + Number(row[key as keyof PausesRow])
      return [key, typeof value === 'number' ? rows.reduce(sum, 0) : value]
    })
    return { ...Object.fromEntries(sums), name: SUM }
  })
}

/** Tokens of messages that an engine's prompts may have. */
const ENGINE_BUDGET = 16_000

/** The recorded requests with the agent's tools: the whole history, and what `lcm` shows of it. */
export async function recordedPauses(
  sessions: readonly RecordedSession[],
  counter: TokenCounter,
): Promise<PausedSession[]> {
  const tokens = uncalibrated(counter)
  const lcm = enginesWith({ threshold: THRESHOLD })
    .filter(({ name }) => name === 'lcm')
    .map(engineArm)
  const tools = exampleTools().map(freezeMessage)
  const played: PausedSession[] = []
  for (const arm of [full, ...lcm])
    for (const { name, messages, entries } of sessions) {
      const times = requestTimes(entries)
      const layouter = createLayouter(openaiMessagesWire('native'), tokens, RULES)
      const requests: PlanRequest[] = []
      const model = createSummaryWriter(tokens, 1)
      await playArm(
        { arm, messages, sessionId: name, budget: ENGINE_BUDGET, tokens, model },
        ({ length, projection }) => {
          const layout = layouter.layout({
            messages: projection.messages,
            tools: [...tools, ...projection.tools],
          })
          requests.push({ layout, at: times.get(length) ?? 0 })
        },
      )
      played.push({ group: arm.name, name, requests })
    }
  return played
}

const SECOND = 1000
const MINUTE = 60 * SECOND

/** Milliseconds before the request of this number; null is an agent at work. Chances are from 0 to 1. */
type Pattern = (index: number, chance: () => number) => number | null

const PATTERNS: Readonly<Record<string, Pattern>> = {
  'an agent at work': () => null,
  '4 minutes, each': () => 4 * MINUTE,
  '6 minutes, each': () => 6 * MINUTE,
  'bursts of 20, 6 to 15 minutes': (index, chance) =>
    index % 20 === 19 ? (6 + 9 * chance()) * MINUTE : null,
  'short pauses, and lunch': (index, chance) =>
    index % 50 === 30 ? (35 + 40 * chance()) * MINUTE : shortPause(chance),
  'short pauses, and nights': (index, chance) => (index % 50 === 49 ? 15 * 60 * MINUTE : shortPause(chance)),
  '5 to 60 minutes, one in 20': (_, chance) => (chance() < 0.05 ? (5 + 55 * chance()) * MINUTE : null),
}

const shortPause = (chance: () => number) => (chance() < 0.03 ? (5 + 8 * chance()) * MINUTE : null)

/** Generated sessions of different lengths with made-up pauses. */
export function patternPauses(seed: number, lengths: readonly number[]): PausedSession[] {
  const generated = lengths.map((messages, index) => generatedSession(seed + index, messages).layouts)
  return Object.entries(PATTERNS).flatMap(([group, pattern]) =>
    generated.map((layouts, session): PausedSession => {
      const random = createRandom(seed * 1000 + session)
      const chance = () => random.next()
      let at = 0
      const requests = layouts.map((layout, index) => {
        at += pattern(index, chance) ?? (5 + 40 * chance()) * SECOND
        return { layout, at }
      })
      return { group, name: '', requests }
    }),
  )
}

export function pausesSection(rows: readonly PausesRow[]): Section {
  const ratio = (usd: number, bound: number) => decimal(usd / bound, 3)
  return {
    level: 3,
    title: 'Lifetimes and pings with pauses',
    text:
      'The cost of the prompts, over the least that they can cost with knowledge of every pause, of every change and of the end: ' +
      'without pings for the first four columns, with pings for the last. ' +
      '`auto` and pings know the pauses of the other sessions of their group, and none of their own that is to come; `auto alone` knows none. ' +
      'Pings behind the last request are paid for until the planner stops them. ' +
      `\`full\` is the whole history and \`lcm\` within ${whole(ENGINE_BUDGET)} tokens, at the recorded times; ` +
      'the others are generated sessions with made-up pauses. A pause is long from five minutes on.',
    table: tableOf(rows, [
      left('requests of', ({ group }) => group),
      left('session', ({ name }) => name),
      left('prices of', ({ model }) => model),
      right('requests', ({ requests }) => whole(requests)),
      right('long pauses', ({ longPauses }) => whole(longPauses)),
      right('5m', ({ short, bound }) => ratio(short, bound)),
      right('1h', ({ long, bound }) => ratio(long, bound)),
      right('auto alone', ({ untaught, bound }) => ratio(untaught, bound)),
      right('auto', ({ auto, bound }) => ratio(auto, bound)),
      right('auto and pings', ({ pings, pingedBound }) => ratio(pings, pingedBound)),
    ]),
  }
}
