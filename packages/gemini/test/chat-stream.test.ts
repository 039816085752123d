import { describe, expect, it } from 'vitest'
import { errorOf } from '../../provider-utils/test/support/fake-server.ts'
import { chunk, stream } from './support/fake-gemini.ts'
import { chatWith } from './support/models.ts'

const question = { role: 'user', content: 'Weather in Oslo and Rome?' } as const

describe('createGeminiChat with onText', () => {
  it('streams text, and assembles calls, signatures and the last usage', async () => {
    const { model, requests } = chatWith(
      stream([
        chunk([{ text: 'thinking', thought: true }]),
        chunk([{ text: 'Grüße ' }]),
        chunk([{ text: 'aus 東京 🏯' }]),
        chunk([{ functionCall: { name: 'weather', args: { city: '東京' } }, thoughtSignature: 'c2ln' }]),
        chunk([{ text: '', thoughtSignature: 'ZW5k' }], true, {
          usageMetadata: {
            promptTokenCount: 50,
            cachedContentTokenCount: 40,
            candidatesTokenCount: 9,
            thoughtsTokenCount: 3,
          },
        }),
      ]),
    )
    const seen: string[] = []
    const response = await model.chat({ messages: [question], onText: (text) => seen.push(text) })
    expect(requests[0]?.url.pathname).toBe('/v1beta/models/gemini-3-flash:streamGenerateContent')
    expect(seen).toEqual(['Grüße ', 'aus 東京 🏯'])
    expect(response).toMatchObject({
      finishReason: 'tool-calls',
      usage: {
        promptTokens: 50,
        completionTokens: 12,
        totalTokens: 62,
        cacheReadTokens: 40,
        reasoningTokens: 3,
      },
      message: {
        content: [
          { type: 'text', text: 'Grüße aus 東京 🏯' },
          { type: 'text', text: '', providerData: { gemini: { thoughtSignature: 'ZW5k' } } },
        ],
        tool_calls: [{ providerData: { gemini: { thoughtSignature: 'c2ln', contentBefore: 1 } } }],
        providerData: { gemini: { reasoning: [{ text: 'thinking' }] } },
      },
    })
  })

  it('streams the same answer wherever the bytes are cut', async () => {
    const chunks = [
      chunk([{ text: 'Grüße 🏯 ' }]),
      chunk([{ text: 'e\u0301 ' }]),
      chunk([{ text: '東京' }], true),
    ]
    for (const size of [1, 2, 3, 7, 64]) {
      const { model } = chatWith(stream(chunks, { pieces: [size] }))
      let text = ''
      const { message } = await model.chat({ messages: [question], onText: (piece) => (text += piece) })
      expect(message.content).toBe('Grüße 🏯 e\u0301 東京')
      expect(text).toBe(message.content)
    }
  })

  it('rejects a stream that ends before the answer does', async () => {
    const { model } = chatWith(stream([chunk([{ text: 'Half' }])]))
    expect(await errorOf(model.chat({ messages: [question], onText: () => {} }))).toMatchObject({
      kind: 'network',
    })
  })
})
