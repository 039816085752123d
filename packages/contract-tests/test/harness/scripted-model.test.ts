import { describe, expect, it } from 'vitest'
import { createScriptedModel, type ModelAnswer, STALL } from '../../src/harness/scripted-model.ts'

const prompt = 'summarise'

describe('a step of a scripted model that is a function', () => {
  it('chooses how the call ends, and may take its time', async () => {
    const down = new Error('down')
    await expect(createScriptedModel([async () => down]).complete({ prompt })).rejects.toBe(down)
    const blocked = { text: '', finishReason: 'content-filter' } as const
    expect(await createScriptedModel([() => blocked]).complete({ prompt })).toBe(blocked)
  })

  it('may choose to stall when the signal has aborted meanwhile', async () => {
    const controller = new AbortController()
    const stall = async (): Promise<ModelAnswer> => STALL
    const call = createScriptedModel([stall]).complete({ prompt, signal: controller.signal })
    controller.abort('enough')
    await expect(call).rejects.toBe('enough')
  })
})
