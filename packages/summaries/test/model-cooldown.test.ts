import { expect, it } from 'vitest'
import { createModelCooldown } from '../src/index.ts'

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
