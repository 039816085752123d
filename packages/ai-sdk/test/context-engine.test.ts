import compressor from '@palimpsest/compressor'
import { defineContextEngine } from '@palimpsest/core'
import lcm from '@palimpsest/lcm'
import { generateText, isStepCount, type ModelMessage, streamText } from 'ai'
import { describe, expect, it, vi } from 'vitest'
import { NOTE, notingEngine } from '../../contract-tests/test/noting-engine.ts'
import { contextEngine } from '../src/index.ts'
import { chatter, compactions, listen, read, summariser } from './support/conversation.ts'
import { call, mockModel, promptTokens, text, thought } from './support/mock-model.ts'

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
    hits: [{ ref: 'm1' }],
  })
  expect(calls[0]?.tools?.map(({ name }) => name)).toEqual(calls[1]?.tools?.map(({ name }) => name))
  await context.end()
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

it.each([0, 1])(
  'says on the console that the engine fails, unless there is a listener: %i listeners',
  async (count) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const engine = defineContextEngine({
      name: `mute-in-ai-sdk-${count}`,
      apiVersion: 1,
      description: 'fails',
      create: () => ({ shouldCompress: () => true, compress: () => Promise.reject(new Error('mute')) }),
    })
    const context = contextEngine({ engine, contextLength: 8_000 })
    if (count > 0) listen(context)
    const { model } = mockModel(() => 'Cents.')
    await generateText({ model, messages: chatter(4), prepareStep: context.prepareStep })
    expect(warn.mock.calls).toEqual(count > 0 ? [] : [[expect.stringMatching(/^palimpsest: .*mute/)]])
    warn.mockRestore()
  },
)

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

it('leaves each call its thought, and each text its id, behind a compaction too', async () => {
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
  const kept = (index: number) => found(index, /"read-\d+"/g).length / 2
  for (const index of [compactedAt - 1, compactedAt, compactedAt + 1]) {
    expect(thoughts(index)).toHaveLength(kept(index))
    expect(items(index)).toHaveLength(kept(index))
  }
  expect(kept(compactedAt)).toBeLessThan(compactedAt)
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
