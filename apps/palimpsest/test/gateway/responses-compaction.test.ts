import type { Loose } from '@palimpsest/core'
import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { filler } from './forgetful-model.ts'
import { startMockResponses } from './mock-responses.ts'
import type { ResponsesBody } from './responses-fault.ts'
import { startTestGateway } from './test-gateway.ts'

const WINDOW = 30_000
const COMPACTION = { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAA-COMPACTED' }
const CALC = { type: 'function', name: 'calc', parameters: { type: 'object', properties: {} } }

type Input = Loose[]

const triggers = (input: ResponsesBody['input']) =>
  Array.isArray(input) && input.at(-1)?.type === 'compaction_trigger'

async function start() {
  const upstream = await startMockResponses({
    answer: ({ input, tools = [] }) =>
      triggers(input)
        ? { item: COMPACTION }
        : tools.some(({ name }) => name === 'calc')
          ? { calls: [{ name: 'calc' }] }
          : { thinks: true, text: `Heard ${input.length}.` },
  })
  const { baseUrl, log } = await startTestGateway({ baseUrl: upstream.baseUrl, window: WINDOW })
  const client = new OpenAI({ baseURL: baseUrl, apiKey: 'key', maxRetries: 0 })
  const ask = async (input: Input, { isStream = false, headers = {}, ...rest }: Loose = {}) => {
    const body = { model: 'gpt-5', store: false, instructions: 'Be brief.', input, ...rest } as never
    const options = { headers: { 'thread-id': 'thread', ...(headers as object) } }
    const answer = isStream
      ? await client.responses.stream(body, options).finalResponse()
      : await client.responses.create(body, options)
    return (answer as OpenAI.Responses.Response).output as unknown as Input
  }
  const sent = () => upstream.requests.at(-1)?.body.input as Input
  return { upstream, ask, sent, log }
}

const question = (turn: number) => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text: `${turn}: ${filler(`q${turn}`, 500)}` }],
})

const said = (input: Input) =>
  input.filter(({ type }) => type !== 'reasoning').map(({ id: _, ...item }) => item)

test.each([
  ['whole', false],
  ['streamed', true],
] as const)(
  'a compaction of the provider sees the whole list, and its item is always sent, %s',
  async (_, isStream) => {
    const { upstream, ask, sent } = await start()
    let input: Input = []
    const turn = async (number: number) => {
      input.push(question(number))
      input.push(...(await ask(input, { isStream })))
    }
    for (let number = 0; number < 24; number++) await turn(number)
    expect(sent().length).toBeLessThan(input.length / 2)

    const compact = [...input, { type: 'compaction_trigger' }]
    const output = await ask(compact, { isStream })
    expect(said(sent())).toEqual(said(compact))
    expect(output).toEqual([COMPACTION])

    input = [COMPACTION]
    for (let number = 24; number < 60; number++) {
      await turn(number)
      expect(sent()[0]).toEqual(COMPACTION)
    }
    expect(sent().length).toBeLessThan(input.length / 2)
    // This server binds reasoning to its beginning: the gateway learns that from the first refusal.
    expect(upstream.refused.length).toBeLessThanOrEqual(1)
  },
)

test('a list that its client compacts, or has the provider compact, is forwarded whole', async () => {
  const { upstream, ask, sent } = await start()
  const input: Input = []
  const context_management = [{ type: 'compaction', compact_threshold: 50_000 }]
  for (let number = 0; number < 24; number++) {
    input.push(question(number))
    input.push(...(await ask(input, { context_management })))
    expect(said(sent())).toEqual(said(input).slice(0, -1))
  }
  const own = { 'x-codex-turn-metadata': JSON.stringify({ request_kind: 'compaction' }) }
  const asked = [...input, question(24)]
  await ask(asked, { headers: own })
  expect(said(sent())).toEqual(said(asked))
  expect(upstream.refused).toEqual([])
})

test('the sealed task of a child, and what other agents sealed for it, are always sent, in their order', async () => {
  const { upstream, ask, sent } = await start()
  const sealed = (task: string) => ({
    type: 'agent_message',
    author: '/root',
    recipient: '/root/worker',
    content: [
      { type: 'input_text', text: 'Message Type: NEW_TASK' },
      { type: 'encrypted_content', encrypted_content: task },
    ],
  })
  const input: Input = [question(0), sealed('gAAAA-TASK')]
  for (let step = 1; step < 60; step++) {
    const output = await ask(input, { tools: [CALC] })
    const call = output.at(-1)
    input.push(...output, {
      type: 'function_call_output',
      call_id: call?.call_id,
      output: filler(`r${step}`, 400),
    })
    if (step === 15) input.push(sealed('gAAAA-SECOND'))
    const kept = sent().filter(({ type }) => type === 'agent_message')
    expect(kept).toEqual([sealed('gAAAA-TASK'), ...(step > 15 ? [sealed('gAAAA-SECOND')] : [])])
  }
  expect(sent().length).toBeLessThan(input.length / 2)
  expect(upstream.refused).toEqual([])
})
