import { describe, expect, it } from 'vitest'
import type {
  CachePlanner,
  CompactionForecast,
  CompactionQuote,
  CompactionVerdict,
  CompressCall,
} from '../../src/index.ts'
import { compactedResult, roughTokenCounter } from '../../src/index.ts'
import { open } from './doubles.ts'
import { assistant, system, user } from './talk.ts'

const WINDOW = 2_000
const THRESHOLD = 1_000

function quote(verdict: CompactionVerdict, isWarm: boolean): CompactionQuote {
  return { verdict, isWarm, oneTimeUsd: 1, perRequestUsd: 1, breakEven: 1 }
}

function planner(answer: () => CompactionQuote): { cache: CachePlanner; asked: CompactionForecast[] } {
  const asked: CompactionForecast[] = []
  const expected = { read: 0, write5m: 0, write1h: 0, uncached: 0, usd: 0 }
  const cache: CachePlanner = {
    plan: () => ({ anchors: [], expected, repairs: [] }),
    observe: () => ({ verdict: 'unknown', expectedRead: 0, read: null, message: '' }),
    quoteCompaction(forecast) {
      asked.push(forecast)
      return answer()
    },
    reset: () => {},
  }
  return { cache, asked }
}

/** About `tokens` tokens of finished turns, by the rough counter. */
function talk(tokens: number) {
  const turns = Array.from({ length: Math.ceil(tokens / 100) }, () => [
    user('u'.repeat(200)),
    assistant('a'.repeat(200)),
  ]).flat()
  return [system('s'), ...turns, user('and now?')]
}

const engine = {
  thresholdTokens: THRESHOLD,
  shouldCompress: ({ promptTokens = 0 } = {}) => promptTokens >= THRESHOLD,
}

describe('a compaction that may wait', () => {
  it('waits for a pause while the provider holds the prompt', async () => {
    const { cache, asked } = planner(() => quote('at-next-pause', true))
    const { session, events } = open(engine, { cache, compactAt: 'cheapest', contextLength: WINDOW })
    const host = talk(1_100)
    const prepared = await session.prepare(host)
    expect(prepared.compactions).toEqual([])
    expect(prepared.messages).toHaveLength(host.length)
    expect(events.filter(({ type }) => type === 'deferred')).toHaveLength(1)
    const [forecast] = asked
    const { keptTokens = 0, replacedTokens = 0, tailTokens = 0 } = forecast ?? {}
    expect(keptTokens + replacedTokens + tailTokens).toBe(prepared.tokens)
  })

  it.each(['now', 'not-for-money'] as const)('is done at once when the money says %s', async (verdict) => {
    const { cache } = planner(() => quote(verdict, true))
    const { session } = open(engine, { cache, compactAt: 'cheapest', contextLength: WINDOW })
    expect((await session.prepare(talk(1_100))).compactions).toHaveLength(1)
  })

  it('never waits at the limit of the window', async () => {
    const { cache } = planner(() => quote('at-next-pause', true))
    const { session, events } = open(engine, { cache, compactAt: 'cheapest', contextLength: WINDOW })
    const { compactions } = await session.prepare(talk(1_800))
    expect(compactions.length).toBeGreaterThan(0)
    expect(events.find((event) => event.type === 'compaction')).toMatchObject({ trigger: 'hygiene' })
  })

  it('never waits near the limit of what a prompt may have', async () => {
    const { cache, asked } = planner(() => quote('at-next-pause', true))
    const options = { cache, compactAt: 'cheapest', contextLength: 200_000, maxOutputTokens: 64_000 } as const
    const due = {
      thresholdTokens: 100_000,
      shouldCompress: ({ promptTokens = 0 } = {}) => promptTokens >= 100_000,
    }
    const { session, events } = open(due, options)
    const deferred = () => events.filter(({ type }) => type === 'deferred').length
    // 85 % of 136,000 are 115,600.
    expect((await session.prepare(talk(100_000))).compactions).toEqual([])
    expect(deferred()).toBe(1)
    const { compactions } = await session.prepare(talk(108_000))
    expect(compactions).toHaveLength(1)
    expect(deferred()).toBe(1)
    expect(asked).toHaveLength(1)
  })

  it('has no price when the engine never compacts by itself', async () => {
    const { cache, asked } = planner(() => quote('now', false))
    const never = { thresholdTokens: WINDOW, shouldCompress: () => false }
    const { session } = open(never, { cache, compactAt: 'cheapest', contextLength: WINDOW })
    expect((await session.prepare(talk(1_450))).compactions).toEqual([])
    expect(asked).toEqual([])
  })

  it('is not asked about again for a compaction that was begun', async () => {
    const answers = [quote('now', true), quote('at-next-pause', true)]
    const { cache, asked } = planner(() => answers.shift() ?? quote('at-next-pause', true))
    let compacted = 0
    const twice = {
      ...engine,
      thresholdTokens: 100,
      shouldCompress: () => compacted < 2,
      compress: async (call: CompressCall) => {
        compacted++
        const [first, ...rest] = call.messages
        const after = [...(first ? [first] : []), ...rest.slice(Math.floor(rest.length / 4) * 2)]
        return compactedResult({ before: call.messages, after, tokens: roughTokenCounter, reason: 'halved' })
      },
    }
    const { session, events } = open(twice, { cache, compactAt: 'cheapest', contextLength: WINDOW })
    const { compactions } = await session.prepare(talk(1_100))
    expect(compactions).toHaveLength(2)
    expect(events.filter(({ type }) => type === 'deferred')).toEqual([])
    expect(asked).toHaveLength(1)
  })

  it('comes early after a pause, when the threshold is near and it pays', async () => {
    const { cache } = planner(() => quote('now', false))
    const { session, events } = open(engine, { cache, compactAt: 'cheapest', contextLength: WINDOW })
    await session.prepare(talk(850))
    expect(events.find((event) => event.type === 'compaction')).toMatchObject({ trigger: 'pause' })
  })

  it('does not come early when the threshold is far, and asks nobody', async () => {
    const { cache, asked } = planner(() => quote('now', false))
    const { session } = open(engine, { cache, compactAt: 'cheapest', contextLength: WINDOW })
    expect((await session.prepare(talk(300))).compactions).toEqual([])
    expect(asked).toEqual([])
  })

  it('is done at once when nobody can tell the price', async () => {
    const { cache } = planner(() => {
      throw new Error('no price')
    })
    const { session } = open(engine, { cache, compactAt: 'cheapest', contextLength: WINDOW })
    const { compactions, warnings } = await session.prepare(talk(1_100))
    expect(compactions).toHaveLength(1)
    expect(warnings.map(({ message }) => message)).toEqual([
      'the cache planner failed in quoteCompaction and the session went on without it: no price',
    ])
  })

  it('does not wait unless the host wants it to', async () => {
    const { cache, asked } = planner(() => quote('at-next-pause', true))
    const { session } = open(engine, { cache, contextLength: WINDOW })
    expect((await session.prepare(talk(1_100))).compactions).toHaveLength(1)
    expect(asked).toEqual([])
  })
})
