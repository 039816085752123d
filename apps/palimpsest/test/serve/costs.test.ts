import { describe, expect, it } from 'vitest'
import { costReport } from '../../src/serve/http/create-app.ts'
import { meterCompletion } from '../../src/serve/models/meter.ts'
import { paidTokens, priceOf } from '../../src/serve/models/price-of.ts'
import { openStore } from './open-store.ts'

describe('what tokens cost', () => {
  it('is unknown for a model that is not on the list, and so is every sum with it', () => {
    const paid = { ...paidTokens(undefined), promptTokens: 10, completionTokens: 5 }
    const tokens = { ...paid, reasoningTokens: 0, calls: 1 }
    expect(priceOf('gemini:gemini-9', tokens)).toBeNull()
    expect(priceOf('__proto__', tokens)).toBeNull()
    const report = costReport('s', [
      { purpose: 'answer', model: 'gemini:gemini-9', ...tokens },
      { purpose: 'extraction', model: 'gemini:gemini-3.1-flash-lite', ...tokens },
    ])
    expect(report.purposes.answer).toMatchObject({ usd: null, promptTokens: 10 })
    expect(report.purposes.extraction.usd).toBeGreaterThan(0)
    expect(report.total).toMatchObject({ usd: null, calls: 2, promptTokens: 20, completionTokens: 10 })
  })
})

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
