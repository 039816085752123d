import { expect, it } from 'vitest'
import { meterCompletion } from '../../src/serve/models/meter.ts'
import { createServiceStore } from '../../src/serve/service-store.ts'
import { openStore } from '../../src/stores/open-store.ts'

it('counts each answered call of a model under its purpose, with or without usage', async () => {
  const store = createServiceStore({
    store: await openStore(undefined),
    principal: 'local',
    clock: { now: () => 0 },
  })
  const record = await store.begin('s', undefined)
  const other = await store.begin('other', undefined)
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
    (call) => store.addCost(record, call),
  )
  await model.complete({ prompt: 'counted' })
  await model.complete({ prompt: 'counted' })
  await model.complete({ prompt: 'not counted' })
  failing = true
  await expect(model.complete({ prompt: 'x' })).rejects.toThrow('down')
  await store.addCost(other, { purpose: 'extraction', model: 'm', usage })
  const prompt = { promptTokens: 14, cachedTokens: 4, writtenTokens: 6, writtenLongTokens: 2 }
  const expected = { calls: 3, ...prompt, completionTokens: 6, reasoningTokens: 2 }
  expect(await store.costs(record)).toEqual([{ purpose: 'extraction', model: 'm', ...expected }])
  expect(await store.costs()).toMatchObject([{ calls: 4, promptTokens: 21 }])
  await store.store.close()
})
