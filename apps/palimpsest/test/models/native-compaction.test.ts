import Anthropic from '@anthropic-ai/sdk'
import compressor from '@palimpsest/compressor'
import {
  type AssistantMessage,
  createContextSession,
  type Message,
  messageText,
  readSummary,
  runTurn,
} from '@palimpsest/core'
import { createGateway } from '@palimpsest/gateway'
import { createOpenAiCompletion } from '@palimpsest/openai'
import { createTokenCounter } from '@palimpsest/tokens'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { createAnthropicModels } from '../../src/models/create-anthropic-models.ts'
import { type AnthropicBody, blocksOf } from '../gateway/anthropic-fault.ts'
import { filler } from '../gateway/forgetful-model.ts'
import { type MockAnthropic, startMockAnthropic } from '../gateway/mock-anthropic.ts'
import { startMockResponses } from '../gateway/mock-responses.ts'

const MODEL = 'claude-sonnet-5-5'
const WINDOW = 12_000
const tokens = createTokenCounter()

const start = () =>
  startMockAnthropic({ answer: ({ messages }) => ({ text: `Heard ${messages.length}.` }), window: WINDOW })
const modelsAt = ({ baseUrl }: MockAnthropic) => createAnthropicModels({ model: MODEL, apiKey: 'k', baseUrl })
const sent = (upstream: MockAnthropic) => upstream.requests.at(-1)?.body as AnthropicBody
const firstBlock = (upstream: MockAnthropic) => blocksOf(sent(upstream).messages[0]?.content)[0]

type Models = Awaited<ReturnType<typeof modelsAt>>

/** A conversation whose compactions are the provider's. */
async function open({ completion }: Pick<Models, 'completion'>) {
  const session = createContextSession({
    engine: compressor,
    options: { summariser: 'native' },
    contextLength: WINDOW,
    model: completion,
    modelName: MODEL,
    tokens,
  })
  const list: Message[] = [{ role: 'system', content: 'Be brief.' }]
  const warned: string[] = []
  session.subscribe((event) => {
    if (event.type === 'warning') warned.push(event.warning.code)
  })
  const turn = async (chat: Models['chat'], number: number) => {
    list.push({ role: 'user', content: `${number}: ${filler(`q${number}`, 300)}` })
    const { messages, cache } = await session.prepare(list)
    const { message, usage } = await chat.chat({ messages, cache })
    await session.observe({ message, ...(usage && { usage }) })
    list.push(message as AssistantMessage)
    return messages
  }
  return { session, list, turn, warned }
}

test('a compaction of Anthropic stands first in each later prompt, and is compacted again with what came since', async () => {
  const upstream = await start()
  const { chat, completion } = await modelsAt(upstream)
  const { turn, warned } = await open({ completion })
  let messages: readonly Message[] = []
  for (let number = 0; number < 40; number++) messages = await turn(chat, number)
  const compactions = upstream.requests.filter(({ body }) => body.compaction !== undefined)
  expect(compactions.length).toBeGreaterThan(2)
  // The second one goes on from the block of the first.
  expect(blocksOf(compactions[1]?.body.messages[0]?.content)[0]?.type).toBe('compaction')
  expect(firstBlock(upstream)).toMatchObject({ type: 'compaction', signature: expect.any(String) })
  expect([upstream.faults, upstream.overflows, warned]).toEqual([[], 0, []])
  const [summary] = messages.filter((message) => readSummary(message) !== undefined)
  expect(summary && messageText(summary)).toContain(String(firstBlock(upstream)?.content))
})

test('another account goes on with the text of a compaction that it cannot read, and so does another model', async () => {
  const [first, second] = [await start(), await start()]
  const [models, others] = [await modelsAt(first), await modelsAt(second)]
  const { session, list, turn, warned } = await open(models)
  for (let number = 0; number < 20; number++) await turn(models.chat, number)
  const content = String(firstBlock(first)?.content)
  const ask = async ({ chat }: Models) => {
    list.push({ role: 'user', content: 'And now?' })
    const { messages } = await runTurn({
      session,
      messages: list,
      ask: ({ messages: shown }) => chat.chat({ messages: shown }),
    })
    list.push(...messages)
  }
  await ask(others)
  await ask(others)
  expect([second.faults, warned]).toEqual([['compaction_content_mismatch'], ['native-compaction-left']])
  expect(firstBlock(second)?.type).toBe('text')
  expect(JSON.stringify(sent(second).messages[0])).toContain(content)
})

test('a provider without a compaction of its own has its model write the summary, and a warning says so', async () => {
  const upstream = await startMockAnthropic({
    answer: () => ({ text: '## Goal\nThe user counts.' }),
    window: WINDOW,
  })
  const { chat, completion } = await modelsAt(upstream)
  const { compact: _, ...plain } = completion
  const { turn, warned } = await open({ completion: plain })
  let messages: readonly Message[] = []
  for (let number = 0; number < 20; number++) messages = await turn(chat, number)
  expect(warned).toContain('native-compaction-unavailable')
  expect(messages.map(messageText).join('\n')).toContain('The user counts.')
})

test.each([true, false])(
  'an item of OpenAI stands for what it compacted, with a summary beside it: %s',
  async (portable) => {
    const upstream = await startMockResponses({
      answer: ({ input }) => ({ thinks: true, text: `Heard ${input.length}.` }),
      compacts: true,
      bindsReasoning: false,
    })
    const { baseUrl } = upstream
    let summaries = 0
    const model = {
      ...createOpenAiCompletion({ model: 'gpt-6', apiKey: 'k', baseUrl }),
      complete: async () => ({ text: `## Goal\nSummary ${++summaries}.`, finishReason: 'stop' as const }),
    }
    const warned: string[] = []
    const gateway = createGateway({
      upstream: { baseUrl },
      window: WINDOW,
      log: () => {},
      open({ modelName, sessionId, contextLength }) {
        const options = { summariser: 'native' as const, portable }
        const session = createContextSession({
          engine: compressor,
          options,
          contextLength,
          model,
          modelName,
          sessionId,
          tokens,
        })
        session.subscribe((event) => {
          if (event.type === 'warning') warned.push(event.warning.code)
        })
        return session
      },
    })
    const fetchGateway = (url: string | URL | Request, init?: RequestInit) =>
      gateway.fetch(new Request(url, init))
    const client = new OpenAI({
      baseURL: 'http://gateway/v1',
      apiKey: 'k',
      maxRetries: 0,
      fetch: fetchGateway,
    })
    const input: OpenAI.Responses.ResponseInputItem[] = []
    const turn = async (number: number, name = 'gpt-6') => {
      input.push({ role: 'user', content: `${number}: ${filler(`q${number}`, 300)}` })
      const headers = { 'thread-id': 'thread' }
      const answer = await client.responses.create(
        { model: name, store: false, instructions: 'Be brief.', input },
        { headers },
      )
      input.push(...(answer.output as OpenAI.Responses.ResponseInputItem[]))
      return upstream.requests.at(-1)?.body.input as readonly { type: string; encrypted_content?: string }[]
    }
    let sent = await turn(0)
    for (let number = 1; number < 40; number++) sent = await turn(number)
    const compactions = upstream.requests.filter(({ path }) => path.endsWith('/compact'))
    expect(compactions.length).toBeGreaterThan(2)
    expect(JSON.stringify(compactions[1]?.body.input)).toContain('gAAAA_')
    expect(sent.filter(({ type }) => type === 'compaction')).toHaveLength(1)
    expect(JSON.stringify(sent)).not.toContain('Summary')
    expect([upstream.refused, warned]).toEqual([[], []])
    expect(summaries > 0).toBe(portable)

    // Another model goes on with the text.
    sent = await turn(40, 'gpt-7')
    expect(sent.some(({ type }) => type === 'compaction')).toBe(false)
    expect(JSON.stringify(sent)).toContain(portable ? 'Summary' : 'only it reads')
    expect(warned).toEqual(['native-compaction-left'])
    await gateway.close()
  },
)

test('a compaction of Anthropic stands first in the requests of a client behind the gateway', async () => {
  const upstream = await start()
  const { completion: model } = await modelsAt(upstream)
  const gateway = createGateway({
    upstream: { baseUrl: upstream.baseUrl },
    window: WINDOW,
    log: () => {},
    open: ({ modelName, sessionId, contextLength }) =>
      createContextSession({
        ...{ engine: compressor, options: { summariser: 'native' }, model },
        ...{ modelName, sessionId, contextLength, tokens },
      }),
  })
  const fetchGateway = (url: string | URL | Request, init?: RequestInit) =>
    gateway.fetch(new Request(url, init))
  const client = new Anthropic({ baseURL: 'http://gateway', apiKey: 'k', maxRetries: 0, fetch: fetchGateway })
  const messages: Anthropic.MessageParam[] = []
  for (let number = 0; number < 40; number++) {
    messages.push({ role: 'user', content: `${number}: ${filler(`q${number}`, 300)}` })
    const headers = { 'anthropic-beta': 'a-flag-of-the-client' }
    const { content } = await client.messages.create({ model: MODEL, max_tokens: 100, messages }, { headers })
    messages.push({ role: 'assistant', content })
  }
  expect(firstBlock(upstream)).toMatchObject({ type: 'compaction', signature: expect.any(String) })
  expect(upstream.requests.at(-1)?.headers['anthropic-beta']).toBe('a-flag-of-the-client,compact-2026-09-04')
  expect([upstream.faults, upstream.overflows]).toEqual([[], 0])
  await gateway.close()
})
