import { beforeAll, describe, expect, it } from 'vitest'
import type { Arm } from '../../src/arms/arm.ts'
import { ARMS } from '../../src/arms/arms.ts'
import { empty, full, truncate } from '../../src/arms/bounds.ts'
import { renderDialogues } from '../../src/dialogues/render-dialogues.ts'
import { type DialoguesReport, runDialogues } from '../../src/dialogues/run-dialogues.ts'

const quiet = { step: () => {}, done: () => {}, end: () => {} }
const small = { seeds: 1, turns: 30, progress: quiet }
/** One of each engine, and the one that stands over another with the tools of both. */
const ours = ARMS.filter(({ name }) => ['compressor lean', 'lcm', 'decisions over lcm'].includes(name))
/** So few tokens that every engine misses something that was settled. */
const TIGHT = 6000

describe('bench dialogues', () => {
  it('finds everything in a prompt that holds everything, and its beginning never changes', async () => {
    const { rows, missed } = await runDialogues({ ...small, arms: [full], budgets: [1_000_000] })
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({
      itemRecall: { mean: 1 },
      normalized: { mean: 1 },
      topicRecall: { mean: 1 },
      misled: { mean: 0 },
      updateAccuracy: { mean: 1 },
      abstention: { inPrompt: { mean: 1 } },
      needles: { recall: { mean: 1 } },
      trail: { recall: { mean: 1 }, precision: { mean: 1 } },
      stability: { mean: 1 },
      compactions: 0,
      earlyRecall: null,
      overBudget: { count: 0 },
    })
    expect(rows[0]?.position.reduce((sum, part) => sum + part, 0)).toBeCloseTo(1)
    expect(missed.every(({ isShown, isStale }) => isShown && isStale)).toBe(true)
  })

  it('finds nothing that was settled beyond the budget when the beginning is cut off', async () => {
    const { rows, missed } = await runDialogues({ ...small, arms: [truncate], budgets: [8000] })
    const [row] = rows
    expect(row?.earlyRecall?.mean).toBeLessThan(0.1)
    expect(row?.itemRecall?.mean).toBeLessThan(0.5)
    expect(row?.gain?.mean).toBe(0)
    expect(row?.overBudget.count).toBe(0)
    expect(missed.length).toBeGreaterThan(10)
  })

  it('compares with the tail, and between nothing and everything, although only one arm was selected', async () => {
    const half: Arm = {
      ...empty,
      name: 'half',
      open: (input) => {
        let turn = 0
        const bounds = { empty: empty.open(input), full: full.open(input) }
        return {
          ...bounds,
          async project(transcript) {
            const arm = await (turn++ % 2 === 0 ? bounds.full : bounds.empty)
            return arm.project(transcript)
          },
          async answered() {},
          callTool: async () => '{}',
          async end() {},
        }
      },
    }
    const { rows } = await runDialogues({ ...small, arms: [half], budgets: [8000] })
    expect(rows.map(({ arm }) => arm)).toEqual(['half'])
    const [row] = rows
    expect(row?.normalized?.mean).toBeGreaterThan(0.1)
    expect(row?.normalized?.mean).toBeLessThan(0.9)
    expect(row?.normalized?.n).toBe(row?.itemRecall?.n)
    expect(row?.gain?.mean).not.toBe(row?.itemRecall?.mean)
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
      rows.map(({ contradictions }) => contradictions.flagged?.n),
      rows.map(({ needles }) => needles.recall?.n),
      rows.map(({ overBudget }) => overBudget.n),
    ])
      expect(new Set(count).size).toBe(1)
  })

  it('are searched with their own tools, whose answers cost tokens', () => {
    for (const { arm, reached, reachedAt3, searchTokens, needles, toolTokens, tokens } of report.rows) {
      const tools = ours.find(({ name }) => name === arm)?.searches.map(({ tool }) => tool)
      expect(Object.keys(reached)).toEqual(tools)
      expect(tokens?.mean).toBeGreaterThan(100)
      expect((toolTokens?.mean ?? 0) > 0).toBe(tools !== undefined && tools.length > 0)
      for (const tool of tools ?? []) {
        expect(reachedAt3[tool]?.mean).toBeGreaterThanOrEqual(reached[tool]?.mean ?? 1)
        if (tool !== 'lcm_grep') continue
        expect(reached[tool]?.mean).toBeGreaterThan(0.9)
        expect(needles.reached[tool]?.mean).toBe(1)
        expect(searchTokens[tool]?.mean).toBeGreaterThan(50)
      }
    }
  })

  it('are a table', () => {
    const table = renderDialogues(report)
    for (const word of ['item recall', 'decisions over lcm', 'stale exposure', 'artifact trail F1', 'n '])
      expect(table).toContain(word)
  })

  it('come out the same byte for byte, also when one is played alone', async () => {
    const again = await runDialogues({ ...small, arms: ours.slice(0, 1), budgets: [TIGHT] })
    expect(JSON.stringify(again.rows)).toBe(JSON.stringify(report.rows.slice(0, 1)))
  })
})
