import { createTool } from '@mastra/core/tools'
import compressor from '@palimpsest/compressor'
import { defineContextEngine, keptResult, roughTokenCounter } from '@palimpsest/core'
import lcm from '@palimpsest/lcm'
import { describe, expect, it, vi } from 'vitest'
import { type Answer, promptTokens, scriptedProvider } from '../../../scripts/scripted-provider.ts'
import { contextEngine } from '../src/index.ts'
import { agentWith, compactions, inThread, listen, summariser } from './support/mastra-agent.ts'

/** Reads `steps` files, one a step and each after a thought, and answers. */
const reader =
  (steps: number) =>
  (_: unknown, index: number): Answer => {
    const step = index % (steps + 1)
    if (step === steps) return 'Cents.'
    return { thought: `look at ${index}`, calls: [{ name: 'read', args: { path: `file-${index}.ts` } }] }
  }

/** The thoughts of `reader(18)` before a request. */
const thoughtsUpTo = (index: number): string[] =>
  Array.from({ length: index }, (_, at) => at)
    .filter((at) => at % 19 < 18)
    .map((at) => `look at ${at}`)

describe.each(['generate', 'stream'] as const)('a tool loop of %s', (how) => {
  it('stays inside the window, and nothing is compacted twice when the thread goes on', async () => {
    await using provider = await scriptedProvider(reader(18))
    const { requests, baseUrl } = provider
    const context = contextEngine({
      engine: compressor,
      contextLength: 8_000,
      model: summariser,
    })
    const events = listen(context)
    const { agent, memory } = agentWith(context, baseUrl)
    const ask = async (question: string): Promise<string> =>
      how === 'generate'
        ? (await agent.generate(question, inThread('one'))).text
        : (await agent.stream(question, inThread('one'))).text

    expect(await ask('Read everything.')).toContain('Cents.')
    const first = compactions(events)
    expect(first).toBeGreaterThan(0)
    const last = requests.at(-1)?.messages ?? []
    expect(await ask('And what do we count in?')).toContain('Cents.')
    expect(Math.max(...requests.map(promptTokens))).toBeLessThan(8_000)
    expect(requests[19]?.messages.slice(0, last.length)).toEqual(last)

    expect(events.filter(({ type }) => type === 'edited')).toEqual([])
    expect(events.filter(({ type }) => type === 'warning')).toEqual([])
    const { messages } = await memory.recall({ threadId: 'one' })
    // Two questions and two answers, with all that was read in them.
    expect(messages).toHaveLength(4)
    const stored = JSON.stringify(messages)
    for (let index = 0; index < 38; index++)
      if (index % 19 < 18) {
        expect(stored).toContain(`look at ${index}`)
        expect(stored).toContain(`says file-${index}.ts`)
      }
    // Each thought is sent for as long as its call.
    const thoughts = requests.map(({ messages: sent }) =>
      sent.flatMap(({ reasoning_content: thought = [] }) => thought),
    )
    for (const [index, own] of thoughts.entries()) {
      const before = thoughtsUpTo(index)
      expect(own).toEqual(before.slice(before.length - own.length))
    }
    expect(Math.max(...thoughts.map(({ length }) => length))).toBeGreaterThan(3)
    expect(thoughts.at(-1)?.length).toBeLessThan(18)
    const told = events.flatMap((event) => (event.type === 'usage' ? [event.usage.promptTokens] : []))
    expect(told).toEqual(requests.map(promptTokens))
    await context.end()
  })
})

it('answers the calls of the engine’s tools in the thread that they belong to', async () => {
  await using provider = await scriptedProvider(({ messages }) => {
    const { role, content } = messages.at(-1) ?? { role: '' }
    if (role === 'tool') return `Found: ${String(content).match(/We store everything in \w+/)?.[0]}`
    if (String(content).includes('Which database'))
      return { calls: [{ name: 'lcm_grep', args: { query: 'store' } }] }
    return 'Noted.'
  })
  const context = contextEngine({ engine: lcm, contextLength: 8_000 })
  const events = listen(context)
  const { agent } = agentWith(context, provider.baseUrl)
  for (const [thread, database] of [
    ['one', 'Postgres'],
    ['two', 'SQLite'],
  ] as const) {
    await agent.generate(`We store everything in ${database}.`, inThread(thread))
    for (let turn = 0; turn < 25; turn++)
      await agent.generate(`Note ${turn}: ${'the ledger counts in cents. '.repeat(60)}`, inThread(thread))
  }
  expect(new Set(events.flatMap((event) => (event.type === 'compaction' ? [event.thread] : [])))).toEqual(
    new Set(['one', 'two']),
  )
  const ask = async (thread: string) => (await agent.generate('Which database?', inThread(thread))).text
  expect(await ask('one')).toBe('Found: We store everything in Postgres')
  expect(await ask('two')).toBe('Found: We store everything in SQLite')
  const { requests } = provider
  expect(
    new Set(requests.map(({ tools = [] }) => tools.map((tool) => tool.function.name).join())),
  ).toHaveLength(1)
  expect(Math.max(...requests.map(promptTokens))).toBeLessThan(8_000)
  expect(
    JSON.stringify(requests.filter(({ messages }) => JSON.stringify(messages).includes('SQLite'))),
  ).not.toContain('Postgres')
  await context.end()
})

it('goes on with a thread whose session had to make room for another', async () => {
  await using provider = await scriptedProvider(() => 'Noted.')
  const { requests, baseUrl } = provider
  const ended: string[] = []
  const engine = defineContextEngine({
    name: 'ending',
    apiVersion: 1,
    description: 'Tells when it ends',
    create: (_, { sessionId }) => ({
      shouldCompress: () => false,
      updateFromResponse: () => {},
      compress: async ({ messages }) =>
        keptResult('unchanged', 'nothing-to-compact', messages, roughTokenCounter),
      onSessionEnd: async () => {
        ended.push(sessionId)
      },
    }),
  })
  expect(() => contextEngine({ engine, contextLength: 8_000, threads: 0 })).toThrow('threads must be')
  const context = contextEngine({ engine, contextLength: 8_000, threads: 1 })
  const { agent } = agentWith(context, baseUrl)
  for (const [question, thread] of [
    ['One', 'one'],
    ['Two', 'two'],
    ['Three', 'one'],
  ] as const)
    await agent.generate(question, inThread(thread))
  expect(ended).toEqual(['one', 'two'])
  expect(requests.at(-1)?.messages.map(({ content }) => content)).toEqual([
    'You are a coding agent.',
    'One',
    'Noted.',
    'Three',
  ])
  await context.end()
  expect(ended).toEqual(['one', 'two', 'one'])
  // A call without a thread knows no other.
  await agent.generate('Four', {})
  expect(requests.at(-1)?.messages.map(({ content }) => content)).toEqual(['You are a coding agent.', 'Four'])
  expect(ended).toHaveLength(3)
})

it('compacts on demand, and appends the note of an engine to the system prompt', async () => {
  await using provider = await scriptedProvider(() => 'Noted.')
  const { requests, baseUrl } = provider
  const engine = defineContextEngine({
    ...compressor,
    create(options: Parameters<typeof compressor.create>[0], host) {
      const { ...parts } = compressor.create(options, host)
      return {
        ...parts,
        selectContext: async ({ messages }) => ({
          messages: messages.map((message) =>
            message.role === 'system'
              ? { ...message, content: `${message.content}\n\nThe user is Ann.` }
              : message,
          ),
        }),
      }
    },
  })
  const context = contextEngine({ engine, contextLength: 8_000, model: summariser })
  const { agent } = agentWith(context, baseUrl)
  for (let turn = 0; turn < 12; turn++)
    await agent.generate(`Note ${turn}: ${'the ledger counts in cents. '.repeat(20)}`, inThread('one'))
  const { outcome } = await context.session('one').compact({ focusTopic: 'the ledger' })
  expect(outcome).toBe('compacted')
  await agent.generate('In what?', inThread('one'))
  const { messages = [] } = requests.at(-1) ?? {}
  // Of 25, the instructions and the note.
  expect(messages.length).toBeLessThan(27)
  expect(messages.slice(0, 2)).toEqual([
    { role: 'system', content: 'You are a coding agent.' },
    { role: 'system', content: 'The user is Ann.' },
  ])
  expect(JSON.stringify(messages)).toContain('Keep the ledger. It counts in cents.')
})

it.each([0, 1])(
  'says on the console that the engine fails, unless there is a listener: %i listeners',
  async (count) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const engine = defineContextEngine({
      name: `mute-in-mastra-${count}`,
      apiVersion: 1,
      description: 'fails',
      create: () => ({ shouldCompress: () => true, compress: () => Promise.reject(new Error('mute')) }),
    })
    await using provider = await scriptedProvider(() => 'Noted.')
    const context = contextEngine({ engine, contextLength: 8_000 })
    if (count > 0) listen(context)
    const { agent } = agentWith(context, provider.baseUrl)
    await agent.generate('Yes?', inThread('one'))
    const told = warn.mock.calls.filter(([text]) => String(text).includes('mute'))
    expect(told).toEqual(count > 0 ? [] : [[expect.stringMatching(/^palimpsest: /)]])
    warn.mockRestore()
  },
)

it('counts the agent’s tools, and keeps the engine’s where only some are active', async () => {
  await using provider = await scriptedProvider(() => 'Noted.')
  const context = contextEngine({ engine: lcm, contextLength: 1_500 })
  const events = listen(context)
  const { agent } = agentWith(context, provider.baseUrl)
  const huge = createTool({
    id: 'huge',
    description: 'Reads a file. '.repeat(500),
    execute: async () => 'done',
  })
  const options = { ...inThread('one'), toolsets: { more: { huge } }, activeTools: ['huge'] }
  await agent.generate('In what do we count?', options)
  const warnings = events.flatMap((event) => (event.type === 'warning' ? [event.warning] : []))
  expect(warnings.find(({ code }) => code === 'over-window')?.message).toContain('the tools')
  const names = provider.requests[0]?.tools?.map((tool) => tool.function.name)
  expect(names).toEqual(expect.arrayContaining(['huge', 'lcm_grep']))
  expect(names).not.toContain('read')
})
