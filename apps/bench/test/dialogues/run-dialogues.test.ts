import { describe, expect, it } from 'vitest'
import { ARMS, type Arm } from '../../src/dialogues/arms.ts'
import { renderDialogues } from '../../src/dialogues/render-dialogues.ts'
import { runDialogues } from '../../src/dialogues/run-dialogues.ts'

const quiet = { step: () => {}, done: () => {}, end: () => {} }
const small = { seeds: 2, turns: 30, progress: quiet }
const first = ARMS[0] as Arm

describe('bench dialogues', () => {
  it('finds everything in a prompt that holds everything, and its beginning never changes', async () => {
    const { rows, missed } = await runDialogues({ ...small, seeds: 1, arms: [first], budgets: [1_000_000] })
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      itemRecall: { mean: 1 },
      topicRecall: { mean: 1 },
      misled: { mean: 0 },
      stability: { mean: 1 },
      compactions: 0,
      earlyRecall: null,
    })
    expect(missed.every(({ isShown, isStale }) => isShown && isStale)).toBe(true)
  })

  it('finds nothing that was settled beyond the budget when the beginning is cut off', async () => {
    const { rows, missed } = await runDialogues({ ...small, arms: [first], budgets: [8000] })
    expect(rows[0]?.earlyRecall?.mean).toBeLessThan(0.1)
    expect(rows[0]?.itemRecall?.mean).toBeLessThan(0.5)
    expect(missed.length).toBeGreaterThan(10)
  })

  it('compares all engines on the same dialogues, with n beside each figure', async () => {
    const report = await runDialogues({ ...small, seeds: 1, arms: ARMS, budgets: [8000] })
    const { rows } = report
    expect(rows.map(({ arm }) => arm)).toEqual([
      'truncate',
      'compressor',
      'lcm',
      'decisions',
      'decisions over compressor',
      'decisions over lcm',
    ])
    expect(new Set(rows.map(({ itemRecall }) => itemRecall?.n)).size).toBe(1)
    for (const { overBudget, tokens } of rows) {
      expect(overBudget.n).toBe(rows[0]?.overBudget.n)
      expect(tokens?.mean).toBeGreaterThan(100)
    }
    expect(rows.map(({ reached }) => Object.keys(reached).toSorted())).toEqual([
      [],
      [],
      ['lcm_grep'],
      ['decisions_list'],
      ['decisions_list'],
      ['decisions_list', 'lcm_grep'],
    ])
    expect(rows[2]?.reached.lcm_grep?.mean).toBeGreaterThan(0.9)
    const table = renderDialogues(report)
    for (const word of ['item recall', 'decisions over lcm', 'stale exposure', 'prefix stability', 'n '])
      expect(table).toContain(word)
  })
})
