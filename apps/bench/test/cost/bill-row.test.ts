import { describe, expect, it } from 'vitest'
import { billRow } from '../../src/cost/run-bills.ts'

const COST = {
  requests: 2,
  compactions: 1,
  overBudget: 1,
  tokens: 3000,
  read: 1500,
  sticky: 2,
  systemAnd3: 3,
  uncached: 5,
  summaries: 1,
  bound: 2.5,
  warnings: { b: 1 },
}

describe('the sum of sessions', () => {
  it('is a mean of prompts and shares, weighted by their requests and tokens, and a total of everything else', () => {
    const other = { ...COST, requests: 1, tokens: 600, read: 0, summaries: 0.5, warnings: { b: 1, a: 2 } }
    const bill = billRow({ name: 'x', kind: 'engine' }, 8000, [COST, other])
    expect(bill).toEqual({
      arm: 'x',
      kind: 'engine',
      budget: 8000,
      requests: 3,
      compactions: 2,
      promptTokens: 1200,
      sticky: 4,
      systemAnd3: 6,
      uncached: 10,
      readShare: 1500 / 3600,
      summaries: 1.5,
      total: 5.5,
      bound: 5,
      overBound: 1.1,
      overBudget: { count: 2, n: 3 },
      warnings: { a: 2, b: 2 },
    })
    expect(Object.keys(bill.warnings ?? {})).toEqual(['a', 'b'])
  })

  it('is zero without requests', () => {
    expect(billRow({ name: 'x', kind: 'peer' }, 8000, [])).toMatchObject({ promptTokens: 0, total: 0 })
  })
})
