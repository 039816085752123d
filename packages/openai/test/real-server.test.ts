import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { errorOf } from '../../provider-utils/test/support/fake-server.ts'
import { loopback } from '../../provider-utils/test/support/loopback.ts'
import { createOpenAiChat } from '../src/index.ts'
import { chunk, sseText, stopped } from './support/fake-openai.ts'

const messages = [{ role: 'user', content: 'Go on.' } as const]

describe('over a real connection', () => {
  it('streams text and a call while the server still writes', async () => {
    let authorization: string | undefined
    const heard = Promise.withResolvers<void>()
    await using server = await loopback(async (request, response) => {
      authorization = request.headers.authorization
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
      // A comment to keep the connection open, as OpenRouter sends it.
      response.write(': processing\n\n')
      response.write(sseText([chunk({ role: 'assistant', content: 'Grüße' })]))
      await heard.promise
      const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{"a"' } }
      for (const delta of [
        { tool_calls: [{ index: 0, ...call }] },
        { tool_calls: [{ index: 0, function: { arguments: ':1}' } }] },
      ]) {
        response.write(sseText([chunk(delta)]))
        await setImmediate()
      }
      response.end(`${sseText(stopped)}data: [DONE]\n\n`)
    })
    const model = createOpenAiChat({ model: 'm', baseUrl: `${server.baseUrl}/v1` })
    const answer = await model.chat({ messages, onText: () => heard.resolve() })
    expect(answer).toEqual({
      message: {
        role: 'assistant',
        content: 'Grüße',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
      },
      finishReason: 'tool-calls',
      usage: { promptTokens: 10, completionTokens: 5, totalTokens: 15 },
    })
    expect(authorization).toBe('Bearer no-key')
  })

  it('reports a connection that is reset before, within and after the first text', async () => {
    let requests = 0
    await using server = await loopback((_request, response) => {
      requests++
      const reset = () => response.socket?.resetAndDestroy()
      if (requests === 1) return reset()
      response.writeHead(200, { 'content-type': requests === 2 ? 'application/json' : 'text/event-stream' })
      response.write(requests === 2 ? '{"choices":[' : sseText([chunk({ content: 'Half' })]), reset)
    })
    const model = createOpenAiChat({ model: 'm', baseUrl: `${server.baseUrl}/v1` })
    expect(await errorOf(model.chat({ messages }))).toMatchObject({ kind: 'network' })
    expect(await errorOf(model.chat({ messages }))).toMatchObject({ kind: 'network' })
    expect(await errorOf(model.chat({ messages, onText: () => {} }))).toMatchObject({ kind: 'network' })
    expect(requests).toBe(3)
  })
})
