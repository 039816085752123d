import { fileURLToPath } from 'node:url'
import { createTokenCounter } from '@palimpsest/tokens'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Arm } from '../../src/arms/arm.ts'
import { ARMS } from '../../src/arms/arms.ts'
import type { RecallReport } from '../../src/recall/recall-report.ts'
import { runRecall } from '../../src/recall/run-recall.ts'
import { readSession } from '../../src/sessions/read-sessions.ts'
import { forgetful, quiet } from './conversation.ts'

const BUNDLED = fileURLToPath(new URL('../../../palimpsest/sessions/ledger.jsonl', import.meta.url))
const BUDGETS = [2000, 4000]
const lcm = ARMS.filter(({ name }) => name === 'lcm')

async function run(arms: readonly Arm[]): Promise<RecallReport> {
  const whole = await readSession(BUNDLED)
  const session = { ...whole, messages: whole.messages.slice(0, 150) }
  const skipped = [{ file: 'notes.txt', reason: 'no session' }]
  return runRecall({
    sessions: [session],
    skipped,
    arms,
    budgets: BUDGETS,
    tokens: createTokenCounter(),
    progress: quiet,
  })
}

describe('bench recall', () => {
  let report: RecallReport
  const row = (arm: string, budget = 2000) =>
    report.rows.find((each) => each.arm === arm && each.budget === budget)
  beforeAll(async () => {
    report = await run([...lcm, forgetful])
  })

  it('plays the bounds whether or not they are asked for, and everything else that is', () => {
    const arms = ['empty', 'full', 'truncate', 'lcm', 'forgetful']
    expect(report.rows.map(({ arm, budget }) => `${arm} ${budget}`)).toEqual(
      BUDGETS.flatMap((budget) => arms.map((arm) => `${arm} ${budget}`)),
    )
  })

  it('has enough cases on the bundled session, and the same for every arm', () => {
    const n = report.sessions[0]?.far[0]?.assistant ?? 0
    expect(n).toBeGreaterThan(20)
    for (const each of report.rows.filter(({ budget }) => budget === 2000)) {
      expect(each.assistant.mean?.n).toBe(n)
      expect(Object.values(each.byKind).reduce((sum, kind) => sum + kind.n, 0)).toBe(n)
    }
  })

  it('gives everything to who keeps everything, and nothing to who loses everything', () => {
    expect(row('full')).toMatchObject({
      assistant: { mean: { mean: 1 }, normalized: { mean: 1 } },
      user: { mean: { mean: 1 } },
    })
    expect(row('empty')).toMatchObject({ assistant: { normalized: { mean: 0 } } })
    expect(row('forgetful')).toMatchObject({
      assistant: { mean: { mean: 0 } },
      reached: { at3: { mean: 0 } },
      tokensPerFact: null,
    })
    expect(row('full')?.overBudget.count).toBeGreaterThan(0)
  })

  it('shows what an engine keeps, what its tools bring back, and what both cost', () => {
    const found = row('lcm')
    expect(found?.assistant.gain?.mean).toBeGreaterThan(0)
    expect(found?.reached.at1?.mean).toBeGreaterThan(found?.assistant.mean?.mean ?? 1)
    expect(found?.reached.tokensPerProbe).toBeGreaterThan(0)
    expect(found?.reachedByContext?.at3?.mean).toBeGreaterThanOrEqual(found?.reachedByContext?.at1?.mean ?? 1)
    expect(found?.position.reduce((sum, part) => sum + part, 0)).toBeCloseTo(1)
    expect(found?.toolTokens).toBeGreaterThan(0)
  })

  it('measures compactions of what is compared, not of the bounds', () => {
    expect(new Set(report.afterCompaction.map(({ arm }) => arm))).toEqual(new Set(['lcm', 'forgetful']))
  })

  it('is the same in every run', async () => {
    expect(JSON.stringify(await run([...lcm, forgetful]))).toBe(JSON.stringify(report))
  })
})
