import { describe, expect, it } from 'vitest'
import { errorOf } from '../../provider-utils/test/support/fake-server.ts'
import { answer, type Reply } from './support/fake-openai.ts'
import { completionWith } from './support/models.ts'

describe('createOpenAiCompletion', () => {
  it('answers one prompt with one text', async () => {
    const { model, requests } = completionWith(answer({ content: 'Short.', reasoning_content: 'Hm.' }), {
      contextLength: 8_192,
    })
    expect(await model.complete({ system: 'Summarise.', prompt: 'Long.', maxOutputTokens: 50 })).toEqual({
      text: 'Short.',
      finishReason: 'stop',
      usage: { promptTokens: 10, completionTokens: 5, totalTokens: 15 },
    })
    expect(requests[0]?.body).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'Summarise.' },
        { role: 'user', content: 'Long.' },
      ],
      max_tokens: 50,
    })
    expect(model).toMatchObject({ name: 'openai:m', contextLength: 8_192 })
  })

  it.each<[string, Reply, string]>([
    ['was cut at the output limit', answer({ content: 'Half' }, 'length'), 'truncated'],
    ['was stopped by a filter', answer({ content: 'Half' }, 'content_filter'), 'blocked'],
    ['its server broke off', answer({ content: 'Half' }, 'insufficient_system_resource'), 'overloaded'],
    ['is a refusal', answer({ refusal: 'I cannot.' }), 'blocked'],
    ['is empty', answer({ content: '' }), 'empty'],
    ['is a tool call', answer({ tool_calls: [{ id: 'a', function: { name: 'f' } }] }), 'empty'],
  ])('never returns an answer that %s', async (_name, reply, kind) => {
    expect(await errorOf(completionWith(reply).model.complete({ prompt: 'p' }))).toMatchObject({ kind })
  })
})
