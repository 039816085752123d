import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { errorOf, hang } from '../../provider-utils/test/support/fake-server.ts'
import { loopback } from '../../provider-utils/test/support/loopback.ts'
import { createOpenAiChat } from '../src/index.ts'
import { answer, chunk, type Reply, sseText, stream } from './support/fake-openai.ts'
import { chatWith, completionWith } from './support/models.ts'

const messages = [{ role: 'user', content: 'Go on.' } as const]
const reason = new Error('the user pressed escape')

const unhandled: unknown[] = []
const remember = (error: unknown) => unhandled.push(error)
beforeEach(() => process.on('unhandledRejection', remember))
afterEach(async () => {
  // A rejection counts as unhandled one turn of the event loop later.
  await new Promise((resolve) => setTimeout(resolve, 5))
  process.off('unhandledRejection', remember)
  expect(unhandled.splice(0)).toEqual([])
})

describe('abort', () => {
  it('before and directly after the call makes no request', async () => {
    const { model, requests } = completionWith(answer({ content: 'x' }))
    await expect(model.complete({ prompt: 'p', signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    const controller = new AbortController()
    const call = model.complete({ prompt: 'p', signal: controller.signal })
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(requests).toEqual([])
  })

  it.each(['stall', 'stall-deaf'] as const)(
    'in the middle of a stream (%s) rejects with the reason',
    async (atEnd) => {
      const controller = new AbortController()
      const { model } = chatWith(stream([chunk({ content: 'Half' })], { atEnd }))
      const seen: string[] = []
      const onText = (text: string) => {
        seen.push(text)
        controller.abort(reason)
      }
      await expect(model.chat({ messages, onText, signal: controller.signal })).rejects.toBe(reason)
      expect(seen).toEqual(['Half'])
    },
  )

  it('delivers no text that was on its way in one piece', async () => {
    const controller = new AbortController()
    const { model } = chatWith(async (...request) => {
      const whole = await (await answer({ content: 'x' })(...request)).bytes()
      const body = new ReadableStream<Uint8Array>({
        pull(stream) {
          controller.abort(reason)
          stream.enqueue(whole)
          stream.close()
        },
      })
      return new Response(body, { headers: { 'content-type': 'application/json' } })
    })
    const seen: string[] = []
    const call = model.chat({ messages, onText: (text) => seen.push(text), signal: controller.signal })
    await expect(call).rejects.toBe(reason)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(seen).toEqual([])
  })

  it.each(['aborts', 'throws'])('closes a real connection when the listener %s', async (what) => {
    const controller = new AbortController()
    const closed = Promise.withResolvers<void>()
    await using server = await loopback((_request, response) => {
      response.on('close', () => closed.resolve())
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(sseText([chunk({ content: 'Half' })]))
    })
    const model = createOpenAiChat({ model: 'm', baseUrl: server.baseUrl })
    const onText = () => {
      if (what === 'throws') throw reason
      controller.abort(reason)
    }
    await expect(model.chat({ messages, onText, signal: controller.signal })).rejects.toBe(reason)
    await closed.promise
  })
})

describe('timeoutMs', () => {
  it.each<[string, Reply]>([
    ['no answer comes', hang()],
    ['the fetch does not listen', hang(true)],
    ['the stream stalls', stream([chunk({ content: 'Half' })], { atEnd: 'stall' })],
    ['the stream stalls and does not listen', stream([chunk({ content: 'Half' })], { atEnd: 'stall-deaf' })],
  ])('ends the call when %s', async (_name, reply) => {
    const { model } = chatWith(reply, { timeoutMs: 30 })
    expect(await errorOf(model.chat({ messages, onText: () => {} }))).toMatchObject({ kind: 'timeout' })
  })
})
