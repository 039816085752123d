import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { findChatModels } from '../../src/chat/run-chat.ts'
import { listenForTest } from '../mock-server.ts'
import { agentBench, say, told } from './agent-bench.ts'

interface Content {
  readonly role: string
  readonly parts: readonly Record<string, unknown>[]
}

/** Gemini's streamed answers on this machine: what each request is answered with, one event a part. */
async function startGemini(...answers: readonly (readonly Record<string, unknown>[])[]) {
  const requests: { url: string; key: unknown; contents: Content[]; tools: unknown }[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const { contents, tools } = JSON.parse(text)
    const parts = answers[requests.length] ?? []
    requests.push({ url: request.url ?? '', key: request.headers['x-goog-api-key'], contents, tools })
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const [index, part] of parts.entries()) {
      const candidate = {
        content: { role: 'model', parts: [part] },
        ...(index === parts.length - 1 && { finishReason: 'STOP' }),
      }
      const usageMetadata = { promptTokenCount: 700, candidatesTokenCount: 20, cachedContentTokenCount: 500 }
      response.write(`data: ${JSON.stringify({ candidates: [candidate], usageMetadata })}\r\n\r\n`)
    }
    response.end()
  })
  return { baseUrl: await listenForTest(server), requests }
}

test('with a key of Gemini its real SDK runs the loop, and its thought signature comes back with the call', async () => {
  const call = { functionCall: { name: 'read_file', args: { path: 'a.txt' } }, thoughtSignature: 'c2lnbmVk' }
  const server = await startGemini([call], [{ text: 'It says ' }, { text: 'hello.' }])
  const bench = await agentBench({ 'a.txt': 'hello' })
  const flags = { model: 'gemini:gemini-3-flash-preview', baseUrl: server.baseUrl }
  const { model, ...found } = await findChatModels(flags, {}, { GEMINI_API_KEY: 'the key' })
  const agent = await bench.open(model, found)
  expect(agent.facts).toMatchObject({
    model: 'gemini:gemini-3-flash-preview',
    offline: false,
    caching: expect.stringMatching(/^Prompt caching: automatic/),
  })

  const { end, events } = await say(agent, 'What does a.txt say?')
  expect(end).toEqual({ reason: 'answered', text: 'It says hello.' })
  expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : []))).toEqual([
    'It says ',
    'hello.',
  ])
  expect(told(agent).at(-1)).toBe('assistant: It says hello.')
  expect(server.requests.map(({ key }) => key)).toEqual(['the key', 'the key'])
  expect(server.requests[0]?.url).toContain('gemini-3-flash-preview:streamGenerateContent')
  expect(JSON.stringify(server.requests[0]?.tools)).toContain('run_command')
  const [, asked, answered] = server.requests[1]?.contents ?? []
  expect(asked?.parts).toMatchObject([{ functionCall: { name: 'read_file' }, thoughtSignature: 'c2lnbmVk' }])
  expect(JSON.stringify(answered?.parts)).toContain('hello')
  expect(agent.status().costs).toMatchObject({
    requests: 2,
    promptTokens: 1_400,
    cachedTokens: 1_000,
    unreported: 0,
  })
  expect(agent.status().costs.usd).toBeGreaterThan(0)
})
