import { expect, it } from 'vitest'
import { createGrowthGate } from '../src/create-compaction.ts'

it('is closed around the size at which nothing was gained, until the prompt has grown or shrunk', () => {
  const gate = createGrowthGate()
  expect(gate.isBlocked(1_000)).toBe(false)
  gate.block(1_000)
  expect([940, 960, 1_000, 1_040, 1_060].map((size) => gate.isBlocked(size))).toEqual([
    false,
    true,
    true,
    true,
    false,
  ])
  gate.clear()
  expect(gate.isBlocked(1_000)).toBe(false)
})

it('is open to what would leave another prompt', () => {
  const gate = createGrowthGate()
  gate.block(1_000)
  expect([940, 960, 1_100].map((left) => gate.isBlocked(1_000, left))).toEqual([false, true, true])
  expect([900, 1_100].map((size) => gate.isBlocked(size, 1_000))).toEqual([false, false])
})
