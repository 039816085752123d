import compressor from '@palimpsest/compressor'
import lcm from '@palimpsest/lcm'
import { describe, expect, it } from 'vitest'
import { contextEngine } from '../src/index.ts'
import { agentWith, compactions, inThread, listen, summariser } from './support/mastra-agent.ts'
import { type Answer, promptTokens, scriptedProvider } from './support/scripted-provider.ts'

/** Reads `steps` files, one a step, and answers. */
const reader =
  (steps: number) =>
  (_: unknown, index: number): Answer => {
    const step = index % (steps + 1)
    return step < steps ? { calls: [{ name: 'read', args: { path: `file-${index}.ts` } }] } : 'Cents.'
  }

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
      if (index % 19 < 18) expect(stored).toContain(`says file-${index}.ts`)
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
