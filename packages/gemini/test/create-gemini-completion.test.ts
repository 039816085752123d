import { describe, expect, it } from 'vitest'
import { errorOf, json, testKey } from '../../provider-utils/test/support/fake-server.ts'
import { GEMINI_DEFAULTS } from '../src/index.ts'
import { answer } from './support/fake-gemini.ts'
import { completionWith } from './support/models.ts'

describe('createGeminiCompletion', () => {
  it('sends one prompt and returns the text with its usage', async () => {
    const { model, requests } = completionWith(
      answer([{ text: 'A short ' }, { text: 'summary.' }], {
        usageMetadata: {
          promptTokenCount: 900,
          candidatesTokenCount: 40,
          thoughtsTokenCount: 60,
          totalTokenCount: 1000,
        },
      }),
    )
    const completion = await model.complete({ system: 'You summarise.', prompt: 'Summarise this.' })
    expect(completion).toEqual({
      text: 'A short summary.',
      finishReason: 'stop',
      usage: { promptTokens: 900, completionTokens: 100, totalTokens: 1000, reasoningTokens: 60 },
    })
    expect(requests).toHaveLength(1)
    expect(requests[0]?.method).toBe('POST')
    expect(requests[0]?.url.href).toBe(
      `${GEMINI_DEFAULTS.baseUrl}/v1beta/models/gemini-2.5-flash:generateContent`,
    )
    expect(requests[0]?.headers.get('x-goog-api-key')).toBe(testKey)
    expect(requests[0]?.text).toBe(
      '{"contents":[{"parts":[{"text":"Summarise this."}],"role":"user"}],' +
        '"systemInstruction":{"parts":[{"text":"You summarise."}]},"generationConfig":{}}',
    )
  })

  it('leaves thoughts out of the text', async () => {
    const { model } = completionWith(answer([{ text: 'Let me see.', thought: true }, { text: 'Done.' }]))
    expect((await model.complete({ prompt: 'p' })).text).toBe('Done.')
  })

  it.each([
    ['no thinking configured', {}, 2_000 + GEMINI_DEFAULTS.thinkingAllowanceTokens],
    ['a budget', { thinking: { budgetTokens: 500 } }, 2_500],
    ['thinking turned off', { thinking: { budgetTokens: 0 } }, 2_000],
    ['a model that does not think', { model: 'gemma-3-27b-it' }, 2_000],
  ])('leaves room for thinking beside the answer: %s', async (_name, options, limit) => {
    const { model, requests } = completionWith(answer([{ text: 'x' }]), options)
    await model.complete({ prompt: 'p', maxOutputTokens: 2_000 })
    expect(requests[0]?.body.generationConfig?.maxOutputTokens).toBe(limit)
  })

  it('does not pass a partial text off as a summary', async () => {
    const { model } = completionWith(
      answer([{ text: 'The first half of' }], {
        finishReason: 'MAX_TOKENS',
        usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 4, thoughtsTokenCount: 1_990 },
      }),
    )
    const error = await errorOf(model.complete({ prompt: 'p', maxOutputTokens: 2_000 }))
    expect(error).toMatchObject({ kind: 'truncated', code: 'MODEL_TRUNCATED' })
    expect(error.message).toContain('1990')
  })

  it.each([
    [
      'a partial text that a filter stopped',
      answer([{ text: 'Half' }], { finishReason: 'SAFETY' }),
      'blocked',
    ],
    ['recitation', answer([], { finishReason: 'RECITATION' }), 'blocked'],
    [
      'a prompt that is prohibited',
      json({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }),
      'blocked',
    ],
    ['no content at all', json({ candidates: [{ finishReason: 'STOP' }] }), 'empty'],
    ['no candidates', json({ usageMetadata: { promptTokenCount: 3 } }), 'empty'],
    ['only white space', answer([{ text: ' \n' }]), 'empty'],
    ['only thoughts', answer([{ text: 'Hm.', thought: true }]), 'empty'],
    ['only a tool call', answer([{ functionCall: { name: 'f', args: {} } }]), 'empty'],
    [
      'only thoughts up to the limit',
      answer([{ text: 'Hm.', thought: true }], { finishReason: 'MAX_TOKENS' }),
      'truncated',
    ],
    [
      'a text that stops for no good reason',
      answer([{ text: 'Half' }], { finishReason: 'OTHER' }),
      'unknown',
    ],
  ])('rejects %s', async (_name, reply, kind) => {
    const { model } = completionWith(reply)
    expect(await errorOf(model.complete({ prompt: 'p' }))).toMatchObject({ name: 'ModelError', kind })
  })
})
