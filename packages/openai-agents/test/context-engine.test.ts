import {
  Agent,
  type AgentInputItem,
  MemorySession,
  type ModelRequest,
  OpenAIResponsesModel,
  run,
  setTracingDisabled,
  tool,
  Usage,
} from '@openai/agents'
import compressor from '@palimpsest/compressor'
import { defineContextEngine } from '@palimpsest/core'
import lcm from '@palimpsest/lcm'
import { describe, expect, it, vi } from 'vitest'
import { contextEngine } from '../src/index.ts'
import { type ResponsesBody, responsesApi, said, thoughtAndCall } from './support/responses-api.ts'

setTracingDisabled(true)

const read = tool({
  name: 'read',
  description: 'Reads a file.',
  strict: false,
  parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
  execute: () => 'the ledger counts in cents. '.repeat(80),
})

const typesOf = ({ input }: ResponsesBody) => input.map(({ type, role }) => String(type ?? role))

/** An agent that reads `steps` files before it answers. */
function reader(context: ReturnType<typeof contextEngine>, steps: number) {
  const { client, bodies } = responsesApi((_, index) =>
    index % (steps + 1) < steps
      ? thoughtAndCall(String(index), 'read', { path: index })
      : [said(`msg_${index}`, 'Cents.')],
  )
  const model = context.wrap(new OpenAIResponsesModel(client, 'gpt-5.6'))
  const tools = [read, ...context.tools]
  return {
    agent: new Agent({ name: 'Coder', instructions: 'You are a coding agent.', model, tools }),
    bodies,
  }
}

describe('a model of the Responses API', () => {
  it('gets its own items until a compaction, and each kept call with its thought behind one', async () => {
    const context = contextEngine({ engine: compressor, contextLength: 8_000 })
    const compacted: number[] = []
    const { agent, bodies } = reader(context, 14)
    context.session.subscribe((event) => {
      if (event.type === 'compaction' && event.committed) compacted.push(bodies.length)
    })
    const session = new MemorySession()
    const { finalOutput } = await run(agent, 'Read everything.', { session, maxTurns: 30 })
    expect(finalOutput).toBe('Cents.')
    expect(compacted.length).toBeGreaterThan(0)
    for (const [index, body] of bodies.entries()) {
      const before = bodies[index - 1]
      if (before === undefined) continue
      if (!compacted.includes(index)) {
        expect(body.input.slice(0, before.input.length)).toEqual(before.input)
        continue
      }
      const types = typesOf(body)
      const thoughts = types.filter((type) => type === 'reasoning')
      expect(thoughts.length).toBeGreaterThan(0)
      expect(thoughts).toHaveLength(types.filter((type) => type === 'function_call').length)
      expect(JSON.stringify(body.input)).toContain('[Context summary: reference only]')
    }
    // One question, 14 thoughts, calls and results, one answer.
    expect(await session.getItems()).toHaveLength(44)
    expect(context.lastSent.length).toBeLessThan(44)
  })

  it('answers the calls of the engine’s tools, from the first request on', async () => {
    const context = contextEngine({ engine: lcm, contextLength: 100_000 })
    const { client, bodies } = responsesApi((_, index) =>
      index === 0 ? thoughtAndCall('grep', 'lcm_grep', { query: 'postgres' }) : [said('msg', 'Postgres.')],
    )
    const model = context.wrap(new OpenAIResponsesModel(client, 'gpt-5.6'))
    const agent = new Agent({ name: 'Coder', model, tools: context.tools })
    const { finalOutput } = await run(agent, 'We store everything in Postgres. In what?')
    expect(finalOutput).toBe('Postgres.')
    expect(bodies[0]?.tools?.map(({ name }) => name)).toContain('lcm_grep')
    expect(JSON.stringify(bodies[1]?.input.at(-1))).toMatch(/function_call_output.*Postgres/)
    await context.end()
  })

  it('is asked as it is when OpenAI keeps the conversation', async () => {
    const context = contextEngine({ engine: compressor, contextLength: 100 })
    const { agent, bodies } = reader(context, 0)
    await run(agent, 'The ledger counts in cents. '.repeat(100), { conversationId: 'conv_1' })
    expect(context.session.transcript).toEqual([])
    expect(bodies).toHaveLength(1)
  })
})

describe('a stream that fails before its output', () => {
  const failed = (code: string) => ({
    type: 'response.failed',
    response: { status: 'failed', output: [], error: { code, message: 'It failed.' } },
  })
  const history = Array.from({ length: 40 }, (_, index): AgentInputItem[] => [
    { role: 'user', content: `Question ${index}: ${'in what does the ledger count? '.repeat(40)}` },
    {
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Cents.' }],
    },
  ]).flat()

  /** The types of the raw events, and how the run ended. */
  async function stream(refusal: { readonly type: string }) {
    const context = contextEngine({ engine: compressor, contextLength: 40_000 })
    const { client, bodies } = responsesApi((_, index) => (index === 0 ? refusal : [said('msg', 'Cents.')]))
    const agent = new Agent({
      name: 'Coder',
      model: context.wrap(new OpenAIResponsesModel(client, 'gpt-5.6')),
    })
    const result = await run(agent, [...history, { role: 'user', content: 'In what?' }], { stream: true })
    const seen: unknown[] = []
    const error = await (async () => {
      for await (const event of result)
        if (event.type === 'raw_model_stream_event')
          seen.push(event.data.type === 'model' ? event.data.event.type : event.data.type)
      await result.completed
    })().catch((reason: unknown) => reason)
    return { bodies, seen, error, result }
  }

  it.each([
    ['response.failed', failed('context_length_exceeded')],
    ['error', { type: 'error', code: 'context_length_exceeded', message: 'It failed.' }],
  ])('is asked for anew when %s says that the prompt is too long', async (_, refusal) => {
    const { bodies, seen, error, result } = await stream(refusal)
    expect(error).toBeUndefined()
    expect(result.finalOutput).toBe('Cents.')
    expect(bodies).toHaveLength(2)
    expect(bodies[1]?.input.length).toBeLessThan(history.length)
    expect(seen).toEqual([
      'response_started',
      'response.created',
      'response.in_progress',
      'response_done',
      'response.completed',
    ])
  })

  it('hands on what was held back, and the error with its cause, when another prompt does not help', async () => {
    const { bodies, seen, error } = await stream(failed('server_error'))
    expect(bodies).toHaveLength(1)
    expect(seen).toEqual(['response_started', 'response.created', 'response.in_progress', 'response.failed'])
    expect(error).toMatchObject({ name: 'ModelBehaviorError', cause: { code: 'server_error' } })
  })
})

it('hands over with one conversation: each agent has its own instructions and sees what was said', async () => {
  const context = contextEngine({ engine: compressor, contextLength: 100_000 })
  const { client, bodies } = responsesApi((_, index) =>
    index === 0 ? thoughtAndCall('go', 'transfer_to_Bookkeeper', {}) : [said('msg', 'Cents.')],
  )
  const model = context.wrap(new OpenAIResponsesModel(client, 'gpt-5.6'))
  const bookkeeper = new Agent({ name: 'Bookkeeper', instructions: 'You keep the books.', model })
  const triage = new Agent({ name: 'Triage', instructions: 'You hand over.', model, handoffs: [bookkeeper] })
  const { finalOutput } = await run(triage, 'In what does the ledger count?')
  expect(finalOutput).toBe('Cents.')
  expect(bodies.map(({ instructions }) => instructions)).toEqual(['You hand over.', 'You keep the books.'])
  expect(bodies[1]?.input.slice(0, 1)).toEqual(bodies[0]?.input)
  expect(context.session.transcript.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool'])
})

/** The input that a model is sent for these items. */
async function sentFor(items: readonly object[], contextLength: number): Promise<unknown[]> {
  const context = contextEngine({ engine: compressor, contextLength })
  let sent: ModelRequest['input'] = []
  const model = context.wrap({
    async getResponse({ input }) {
      sent = input
      return { usage: new Usage(), output: [] }
    },
    getStreamedResponse: () => {
      throw new Error('nothing is streamed here')
    },
  })
  const input = items as AgentInputItem[]
  await model.getResponse({
    input,
    modelSettings: {},
    tools: [],
    outputType: 'text',
    handoffs: [],
    tracing: false,
  })
  return sent as AgentInputItem[]
}

const shell = (stdout: string) => [
  { type: 'shell_call', id: 'sh_1', callId: 's1', status: 'completed', action: { commands: ['ls'] } },
  {
    type: 'shell_call_output',
    callId: 's1',
    output: [{ stdout, stderr: '', outcome: { type: 'exit', exitCode: 0 } }],
  },
]
const call = (output: unknown) => [
  { type: 'function_call', id: 'fc_1', callId: 'c1', name: 'read', arguments: '{}', status: 'completed' },
  { type: 'function_call_result', callId: 'c1', name: 'read', status: 'completed', output },
]

it.each([0, 1])(
  'says on the console that the engine fails, unless there is a listener: %i listeners',
  async (count) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const engine = defineContextEngine({
      name: `mute-in-agents-${count}`,
      apiVersion: 1,
      description: 'fails',
      create: () => ({ shouldCompress: () => true, compress: () => Promise.reject(new Error('mute')) }),
    })
    const context = contextEngine({ engine, contextLength: 8_000 })
    if (count > 0) context.session.subscribe(() => {})
    const { agent } = reader(context, 0)
    await run(agent, 'Yes?')
    expect(warn.mock.calls).toEqual(count > 0 ? [] : [[expect.stringMatching(/^palimpsest: .*mute/)]])
    warn.mockRestore()
  },
)

it('sends items of every kind as they are', async () => {
  const content = [{ type: 'output_text', text: 'A picture.' }]
  const items = [
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'Look.' },
        { type: 'input_image', image: 'https://a.example/b.png' },
        { type: 'input_file', file: { id: 'file_1' } },
      ],
    },
    { type: 'hosted_tool_call', id: 'ws_1', name: 'web_search_call', status: 'completed' },
    { type: 'message', role: 'assistant', status: 'completed', content },
    ...shell('a'),
    ...call({ type: 'text', text: 'b' }),
    { role: 'system', content: 'Be short.' },
    { type: 'unknown', providerData: { type: 'later' } },
    { role: 'user', content: 'And?' },
  ]
  expect(await sentFor(items, 100_000)).toEqual(items)
})

const long = 'the ledger counts in cents. '.repeat(1_000)
const cutText = expect.stringContaining('ledger counts')

it.each([
  ['a shell', shell(long), { output: [{ ...shell('')[1]?.output?.[0], stdout: cutText }] }],
  ['a function', call({ type: 'text', text: long }), { output: cutText }],
])('cuts a result of %s that is larger than the window, in its own form', async (_, items, cut) => {
  const sent = await sentFor([{ role: 'user', content: 'Read.' }, ...items], 3_000)
  expect(sent[0]).toEqual({ role: 'user', content: 'Read.' })
  expect(sent.slice(-2)).toEqual([items[0], { ...items[1], ...cut }])
  expect(JSON.stringify(sent).length).toBeLessThan(12_000)
})
