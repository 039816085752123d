import { expect, it } from 'vitest'
import { createPause } from '../../src/index.ts'

it('a pause leaves others the two turns of the event loop that a new connection needs', async () => {
  const pause = createPause()
  let turns = 0
  const count = () => {
    turns++
    turn = setImmediate(count)
  }
  let turn = setImmediate(count)
  const until = performance.now() + 5
  while (performance.now() < until) turns = 0
  await pause()
  clearImmediate(turn)
  expect(turns).toBe(2)
})
