import { beforeAll, describe, expect, it } from 'vitest'
import { ARMS } from '../../src/arms/arms.ts'
import { full, truncate } from '../../src/arms/bounds.ts'
import { type DialoguesReport, runDialogues } from '../../src/commands/dialogues.ts'

const quiet = { step: () => {}, done: () => {}, end: () => {} }
const small = { seeds: 1, turns: 30, progress: quiet }
/** One of each engine, and the one that stands over another with the tools of both. */
const ours = ARMS.filter(({ name }) => ['compressor lean', 'lcm', 'decisions over lcm'].includes(name))
/** So few tokens that every engine misses something that was settled. */
const TIGHT = 6000

describe('bench dialogues', () => {
  it('finds everything in a prompt that holds everything', async () => {
    const { rows } = await runDialogues({ ...small, arms: [full], budgets: [1_000_000] })
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      itemRecall: { mean: 1 },
      topicRecall: { mean: 1 },
      functionsComplete: { mean: 1 },
      misled: { mean: 0 },
      updateAccuracy: { mean: 1 },
      trail: { mean: 1 },
      compactions: 0,
      overBudget: { count: 0 },
    })
  })

  it('finds little when the beginning is cut off', async () => {
    const { rows } = await runDialogues({ ...small, arms: [truncate], budgets: [8000] })
    const [row] = rows
    expect(row?.itemRecall?.mean).toBeLessThan(0.5)
    expect(row?.overBudget.count).toBe(0)
    expect(row?.topicRecall?.mean).toBeLessThan(0.7)
    expect(row?.functionsComplete?.mean).toBe(0)
  })
})

describe('engines on the same dialogues', () => {
  let report: DialoguesReport
  beforeAll(async () => {
    report = await runDialogues({ ...small, arms: ours, budgets: [TIGHT] })
  })

  it('are asked the same, with n beside each figure', () => {
    const { rows } = report
    expect(rows.map(({ arm }) => arm)).toEqual(ours.map(({ name }) => name))
    for (const count of [
      rows.map(({ itemRecall }) => itemRecall?.n),
      rows.map(({ flaggedWithTools }) => flaggedWithTools?.n),
      rows.map(({ overBudget }) => overBudget.n),
    ])
      expect(new Set(count).size).toBe(1)
  })

  it('are searched with their own tools', () => {
    for (const { arm, itemRecall, reached } of report.rows) {
      const { searches = [] } = ours.find(({ name }) => name === arm) ?? {}
      if (searches.some(({ tool }) => tool === 'lcm_grep')) expect(reached?.mean).toBeGreaterThan(0.9)
      if (searches.length === 0) expect(reached).toEqual(itemRecall)
    }
  })

  it('come out the same byte for byte, also when one is played alone', async () => {
    const again = await runDialogues({ ...small, arms: ours.slice(0, 1), budgets: [TIGHT] })
    expect(JSON.stringify(again.rows)).toBe(JSON.stringify(report.rows.slice(0, 1)))
  })
})
