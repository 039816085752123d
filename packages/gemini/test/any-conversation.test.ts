import type { Message } from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answer } from './support/fake-gemini.ts'
import { chatWith } from './support/models.ts'

describe('any conversation', () => {
  const text = fc.oneof(
    fc.string(),
    fc.constantFrom('', '{"a":1}', '{"\\ud83d":1}', 'cut \ud83d', '__proto__'),
  )
  const id = fc.constantFrom('1', '2', '3', '__proto__', '')
  const providerData = fc.constantFrom<unknown>(
    undefined,
    null,
    { gemini: null },
    { gemini: { thoughtSignature: '' } },
    {
      gemini: {
        thoughtSignature: 7,
        reasoning: [null, { text: 1 }, { text: 'x', thoughtSignature: 'eA==' }],
      },
    },
  )
  const part = fc.oneof(
    fc.record({ type: fc.constant('text'), text, providerData }),
    fc.constantFrom<unknown>(
      null,
      'text',
      {},
      { type: 'text' },
      { type: '__proto__' },
      { type: 'image_url', image_url: null },
    ),
  )
  const content = fc.oneof(
    text,
    fc.array(part, { maxLength: 3 }),
    fc.constantFrom<unknown>(null, undefined, 7, {}),
  )
  const anyCall = fc.oneof(
    fc.record({ id, type: fc.constant('function'), function: fc.record({ name: text, arguments: text }) }),
    fc.record({
      id,
      type: fc.constant('custom'),
      custom: fc.record({ name: fc.constant('c'), input: text }),
    }),
    fc.constantFrom<unknown>(null, {}, { id: '1' }, { id: '1', function: null }),
  )
  const message = fc.oneof(
    fc.record({ role: fc.constantFrom('user', 'system', 'function', '__proto__'), content }),
    fc.record({
      role: fc.constant('assistant'),
      content,
      providerData,
      tool_calls: fc.oneof(fc.array(anyCall, { maxLength: 3 }), fc.constant(null)),
    }),
    fc.record({ role: fc.constant('tool'), tool_call_id: id, content }),
    fc.constantFrom<unknown>(null, 'user', 7, {}),
  )

  it('becomes a request that Gemini takes, or is refused because it is empty', async () => {
    let sent = 0
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 12 }), async (messages) => {
        const { model, requests } = chatWith(answer([{ text: 'ok' }]))
        const before = structuredClone(messages)
        const error = await model.chat({ messages: messages as unknown as Message[] }).then(
          () => undefined,
          (thrown: Error) => thrown,
        )
        expect(error?.message ?? '').toMatch(/^$|nothing to send/)
        expect(messages).toEqual(before)
        sent += requests.length
      }),
      { numRuns: 200 },
    )
    expect(sent).toBeGreaterThan(100)
  })
})
