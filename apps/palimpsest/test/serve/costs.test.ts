import { expect, it } from 'vitest'
import { meterCompletion } from '../../src/serve/models/meter.ts'
import { openStore } from './open-store.ts'

it('counts each answered call of a model under its purpose, with or without usage', async () => {
  const store = await openStore(undefined)
  const { no } = await store.begin('s', undefined, 0)
  let failing = false
  const usage = {
    promptTokens: 7,
    completionTokens: 3,
    totalTokens: 10,
    cacheReadTokens: 2,
    cacheWriteTokens: 3,
    cacheWrite1hTokens: 1,
    reasoningTokens: 1,
  }
  const model = meterCompletion(
    {
      name: 'm',
      async complete({ prompt }) {
        if (failing) throw new Error('down')
        return { text: prompt, finishReason: 'stop', ...(prompt === 'counted' && { usage }) }
      },
    },
    'extraction',
    (call) => store.addCost(no, call),
  )
  await model.complete({ prompt: 'counted' })
  await model.complete({ prompt: 'counted' })
  await model.complete({ prompt: 'not counted' })
  failing = true
  await expect(model.complete({ prompt: 'x' })).rejects.toThrow('down')
  const prompt = { promptTokens: 14, cachedTokens: 4, writtenTokens: 6, writtenLongTokens: 2 }
  const expected = { calls: 3, ...prompt, completionTokens: 6, reasoningTokens: 2 }
  expect(await store.costs(no)).toEqual([{ purpose: 'extraction', model: 'm', ...expected }])
  expect(await store.costs(no + 1)).toEqual([])
  await store.close()
})
