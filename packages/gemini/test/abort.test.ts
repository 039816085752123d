import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { errorOf, hang, testKey } from '../../provider-utils/test/support/fake-server.ts'
import { loopback } from '../../provider-utils/test/support/loopback.ts'
import { createGeminiChat } from '../src/index.ts'
import { answer, chunk, type Reply, sseText, stream } from './support/fake-gemini.ts'
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
  it('directly after the call makes no request', async () => {
    const { model, requests } = completionWith(answer([{ text: 'x' }]))
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
      const { model } = chatWith(stream([chunk([{ text: 'Half' }])], { atEnd }))
      const seen: string[] = []
      const onText = (text: string) => {
        seen.push(text)
        controller.abort(reason)
      }
      await expect(model.chat({ messages, onText, signal: controller.signal })).rejects.toBe(reason)
      expect(seen).toEqual(['Half'])
    },
  )

  it('closes a real connection', async () => {
    const controller = new AbortController()
    let closed: (() => void) | undefined
    const connectionClosed = new Promise<void>((resolve) => {
      closed = resolve
    })
    await using server = await loopback((_request, response) => {
      response.on('close', () => closed?.())
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(sseText([chunk([{ text: 'Half' }])]))
    })
    const model = createGeminiChat({ model: 'gemini-3-flash', apiKey: testKey, baseUrl: server.baseUrl })
    const call = model.chat({ messages, onText: () => controller.abort(reason), signal: controller.signal })
    await expect(call).rejects.toBe(reason)
    await connectionClosed
  })

  it('is also what closes the connection when the listener throws', async () => {
    let closed: (() => void) | undefined
    const connectionClosed = new Promise<void>((resolve) => {
      closed = resolve
    })
    await using server = await loopback((_request, response) => {
      response.on('close', () => closed?.())
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(sseText([chunk([{ text: 'Half' }])]))
    })
    const model = createGeminiChat({ model: 'gemini-3-flash', apiKey: testKey, baseUrl: server.baseUrl })
    const onText = () => {
      throw reason
    }
    await expect(model.chat({ messages, onText })).rejects.toBe(reason)
    await connectionClosed
  })
})

describe('timeoutMs', () => {
  it.each<[string, Reply]>([
    ['no answer comes', hang()],
    ['the fetch does not listen', hang(true)],
    ['the stream stalls', stream([chunk([{ text: 'Half' }])], { atEnd: 'stall' })],
    ['the stream stalls and does not listen', stream([chunk([{ text: 'Half' }])], { atEnd: 'stall-deaf' })],
  ])('ends the call when %s', async (_name, reply) => {
    const { model } = chatWith(reply, { timeoutMs: 30 })
    const error = await errorOf(model.chat({ messages, onText: () => {} }))
    expect(error).toMatchObject({ name: 'ModelError', kind: 'timeout' })
  })
})
