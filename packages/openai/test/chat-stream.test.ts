import type { Message } from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorOf, json } from '../../provider-utils/test/support/fake-server.ts'
import { chunk, counts, failure, type Reply, stopped, stream } from './support/fake-openai.ts'
import { chatWith } from './support/models.ts'

const question: Message = { role: 'user', content: 'Go on.' }

async function streamed(reply: Reply | Reply[]) {
  const { model, requests } = chatWith(reply)
  const pieces: string[] = []
  const response = await model.chat({ messages: [question], onText: (text) => pieces.push(text) })
  return { ...response, pieces, requests }
}

const callsOf = async (...deltas: unknown[]) => {
  const chunks = deltas.map((delta) => chunk({ tool_calls: [delta] }))
  const { message } = await streamed(stream([...chunks, chunk({}, 'tool_calls'), counts]))
  return message.tool_calls?.map((call) => call.type === 'function' && { id: call.id, ...call.function })
}

describe('a stream', () => {
  it('brings the text piece by piece, and the counts at its end', async () => {
    const { message, finishReason, usage, pieces, requests } = await streamed(
      stream([
        chunk({ role: 'assistant', content: '' }),
        chunk({ content: 'Hel' }),
        chunk({ content: 'lo' }),
        ...stopped,
      ]),
    )
    expect(pieces).toEqual(['Hel', 'lo'])
    expect(message).toEqual({ role: 'assistant', content: 'Hello' })
    expect(finishReason).toBe('stop')
    expect(usage).toEqual({ promptTokens: 10, completionTokens: 5, totalTokens: 15 })
    expect(requests[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } })
  })

  it('is the same answer wherever its bytes and its calls are cut', async () => {
    const text = 'Grüße 🏯 é 東京'
    const args = JSON.stringify({ city: '東京 🏯', note: 'a "quote"\n' })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 9 }),
        async (bytes, size) => {
          const cut = (whole: string) => whole.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? []
          const opened = [0, 1].map((index) =>
            chunk({
              tool_calls: [{ index, id: `id-${index}`, function: { name: `tool-${index}`, arguments: '' } }],
            }),
          )
          // Both calls grow by turns, as in a parallel call.
          const grown = cut(args).flatMap((piece) =>
            [0, 1].map((index) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
          )
          const chunks = [...cut(text).map((content) => chunk({ content })), ...opened, ...grown]
          const { message, pieces } = await streamed(
            stream([...chunks, chunk({}, 'tool_calls'), counts], { pieces: [bytes] }),
          )
          expect(message.content).toBe(text)
          expect(pieces.join('')).toBe(text)
          expect(message.tool_calls).toEqual(
            [0, 1].map((index) => ({
              id: `id-${index}`,
              type: 'function',
              function: { name: `tool-${index}`, arguments: args },
            })),
          )
        },
      ),
      { numRuns: 40 },
    )
  })

  it.each<[string, unknown[]]>([
    ['no index', [{}, {}]],
    ['the index 0 for every call', [{ index: 0 }, { index: 0 }]],
  ])('takes whole calls with %s', async (_name, indexes) => {
    const names = ['a', 'b']
    const withIds = indexes.map((index, at) => ({
      ...(index as object),
      id: `id-${at}`,
      function: { name: names[at], arguments: '{}' },
    }))
    expect(await callsOf(...withIds)).toMatchObject([
      { id: 'id-0', name: 'a' },
      { id: 'id-1', name: 'b' },
    ])
    const withoutIds = withIds.map(({ id: _, ...call }) => call)
    expect(await callsOf(...withoutIds)).toMatchObject([{ name: 'a' }, { name: 'b' }])
    // The same call twice is two calls.
    expect(await callsOf(withoutIds[0], withoutIds[0])).toHaveLength(2)
  })

  it.each<[string, Reply]>([
    ['as its parameter', failure(400, 'Unknown parameter', { param: 'stream_options' })],
    ['in a sentence', failure(400, 'stream_options is not supported by this model')],
    [
      'as pydantic does',
      json({ detail: [{ type: 'extra_forbidden', loc: ['body', 'stream_options'], msg: 'no' }] }, 422),
    ],
  ])(
    'is asked for without counts when the server refuses them %s, and from then on',
    async (_name, refused) => {
      const { model, requests } = chatWith([refused, stream([chunk({ content: 'a' }), chunk({}, 'stop')])])
      const first = await model.chat({ messages: [question], onText: () => {} })
      expect(first.message.content).toBe('a')
      expect(first.usage).toBeUndefined()
      await model.chat({ messages: [question], onText: () => {} })
      expect(requests.map(({ body }) => 'stream_options' in body)).toEqual([true, false, false])
    },
  )

  it.each<[string, Reply, string]>([
    ['closes', stream([chunk({ content: 'Half' })], { atEnd: 'end' }), 'network'],
    ['closes after [DONE] without a reason', stream([chunk({ content: 'Half' })]), 'network'],
    ['breaks', stream([chunk({ content: 'Half' })], { atEnd: 'break' }), 'network'],
    ['ends in half a line', () => sse('data: {"choices":[{"del'), 'network'],
    ['says nothing', () => sse(''), 'network'],
    [
      'tells an error',
      stream([chunk({ content: 'Half' }), { error: { message: 'engine died' } }]),
      'overloaded',
    ],
    [
      'tells an error with a status',
      stream([chunk({ content: 'Half' }), { error: { message: 'slow down', code: 429 } }]),
      'quota',
    ],
    [
      'tells an error with a word for it',
      stream([{ error: { message: 'Failed to call a function', type: 'invalid_request_error' } }]),
      'invalid-request',
    ],
    [
      'tells an error in its choice',
      stream([{ choices: [{ delta: {}, error: { message: 'provider died', code: 502 } }] }]),
      'overloaded',
    ],
  ])('rejects when it %s', async (_name, reply, kind) => {
    const seen: string[] = []
    const { model } = chatWith(reply)
    const error = await errorOf(model.chat({ messages: [question], onText: (text) => seen.push(text) }))
    expect(error).toMatchObject({ name: 'ModelError', kind })
    expect(seen.join('')).toMatch(/^(?:Half)?$/)
  })
})

function sse(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
}
