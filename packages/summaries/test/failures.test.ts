import { ModelError } from '@palimpsest/core'
import { expect, it } from 'vitest'
import { createModelCooldown, judgeFailure } from '../src/index.ts'

it('leaves a model alone for the longest of its cooldowns, until it answers', () => {
  const cooldown = createModelCooldown()
  expect(cooldown.isCooling(0)).toBe(false)
  cooldown.failed(1_000, 60_000)
  cooldown.failed(2_000, 10)
  expect(cooldown.failures()).toBe(2)
  expect(cooldown.isCooling(60_999)).toBe(true)
  expect(cooldown.isCooling(61_000)).toBe(false)
  cooldown.failed(61_000, 60_000)
  cooldown.succeeded()
  expect([cooldown.failures(), cooldown.isCooling(61_001)]).toEqual([0, false])
})

it('waits longer each time, and never shorter than the provider asks', () => {
  const timeout = new ModelError('timeout', 'slow')
  expect([1, 2, 3, 9].map((streak) => judgeFailure(timeout, streak).cooldownMs)).toEqual([
    60_000, 300_000, 900_000, 900_000,
  ])
  expect(judgeFailure(new ModelError('auth', 'no key'), 1).cooldownMs).toBe(600_000)
  const quota = new ModelError('quota', 'wait', { retryAfterMs: 120_000 })
  expect(judgeFailure(quota, 1).cooldownMs).toBe(120_000)
  expect(judgeFailure('odd', 1)).toMatchObject({ kind: 'unknown', message: 'odd', keep: false })
})
