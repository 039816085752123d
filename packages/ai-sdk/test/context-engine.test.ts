import compressor from '@palimpsest/compressor'
import { defineContextEngine } from '@palimpsest/core'
import lcm from '@palimpsest/lcm'
import { generateText, isStepCount, jsonSchema, type ModelMessage, streamText, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { NOTE, notingEngine } from '../../contract-tests/test/noting-engine.ts'
import { contextEngine } from '../src/index.ts'
import { chatter, compactions, listen, read, summariser } from './support/conversation.ts'
import { type Call, call, mockModel, promptTokens, text, thought } from './support/mock-model.ts'

const instructions = 'You are a coding agent.'
const stopWhen = isStepCount(100)

/** Reads `steps` files, one a step, and answers. */
const reader = (steps: number) =>
  mockModel((_, index) => {
    const step = index % (steps + 1)
    return step < steps ? [call(`read-${index}`, 'read', { path: `file-${index}.ts` })] : 'Cents.'
  })

describe.each(['generateText', 'streamText'] as const)('a tool loop of %s', (how) => {
  const run = async (input: Parameters<typeof generateText>[0]): Promise<ModelMessage[]> => {
    if (how === 'generateText') return (await generateText(input)).responseMessages
    const result = streamText(input)
    await result.consumeStream()
    return result.responseMessages
  }

  it('stays inside the window, and nothing is compacted twice when the app sends all of it again', async () => {
    const context = contextEngine({
      engine: compressor,
      contextLength: 8_000,
      model: summariser,
      tools: { read },
    })
    const events = listen(context)
    const { model, calls } = reader(18)
    const { prepareStep, onStepEnd } = context
    const messages: ModelMessage[] = [{ role: 'user', content: 'Read everything.' }]
    const turn = async () => {
      messages.push(
        ...(await run({ model, instructions, messages, tools: { read }, stopWhen, prepareStep, onStepEnd })),
      )
    }

    await turn()
    const first = compactions(events)
    expect(first).toBeGreaterThan(0)
    expect(Math.max(...calls.map(promptTokens))).toBeLessThan(8_000)
    // All that the application has is its own: 18 calls, 18 results, a question and an answer.
    expect(messages).toHaveLength(38)

    const last = calls.at(-1)?.prompt ?? []
    messages.push({ role: 'user', content: 'And what do we count in?' })
    await turn()
    expect(calls[19]?.prompt.slice(0, last.length)).toEqual(last)
    expect(events.filter(({ type }) => type === 'edited')).toEqual([])
    const ingested = events.map((event) => (event.type === 'ingested' ? event.count : 0))
    expect(ingested.reduce((sum, count) => sum + count, 0)).toBe(context.session.transcript.length)
    expect(Math.max(...calls.map(promptTokens))).toBeLessThan(8_000)
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: [{ type: 'text', text: 'Cents.' }] })
    expect(context.session.transcript).toHaveLength(messages.length)
    await context.end()
  })

  it('tells the engine what each answer cost, once', async () => {
    const context = contextEngine({ engine: compressor, contextLength: 100_000 })
    const events = listen(context)
    const { model, calls } = reader(3)
    const { prepareStep, onStepEnd } = context
    await run({ model, prompt: 'Read.', tools: { read }, stopWhen, prepareStep, onStepEnd })
    const told = events.flatMap((event) => (event.type === 'usage' ? [event.usage.promptTokens] : []))
    expect(told).toEqual(calls.map(promptTokens))
    expect(context.session.engine.lastPromptTokens).toBe(told.at(-1))
  })

  it('sends each step what the step before was sent, and more behind it, until a compaction', async () => {
    const context = contextEngine({ engine: compressor, contextLength: 8_000, model: summariser })
    const breaks: number[] = []
    const { model, calls } = reader(20)
    const events = listen(context)
    const prepareStep: typeof context.prepareStep = async (step, options) => {
      const before = compactions(events)
      const result = await context.prepareStep(step, options)
      if (compactions(events) > before) breaks.push(step.stepNumber)
      else expect(result?.messages).toBeUndefined()
      return result
    }
    await run({ model, instructions, prompt: 'Read.', tools: { read }, stopWhen, prepareStep })
    expect(breaks.length).toBeGreaterThan(0)
    for (const [index, { prompt }] of calls.entries()) {
      const before = calls[index - 1]?.prompt
      if (before === undefined || breaks.includes(index)) continue
      expect(prompt.slice(0, before.length)).toEqual(before)
      expect(prompt.length).toBeGreaterThan(before.length)
    }
  })
})

it('works without onStepEnd: what a step cost is known when the next one begins', async () => {
  const context = contextEngine({ engine: compressor, contextLength: 100_000 })
  const events = listen(context)
  const { model, calls } = reader(3)
  await generateText({ model, prompt: 'Read.', tools: { read }, stopWhen, prepareStep: context.prepareStep })
  const told = events.flatMap((event) => (event.type === 'usage' ? [event.usage.promptTokens] : []))
  expect(told).toEqual(calls.slice(0, -1).map(promptTokens))
})

it('answers the calls of the engine’s tools, from the first step on', async () => {
  const context = contextEngine({ engine: lcm, contextLength: 6_000 })
  expect(Object.keys(context.tools)).toContain('lcm_grep')
  const { model, calls } = mockModel((_, index) =>
    index === 0 ? [call('grep', 'lcm_grep', { query: 'postgres' })] : 'Postgres.',
  )
  const messages: ModelMessage[] = [
    { role: 'user', content: 'We store everything in Postgres.' },
    { role: 'assistant', content: 'Noted.' },
    ...chatter(60),
    { role: 'user', content: 'Which database?' },
  ]
  const { steps } = await generateText({
    model,
    instructions,
    messages,
    tools: context.tools,
    stopWhen,
    prepareStep: context.prepareStep,
  })
  expect(calls[0]?.prompt.length).toBeLessThan(40)
  expect(JSON.parse(String(steps[0]?.toolResults[0]?.output))).toMatchObject({
    hits: [{ ref: 'm1', role: 'user' }],
  })
  expect(calls[0]?.tools?.map(({ name }) => name)).toEqual(calls[1]?.tools?.map(({ name }) => name))
  await context.end()
})

it('leaves a tool of the engine out when the application has one of that name', () => {
  expect(
    Object.keys(contextEngine({ engine: lcm, contextLength: 6_000, tools: { lcm_grep: read } }).tools),
  ).not.toContain('lcm_grep')
})

it('counts the application’s tools before the provider has counted anything', async () => {
  const huge = tool({
    description: 'Reads a file. '.repeat(2_000),
    inputSchema: jsonSchema({ type: 'object' }),
  })
  const sizes = await Promise.all(
    [{ tools: { huge } }, {}].map(async (options) => {
      const context = contextEngine({ engine: compressor, contextLength: 14_000, ...options })
      const events = listen(context)
      const { model } = mockModel(() => 'Cents.')
      await generateText({
        model,
        messages: chatter(25).concat({ role: 'user', content: 'In what?' }),
        prepareStep: context.prepareStep,
      })
      return compactions(events)
    }),
  )
  expect(sizes).toEqual([1, 0])
})

it('keeps everything when the engine fails', async () => {
  const broken = defineContextEngine({
    name: 'broken',
    apiVersion: 1,
    description: 'wants to compact, and cannot',
    create: (_, { model }) => ({
      shouldCompress: () => true,
      compress: async () => {
        await model?.complete({ prompt: 'Summarise.' })
        throw new Error('not reached')
      },
    }),
  })
  const { model: failing } = mockModel(() => [])
  const context = contextEngine({ engine: broken, contextLength: 8_000, model: failing })
  const events = listen(context)
  const { model, calls } = mockModel(() => 'Cents.')
  const messages = chatter(40).concat({ role: 'user', content: 'In what?' })
  await generateText({ model, messages, prepareStep: context.prepareStep })
  expect(calls[0]?.prompt).toHaveLength(81)
  const warnings = events.flatMap((event) => (event.type === 'warning' ? [event.warning.message] : []))
  expect(warnings[0]).toContain('everything was kept: the model answered without any text')
})

it('loses nothing when the summariser fails, and says so', async () => {
  const failing = { name: 'failing', complete: () => Promise.reject(new Error('boom')) }
  const context = contextEngine({ engine: lcm, contextLength: 8_000, model: failing })
  const events = listen(context)
  const { model, calls } = mockModel(() => 'Cents.')
  const messages = chatter(40).concat({ role: 'user', content: 'In what?' })
  await generateText({ model, messages, prepareStep: context.prepareStep })
  expect(promptTokens(calls[0] as Call)).toBeLessThan(8_000)
  expect(context.session.transcript).toHaveLength(81)
  expect(JSON.stringify(events.filter(({ type }) => type === 'warning'))).toContain('boom')
})

it('stops a compaction when the call is aborted, and loses nothing', async () => {
  const controller = new AbortController()
  const reason = new Error('the user went away')
  let isSlow = true
  const slow: typeof summariser = {
    name: 'slow',
    complete: (request) => {
      if (!isSlow) return summariser.complete(request)
      controller.abort(reason)
      return new Promise(() => {})
    },
  }
  const context = contextEngine({ engine: compressor, contextLength: 8_000, model: slow })
  const { model, calls } = mockModel(() => 'Cents.')
  const messages = chatter(40).concat({ role: 'user', content: 'In what?' })
  const { signal: abortSignal } = controller
  const aborted = generateText({
    model,
    messages,
    abortSignal,
    prepareStep: (step) => context.prepareStep(step, { abortSignal }),
  })
  await expect(aborted).rejects.toBe(reason)
  expect(calls).toHaveLength(0)
  isSlow = false
  await generateText({ model, messages, prepareStep: context.prepareStep })
  expect(calls[0]?.prompt.length).toBeLessThan(40)
  expect(context.session.transcript).toHaveLength(81)
})

it('takes the thoughts away that stand behind a compaction, with the ids that need them, and leaves the others', async () => {
  const context = contextEngine({ engine: compressor, contextLength: 8_000, model: summariser })
  const { model, calls } = mockModel((_, index) =>
    index < 20
      ? [
          thought(`look at ${index}`),
          { ...text('Reading.'), providerMetadata: { openai: { itemId: `item ${index}` } } },
          call(`read-${index}`, 'read', { path: `${index}` }),
        ]
      : 'Cents.',
  )
  const events = listen(context)
  let compactedAt = 0
  await generateText({
    model,
    prompt: 'Read.',
    tools: { read },
    stopWhen,
    async prepareStep(step) {
      const before = compactions(events)
      const result = await context.prepareStep(step)
      if (before === 0 && compactions(events) > 0) compactedAt = step.stepNumber
      return result
    },
  })
  const found = (index: number, what: RegExp) => JSON.stringify(calls[index]?.prompt).match(what) ?? []
  const thoughts = (index: number) => found(index, /signed look at \d+/g)
  const items = (index: number) => found(index, /item \d+/g)
  expect(compactedAt).toBeGreaterThan(1)
  expect(thoughts(compactedAt - 1)).toHaveLength(compactedAt - 1)
  // Newer models refuse a thought behind anything that has changed.
  expect(thoughts(compactedAt)).toEqual([])
  expect(thoughts(compactedAt + 1)).toEqual([`signed look at ${compactedAt}`])
  // OpenAI refuses the id of a text whose thought is gone.
  expect(items(compactedAt - 1)).toHaveLength(compactedAt - 1)
  expect(items(compactedAt)).toEqual([])
  expect(items(compactedAt + 1)).toEqual([`item ${compactedAt}`])
})

it('puts an engine’s note behind the instructions, once, and takes new instructions', async () => {
  const context = contextEngine({ engine: notingEngine, contextLength: 8_000, model: summariser })
  const { model, calls } = reader(20)
  const ask = (own: Parameters<typeof generateText>[0]['instructions']) =>
    generateText({
      model,
      ...(own !== undefined && { instructions: own }),
      messages: chatter(40).concat({ role: 'user', content: 'In what?' }),
      tools: { read },
      stopWhen,
      prepareStep: context.prepareStep,
    })
  await ask(instructions)
  const systems = calls.map(({ prompt }) =>
    prompt.filter(({ role }) => role === 'system').map(({ content }) => content),
  )
  expect(
    systems.every(([system, ...others]) => String(system).startsWith(instructions) && others.length === 0),
  ).toBe(true)
  expect(new Set(systems.flat()).size).toBe(1)
  expect(systems[0]?.[0]).toBe(`${instructions}\n\n${NOTE}`)

  calls.length = 0
  const marked = {
    role: 'system',
    content: 'You are terse.',
    providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  } as const
  await ask(marked)
  expect(calls[0]?.prompt[0]).toMatchObject(marked)
  expect(calls.at(-1)?.prompt.filter(({ role }) => role === 'system')).toHaveLength(2)
})

it('says nothing about messages that can go as they are', async () => {
  const context = contextEngine({ engine: compressor, contextLength: 100_000 })
  const messages: ModelMessage[] = [
    {
      role: 'user',
      content: [
        { type: 'image', image: new Uint8Array([1, 2, 3]) },
        { type: 'text', text: 'What is it?' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: '1', toolName: 'a', input: { b: 1, a: 2 } },
        { type: 'tool-call', toolCallId: '2', toolName: 'b', input: {} },
      ],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: '1', toolName: 'a', output: { type: 'execution-denied' } },
        { type: 'tool-result', toolCallId: '2', toolName: 'b', output: { type: 'json', value: null } },
      ],
    },
    { role: 'user', content: 'Go on.' },
  ]
  const before = structuredClone(messages)
  const step = {
    stepNumber: 0,
    steps: [],
    messages,
    initialMessages: messages,
    responseMessages: [],
    instructions,
  }
  expect(await context.prepareStep(step)).toBeUndefined()
  expect(messages).toEqual(before)
  expect(context.session.transcript.map(({ role }) => role)).toEqual([
    'system',
    'user',
    'assistant',
    'tool',
    'tool',
    'user',
  ])
})

it('knows its conversation when other code changes the messages behind it', async () => {
  const context = contextEngine({ engine: compressor, contextLength: 8_000, model: summariser })
  const events = listen(context)
  const { model, calls } = reader(20)
  const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } }
  const { responseMessages } = await generateText({
    model,
    messages: [{ role: 'user', content: 'Read.' }],
    tools: { read },
    stopWhen,
    async prepareStep(step) {
      const { messages = step.messages } = (await context.prepareStep(step)) ?? {}
      return { messages: messages.map((message) => ({ ...message, providerOptions })) }
    },
  })
  expect(compactions(events)).toBeGreaterThan(0)
  expect(events.filter(({ type }) => type === 'edited')).toEqual([])
  expect(context.session.transcript).toHaveLength(responseMessages.length)
  expect(Math.max(...calls.map(promptTokens))).toBeLessThan(8_000)
})

it('carries 100 steps through a small window', async () => {
  const contextLength = 6_000
  const context = contextEngine({ engine: lcm, contextLength, maxOutputTokens: 500, tools: { read } })
  const { model, calls } = reader(9)
  const tools = { read, ...context.tools }
  const messages: ModelMessage[] = [{ role: 'user', content: 'Remember: the password file is kept by Ada.' }]
  for (let turn = 0; turn < 10; turn++) {
    const { prepareStep, onStepEnd } = context
    const { responseMessages } = await generateText({
      model,
      instructions,
      messages,
      tools,
      stopWhen,
      prepareStep,
      onStepEnd,
    })
    messages.push(...responseMessages, { role: 'user', content: `Now part ${turn}.` })
  }
  expect(calls).toHaveLength(100)
  expect(Math.max(...calls.map(promptTokens))).toBeLessThan(contextLength - 500)
  const found = JSON.parse(await context.session.callTool('lcm_grep', { query: 'password' }))
  expect(found.hits[0]).toMatchObject({ ref: 'm1', role: 'user' })
  await context.end()
})
