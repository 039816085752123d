import { expect, it } from 'vitest'
import { createGrowthGate } from '../../src/budget/growth-gate.ts'

it('is closed around the size at which nothing was gained, until the prompt has grown or shrunk', () => {
  const gate = createGrowthGate()
  expect(gate.isBlocked(1_000)).toBe(false)
  gate.block(1_000)
  expect([940, 960, 1_000, 1_040, 1_060].map(gate.isBlocked)).toEqual([false, true, true, true, false])
  gate.clear()
  expect(gate.isBlocked(1_000)).toBe(false)
})
