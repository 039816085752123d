import { describe, expect, it } from 'vitest'
import { comparePolicies } from '../../src/cost/compare-policies.ts'
import { type ArmBill, sumCosts } from '../../src/cost/sum-costs.ts'

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
  warnings: { b: 1 },
}

describe('the sum of sessions', () => {
  it('is a mean of prompts and shares, weighted by their requests and tokens, and a total of everything else', () => {
    const other = { ...COST, requests: 1, tokens: 600, read: 0, summaries: 0.5, warnings: { b: 1, a: 2 } }
    const bill = sumCosts({ name: 'x', kind: 'engine' }, 8000, [COST, other])
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
      overBudget: { count: 2, n: 3 },
      warnings: { a: 2, b: 2 },
    })
    expect(Object.keys(bill.warnings ?? {})).toEqual(['a', 'b'])
  })

  it('is zero without requests', () => {
    expect(sumCosts({ name: 'x', kind: 'peer' }, 8000, [])).toMatchObject({ promptTokens: 0, total: 0 })
  })
})

describe('the ratio of policies', () => {
  const bill = (name: string, kind: ArmBill['kind'], sticky: number) =>
    sumCosts({ name, kind }, 8000, [{ ...COST, sticky, summaries: 0 }])
  const ratios = (bills: readonly ArmBill[]) =>
    comparePolicies(bills).map(({ arm, policyRatio, isBest }) => [arm, policyRatio, isBest])

  it('is 1 for the cheapest engine or peer, and below 1 only for bounds', () => {
    const bills = [bill('empty', 'bound', 1), bill('ours', 'engine', 3), bill('theirs', 'peer', 2)]
    expect(ratios(bills)).toEqual([
      ['empty', 0.5, false],
      ['ours', 1.5, false],
      ['theirs', 1, true],
    ])
  })

  it('has one best arm where two cost the same, and compares bounds where nothing else was played', () => {
    expect(ratios([bill('a', 'engine', 2), bill('b', 'engine', 2)])).toEqual([
      ['a', 1, true],
      ['b', 1, false],
    ])
    expect(ratios([bill('empty', 'bound', 1), bill('full', 'bound', 4)])).toEqual([
      ['empty', 1, true],
      ['full', 4, false],
    ])
  })
})
