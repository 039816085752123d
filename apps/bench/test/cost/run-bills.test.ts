import { roughTokenCounter, type TokenCounter } from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import { beforeAll, describe, expect, it } from 'vitest'
import { ARMS } from '../../src/arms/arms.ts'
import { full } from '../../src/arms/bounds.ts'
import { type BillReport, runBills } from '../../src/cost/run-bills.ts'
import { generateConversation } from '../../src/workload/conversation.ts'
import { recorded } from './recorded.ts'

const quiet = () => {}
const skipped = [{ file: 'notes.txt', reason: 'no session' }]
const PLAYED = ['full', 'truncate', 'compressor', 'lcm', 'decisions over lcm']
const arms = ARMS.filter(({ name }) => PLAYED.includes(name))

/** A conversation, and its beginning as a session of its own. */
const dialogue = generateConversation({ seed: 1, messages: 70 })
const sessions = [recorded(dialogue), recorded(dialogue.slice(0, 40))]
const input = { sessions, skipped, arms, budgets: [8000], tokens: roughTokenCounter, progress: quiet }
const named = ({ rows }: BillReport, arm: string) => {
  const row = rows.find((one) => one.arm === arm)
  if (row === undefined) throw new Error(`no row ${arm}`)
  return row
}

describe('bills by hand', () => {
  /** 10 tokens a message, 100 a tool. */
  const tens: TokenCounter = {
    countText: (text) => text.length,
    countMessage: () => 10,
    countTools: (tools) => tools.length * 100,
  }
  const three = recorded(
    [
      { role: 'user', content: 'Which database?' },
      { role: 'assistant', content: 'Which one do you like?' },
      { role: 'user', content: 'The one that we have.' },
      { role: 'assistant', content: 'Then it stays.' },
    ],
    [0, 1000, 60_000, 61_000],
  )
  const bill = async (session = three) => {
    const { rows } = await runBills({ ...input, sessions: [session], arms: [full], tokens: tens })
    return rows[0]
  }

  it('are the input price of all tokens without a cache; with one, what is new at 1.25 and the rest at 0.05', async () => {
    const row = await bill()
    // 12 tools and one message, then three: 1,210 and 1,230 tokens at $2 for a million.
    expect(row?.requests).toBe(2)
    expect(row?.promptTokens).toBe(1220)
    expect(row?.uncached).toBeCloseTo((2 * (1210 + 1230)) / 1e6, 12)
    expect(row?.sticky).toBeCloseTo((2 * (1210 * 1.25 + 1210 * 0.05 + 20 * 1.25)) / 1e6, 12)
    expect(row?.readShare).toBeCloseTo(1210 / 2440, 12)
  })

  it('follow the times of the recording: behind a pause everything is written again', async () => {
    const times = [0, 1000, 3_600_000, 3_601_000]
    const row = await bill(recorded(three.messages, times))
    expect(row?.sticky).toBeCloseTo((2 * 1.25 * (1210 + 1230)) / 1e6, 12)
    expect(row?.readShare).toBe(0)
  })
})

describe('the bills of all arms', () => {
  let report: BillReport
  beforeAll(async () => {
    report = await runBills(input)
  })

  it('are for the same requests, and name the prices and what was skipped', () => {
    const requests = sessions.flatMap(({ messages }) => messages.filter(({ role }) => role === 'assistant'))
    expect(report.rows.map(({ arm }) => arm)).toEqual(PLAYED)
    for (const row of report.rows)
      expect([row.requests, row.overBudget.n]).toEqual(Array(2).fill(requests.length))
    expect(report).toMatchObject({ model: 'claude-sonnet-5-5', skipped })
    expect(report.pricesOf).toMatch(/^20\d\d-\d\d-\d\d$/)
  })

  it('add up, session by session', async () => {
    const parts = await Promise.all(sessions.map((session) => runBills({ ...input, sessions: [session] })))
    for (const row of report.rows) {
      const sum = (of: 'sticky' | 'systemAnd3' | 'uncached' | 'summaries' | 'compactions' | 'total') =>
        parts.reduce((total, part) => total + named(part, row.arm)[of], 0)
      for (const figure of ['sticky', 'systemAnd3', 'uncached', 'summaries', 'compactions', 'total'] as const)
        expect(row[figure], `${row.arm} ${figure}`).toBeCloseTo(sum(figure), 9)
      expect(row.total).toBeCloseTo(row.sticky + row.summaries, 9)
    }
  })

  it('never have a cache that costs more than what it charges for writing', () => {
    for (const { sticky, systemAnd3, uncached } of report.rows)
      for (const cached of [sticky, systemAnd3]) expect(cached).toBeLessThanOrEqual(1.25 * uncached)
    expect(named(report, 'full').sticky).toBeLessThan(0.5 * named(report, 'full').uncached)
  })

  it('have summaries where a model was asked, and none else', () => {
    for (const { kind, compactions, summaries } of report.rows) {
      if (kind === 'bound') expect(summaries).toBe(0)
      else expect(compactions === 0 ? 0 : summaries).toBeGreaterThan(0)
    }
  })

  it('count what is above the budget', () => {
    expect(named(report, 'lcm').overBudget.count).toBe(0)
    const { requests, overBudget } = named(report, 'full')
    expect(overBudget.count).toBeGreaterThan(0)
    expect(overBudget.count).toBeLessThan(requests)
  })
})

describe('bills of other runs', () => {
  const few = arms.filter(({ name }) => ['compressor', 'lcm'].includes(name))

  it('are the same, byte for byte, and do not depend on who else is played', async () => {
    const run = (played = few) =>
      runBills({ ...input, sessions: sessions.slice(0, 1), arms: played, tokens: createTokenCounter() })
    const report = await run()
    expect(JSON.stringify(await run())).toBe(JSON.stringify(report))
    expect(named(report, 'lcm')).toEqual(named(await run(few.slice(1)), 'lcm'))
  })

  it('have larger prompts for longer sessions where the budget holds everything', async () => {
    const sizes: number[] = []
    for (const length of [20, 40, dialogue.length]) {
      const session = recorded(dialogue.slice(0, length))
      const report = await runBills({ ...input, sessions: [session], arms: [full], budgets: [1_000_000] })
      sizes.push(named(report, 'full').promptTokens)
      expect(named(report, 'full').overBudget.count).toBe(0)
    }
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
    expect(new Set(sizes).size).toBe(3)
  })
})
