import { ContextOverflowError } from '@langchain/core/errors'
import { AIMessage, HumanMessage, SystemMessage } from '@langchain/core/messages'
import { MemorySaver, MessagesAnnotation, StateGraph } from '@langchain/langgraph'
import compressor from '@palimpsest/compressor'
import { type CompletionModel, defineContextEngine, type SessionEvent } from '@palimpsest/core'
import lcm from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/store'
import { createDeepAgent } from 'deepagents'
import {
  type AgentMiddleware,
  anthropicPromptCachingMiddleware,
  createAgent,
  createMiddleware,
  modelFallbackMiddleware,
  modelRetryMiddleware,
  tool,
  toolStrategy,
} from 'langchain'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { type ContextEngineMiddleware, contextEngineMiddleware } from '../src/index.ts'
import { call, scriptedModel, tooLong, wireTokens } from './support/scripted-provider.ts'

const read = tool(({ path }) => `the ledger counts in cents, says ${path}. `.repeat(100), {
  name: 'read',
  description: 'Reads a file.',
  schema: z.object({ path: z.string() }),
})

const summariser: CompletionModel = {
  name: 'summariser',
  complete: async () => ({ text: '## Goal\nKeep the ledger. It counts in cents.', finishReason: 'stop' }),
}

const thread = (thread_id: string) => ({ configurable: { thread_id }, recursionLimit: 200 })
const ask = (text: string) => ({ messages: [new HumanMessage(text)] })
const textOf = ({ messages }: { readonly messages: readonly { readonly text: string }[] }) =>
  messages.at(-1)?.text

function listen(context: ContextEngineMiddleware): (SessionEvent & { readonly id: string })[] {
  const events: (SessionEvent & { readonly id: string })[] = []
  context.subscribe((event, id) => events.push({ ...event, id }))
  return events
}
const compactions = (events: readonly SessionEvent[]) =>
  events.filter((event) => event.type === 'compaction' && event.committed).length
const warnings = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === 'warning' ? [event.warning.code] : []))

/** An engine that does nothing, with parts that do something. */
const idle = (parts: object = {}) =>
  defineContextEngine({
    name: 'idle',
    apiVersion: 1,
    description: 'never compacts',
    create: () => ({
      shouldCompress: () => false,
      compress: async () => {
        throw new Error('not asked')
      },
      ...parts,
    }),
  })

describe('an agent', () => {
  it('finds with the tools of the engine what the model no longer sees; its state keeps everything', async () => {
    const { model, requests } = await scriptedModel(({ messages }, index) => {
      if (index < 20) return call(`read-${index}`, 'read', { path: `file ${index}` })
      if (index === 20) return call('grep', 'lcm_grep', { query: 'Postgres' })
      return `You said: ${JSON.stringify(messages.at(-1)).match(/We store everything in \w+/)}`
    })
    const context = contextEngineMiddleware(lcm, { contextLength: 12_000, model: summariser })
    const events = listen(context)
    const agent = createAgent({
      model,
      tools: [read],
      middleware: [context],
      systemPrompt: 'You are a coding agent.',
    })
    const state = await agent.invoke(
      ask(`We store everything in Postgres. ${'So be it. '.repeat(200)}`),
      thread('a'),
    )
    expect(textOf(state)).toBe('You said: We store everything in Postgres')
    expect(compactions(events)).toBeGreaterThan(0)
    expect(Math.max(...requests.map(wireTokens))).toBeLessThan(12_000)
    expect(JSON.stringify(requests[20])).not.toContain('file 1.')
    for (let index = 0; index < 20; index++)
      expect(JSON.stringify(state.messages)).toContain(`says file ${index}.`)
    for (const { messages } of requests)
      expect(messages[0]).toEqual({
        role: 'system',
        content: [{ type: 'text', text: 'You are a coding agent.' }],
      })
    expect(context.session('a')?.transcript.length).toBe(1 + 1 + 2 * 21)
  })

  it('compacts while it works, with `compactAt: idle`, and stores its thread alone', async () => {
    const { model, requests } = await scriptedModel((_, index) =>
      index < 20 ? call(`read-${index}`, 'read', { path: `file ${index}` }) : 'done',
    )
    const waiting = new Set<() => void>()
    const slow: CompletionModel = {
      ...summariser,
      complete: async (call) => {
        await new Promise<void>((resolve) => waiting.add(resolve))
        return summariser.complete(call)
      },
    }
    const store = createSqliteStore({ path: ':memory:' })
    const context = contextEngineMiddleware(compressor, {
      ...{ contextLength: 24_000, model: slow, compactAt: 'idle', store },
    })
    const agent = createAgent({ model, tools: [read], middleware: [context] })
    const run = agent.invoke(ask('Read on.'), thread('a'))
    // The summariser answers only when a request waits for it, near the end of the window.
    await vi.waitUntil(() => waiting.size > 0)
    const before = requests.length
    await vi.waitUntil(() => requests.length > before + 1)
    const answering = setInterval(() => {
      for (const answer of waiting) answer()
    }, 5)
    expect(textOf(await run)).toBe('done')
    clearInterval(answering)
    await context.end()
    expect((await store.list({ limit: 9 })).map(({ key }) => key)).toEqual(['a'])
    await store.close()
  })

  it('deletes a thread with the sessions of the agents inside it', async () => {
    const { model } = await scriptedModel(() => 'Noted.')
    const store = createSqliteStore({ path: ':memory:' })
    const context = contextEngineMiddleware(compressor, { contextLength: 24_000, store })
    const agent = createAgent({ model, middleware: [context] })
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('coder', agent.graph)
      .addEdge('__start__', 'coder')
      .compile({ checkpointer: new MemorySaver() })
    for (const id of ['a', 'ab']) {
      await agent.invoke(ask('The port is 8123.'), thread(id))
      await graph.invoke(ask('The host is alpha.'), thread(id))
    }
    await context.deleteThread('a')
    const kept = async (word: string) => {
      const found = await store.list({ limit: 9, matching: [[{ kind: 'substring', text: word }]] })
      return found.map(({ key }) => key.split('|')[0])
    }
    expect(await kept('8123')).toEqual(['ab'])
    expect(await kept('alpha')).toEqual(['ab'])
    expect([context.session('a'), context.session('ab') !== undefined]).toEqual([undefined, true])
    await context.end()
    await store.close()
  })

  it('is asked with its very own messages while nothing is compacted', async () => {
    const sent: unknown[] = []
    const inner = createMiddleware({
      name: 'inner',
      wrapModelCall(request, handler) {
        sent.push(request)
        return handler(request)
      },
    })
    const own: unknown[] = []
    const outer = createMiddleware({
      name: 'outer',
      wrapModelCall(request, handler) {
        own.push(request)
        return handler(request)
      },
    })
    const { model } = await scriptedModel((_, index) =>
      index < 3 ? call(`${index}`, 'read', { path: 'a' }) : 'Yes.',
    )
    const context = contextEngineMiddleware(compressor, { contextLength: 100_000 })
    const agent = createAgent({
      model,
      tools: [read],
      middleware: [outer, context, inner],
      systemPrompt: 'Be brief.',
    })
    const blocks = [{ type: 'image', data: 'AAAA', mimeType: 'image/png', fromTheFuture: 1 }]
    await agent.invoke({ messages: [new HumanMessage({ content: blocks } as never)] })
    const pick = (request: unknown) => request as { messages: unknown[]; systemMessage: unknown }
    for (const [index, request] of own.entries()) {
      const { messages, systemMessage } = pick(request)
      expect(pick(sent[index]).messages.every((message, at) => message === messages[at])).toBe(true)
      expect(pick(sent[index]).systemMessage).toBe(systemMessage)
    }
    expect(own).toHaveLength(4)
  })

  it.each(['before', 'after'])(
    "keeps the mark of LangChain's prompt caching, which is %s it",
    async (place) => {
      const marks: unknown[] = []
      const inner = createMiddleware({
        name: 'inner',
        wrapModelCall(request, handler) {
          marks.push(request.modelSettings?.cache_control)
          return handler(request)
        },
      })
      const { model } = await scriptedModel(() => 'Yes.')
      model.getName = () => 'ChatAnthropic'
      const context = contextEngineMiddleware(compressor, { contextLength: 8_000, model: summariser })
      const events = listen(context)
      const caching = anthropicPromptCachingMiddleware() as unknown as AgentMiddleware
      const both = place === 'before' ? [caching, context] : [context, caching]
      const agent = createAgent({ model, tools: [], middleware: [...both, inner] as const })
      const notes = Array.from({ length: 80 }, (_, index) =>
        index % 2 === 0
          ? new HumanMessage(`Note ${index}: ${'cents. '.repeat(100)}`)
          : new AIMessage('Noted.'),
      )
      await agent.invoke({ messages: [...notes, new HumanMessage('Well?')] })
      expect(compactions(events)).toBeGreaterThan(0)
      expect(marks).toEqual([{ type: 'ephemeral', ttl: '5m' }])
    },
  )

  it('gets the note of an engine in its system message, once, and keeps the blocks of it', async () => {
    const engine = idle({
      selectContext: async ({ messages }: { messages: readonly { role: string; content: string }[] }) => ({
        messages: messages.map((message) =>
          message.role === 'system'
            ? { ...message, content: [...message.content, { type: 'text', text: '\n\nA note.' }] }
            : message,
        ),
      }),
    })
    const { model, requests } = await scriptedModel((_, index) =>
      index === 0 ? call('1', 'read', { path: 'a' }) : 'Yes.',
    )
    const context = contextEngineMiddleware(engine, { contextLength: 100_000 })
    const systemPrompt = new SystemMessage({
      content: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    } as never)
    const agent = createAgent({ model, tools: [read], middleware: [context], systemPrompt })
    await agent.invoke(ask('Read.'))
    for (const { messages } of requests) {
      const [system] = messages
      expect(JSON.stringify(system).match(/A note/g)).toHaveLength(1)
      expect(JSON.stringify(system)).toContain('Be brief.","cache_control":{"type":"ephemeral"}')
    }
    expect(requests).toHaveLength(2)
  })

  it('returns a structured response, and counts the answer that it was read from', async () => {
    const { model } = await scriptedModel(({ tools = [] }) =>
      call('1', tools.find(({ function: { name } }) => name.startsWith('extract'))?.function.name ?? '', {
        unit: 'cents',
      }),
    )
    const context = contextEngineMiddleware(compressor, { contextLength: 100_000 })
    const events = listen(context)
    const responseFormat = toolStrategy(z.object({ unit: z.string() }))
    const agent = createAgent({ model, tools: [], middleware: [context], responseFormat })
    const { structuredResponse } = await agent.invoke(ask('In what?'))
    expect(structuredResponse).toEqual({ unit: 'cents' })
    expect(events.filter(({ type }) => type === 'usage')).toHaveLength(1)
  })
})

describe('usage', () => {
  const usages = (events: readonly SessionEvent[]) => events.filter(({ type }) => type === 'usage').length

  it('is counted once per answer when other middleware asks again', async () => {
    const { model, requests } = await scriptedModel((_, index) =>
      index === 0 ? { status: 500, message: 'busy' } : `Answer ${index}.`,
    )
    const context = contextEngineMiddleware(compressor, { contextLength: 100_000 })
    const events = listen(context)
    const middleware = [
      modelFallbackMiddleware(model),
      modelRetryMiddleware({ maxRetries: 1, initialDelayMs: 1 }) as unknown as AgentMiddleware,
      context,
    ] as const
    const agent = createAgent({ model, tools: [], middleware })
    expect(textOf(await agent.invoke(ask('Yes?')))).toMatch(/^Answer/)
    expect([requests.length, usages(events)]).toEqual([2, 1])
  })
})

describe('a prompt that is too long', () => {
  it('is sent again, smaller, once; no tool runs twice, and the window is learned', async () => {
    let runs = 0
    const counting = tool(({ path }) => `${++runs}: cents, says ${path}. `.repeat(200), {
      name: 'read',
      description: 'Reads a file.',
      schema: z.object({ path: z.string() }),
    })
    const { model, requests } = await scriptedModel((request, index) => {
      if (wireTokens(request) > 8_000) return tooLong(8_000)
      return runs < 20 ? call(`read-${index}`, 'read', { path: `${index}` }) : 'Cents.'
    })
    const context = contextEngineMiddleware(compressor, { contextLength: 100_000, model: summariser })
    const events = listen(context)
    const agent = createAgent({ model, tools: [counting], middleware: [context] })
    expect(textOf(await agent.invoke(ask('In what?'), thread('a')))).toBe('Cents.')
    expect(runs).toBe(20)
    expect(requests.filter((request) => wireTokens(request) > 8_000)).toHaveLength(1)
    expect(
      events.filter((event) => event.type === 'compaction' && event.trigger === 'overflow'),
    ).toHaveLength(1)
  })

  it('is known by the class of the error, behind other errors', async () => {
    const { model } = await scriptedModel(() => 'Yes.')
    let asked = 0
    const provider = createMiddleware({
      name: 'provider',
      wrapModelCall(request, handler) {
        const cause = new ContextOverflowError('No.')
        if (asked++ === 0) throw new Error('the call failed', { cause })
        return handler(request)
      },
    })
    const context = contextEngineMiddleware(compressor, { contextLength: 100_000, model: summariser })
    const agent = createAgent({ model, tools: [], middleware: [context, provider] })
    const notes = Array.from({ length: 80 }, (_, index) =>
      index % 2 === 0 ? new HumanMessage(`Note ${index}: ${'cents. '.repeat(100)}`) : new AIMessage('Noted.'),
    )
    expect(textOf(await agent.invoke({ messages: [...notes, new HumanMessage('Well?')] }))).toBe('Yes.')
    expect(asked).toBe(2)
  })
})

it('reasoning that the provider refuses after a summary is left out, and the request sent again', async () => {
  const { model } = await scriptedModel(() => 'Yes.')
  const asked: boolean[] = []
  const provider = createMiddleware({
    name: 'provider',
    wrapModelCall(request, handler) {
      const hasReasoning = request.messages.some(
        (message) => 'reasoning_content' in message.additional_kwargs,
      )
      asked.push(hasReasoning)
      const refusal = { status: 400 }
      if (hasReasoning) throw Object.assign(new Error('Invalid `signature` in `thinking` block'), refusal)
      return handler(request)
    },
  })
  const context = contextEngineMiddleware(compressor, { contextLength: 16_000, model: summariser })
  const events = listen(context)
  const agent = createAgent({ model, tools: [], middleware: [context, provider] })
  const thought = () =>
    new AIMessage({ content: 'Noted.', additional_kwargs: { reasoning_content: 'Cents?' } })
  const notes = Array.from({ length: 80 }, (_, index) =>
    index % 2 === 0 ? new HumanMessage(`Note ${index}: ${'cents. '.repeat(100)}`) : thought(),
  )
  expect(textOf(await agent.invoke({ messages: [...notes, new HumanMessage('Well?')] }))).toBe('Yes.')
  expect(compactions(events)).toBeGreaterThan(0)
  expect(asked).toEqual([true, false])
  expect(warnings(events)).toContain('reasoning-refused')
})

describe('an engine that fails', () => {
  it('is printed to the console, once, without a listener', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const engine = idle({ shouldCompress: () => true, compress: () => Promise.reject(new Error('mute')) })
    const context = contextEngineMiddleware(engine, { contextLength: 100_000 })
    const { model } = await scriptedModel(() => 'Yes.')
    const agent = createAgent({ model, tools: [], middleware: [context] })
    for (const name of ['a', 'b']) await agent.invoke(ask('Yes?'), thread(name))
    expect(warn.mock.calls).toEqual([[expect.stringMatching(/^palimpsest: .*mute/)]])
    const events = listen(context)
    await agent.invoke(ask('Yes?'), thread('c'))
    expect(warnings(events)).toEqual(['engine-failed'])
    expect(warn).toHaveBeenCalledTimes(1)
    warn.mockRestore()
  })

  it('leaves the prompt as it was, with a warning', async () => {
    let isBroken = false
    const engine = defineContextEngine({
      name: 'fragile',
      apiVersion: 1,
      description: 'cannot be created twice',
      create() {
        if (isBroken) throw new Error('no room')
        return { shouldCompress: () => false, compress: async () => Promise.reject(new Error('not asked')) }
      },
    })
    const context = contextEngineMiddleware(engine, { contextLength: 100_000 })
    const events = listen(context)
    isBroken = true
    const { model, requests } = await scriptedModel(() => 'Yes.')
    const agent = createAgent({ model, tools: [], middleware: [context], systemPrompt: 'Be brief.' })
    expect(textOf(await agent.invoke(ask('Yes?'), thread('a')))).toBe('Yes.')
    expect(requests[0]?.messages).toHaveLength(2)
    expect(warnings(events)).toEqual(['engine-failed'])
    expect(events[0]?.id).toBe('a')
  })
})

describe('threads', () => {
  it('can be compacted on demand', async () => {
    const { model, requests } = await scriptedModel(() => `Noted. ${'Cents. '.repeat(300)}`)
    const context = contextEngineMiddleware(compressor, { contextLength: 100_000, model: summariser })
    const agent = createAgent({ model, tools: [], middleware: [context], checkpointer: new MemorySaver() })
    for (let turn = 0; turn < 30; turn++)
      await agent.invoke(ask(`Note ${turn}. ${'So. '.repeat(300)}`), thread('a'))
    const before = wireTokens(requests.at(-1) ?? { messages: [] })
    expect((await context.session('a')?.compact())?.outcome).toBe('compacted')
    await agent.invoke(ask('Well?'), thread('a'))
    expect(wireTokens(requests.at(-1) ?? { messages: [] })).toBeLessThan(before / 2)
  })

  it('are answered in turns by two processes, which share the store and the summaries', async () => {
    const store = createSqliteStore({ path: ':memory:' })
    const { model, requests } = await scriptedModel(() => 'Noted.')
    const { model: summaries, requests: written } = await scriptedModel(() => '## Goal\nKeep the ledger.')
    const checkpointer = new MemorySaver()
    const processes = [0, 1].map(() => {
      const context = contextEngineMiddleware(lcm, { contextLength: 12_000, model: summaries, store })
      return {
        context,
        events: listen(context),
        agent: createAgent({ model, tools: [], middleware: [context], checkpointer }),
      }
    })
    for (let turn = 0; turn < 40; turn++)
      await processes[turn % 2]?.agent.invoke(ask(`Note ${turn}: ${'cents. '.repeat(150)}`), thread('a'))
    expect(processes.flatMap(({ events }) => warnings(events))).toEqual([])
    expect(Math.max(...requests.map(wireTokens))).toBeLessThan(12_000)
    expect(written.length).toBeGreaterThan(0)
    for (const { context } of processes) await context.end()
    expect((await (await store.find({ key: 'a' }))?.head())?.nextSeq).toBe(80)
    expect(await store.verify()).toEqual([])
    await store.close()
  })

  it('go on in one session when the agent is a node of another graph, with a history of its own', async () => {
    const { model } = await scriptedModel((_, index) =>
      index % 2 === 0 ? call(`${index}`, 'lcm_describe', {}) : 'Yes.',
    )
    const context = contextEngineMiddleware(lcm, { contextLength: 100_000 })
    const events = listen(context)
    const agent = createAgent({ model, tools: [], middleware: [context] })
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('helper', agent.graph)
      .addEdge('__start__', 'helper')
      .compile({ checkpointer: new MemorySaver() })
    for (const text of ['One?', 'Two?']) await graph.invoke(ask(text), thread('a'))
    const ids = new Set(events.flatMap((event) => (event.type === 'ingested' ? [event.id] : [])))
    expect([...ids]).toEqual([expect.stringMatching(/^a\|helper\|message:/)])
    expect(events.some(({ type }) => type === 'edited')).toBe(false)
    expect(context.session([...ids][0] ?? '')?.transcript).toHaveLength(7)
  })

  it('are asked one call at a time, so that an overflow of one run is not answered with the prompt of another', async () => {
    const { model } = await scriptedModel((request) =>
      wireTokens(request) > 3_000 ? tooLong(3_000) : String(request.messages.at(-1)?.content),
    )
    const context = contextEngineMiddleware(compressor, { contextLength: 100_000, model: summariser })
    const agent = createAgent({ model, tools: [], middleware: [context] })
    const first = new HumanMessage({ id: 'first', content: 'Notes.' })
    const notes = (of: string) =>
      Array.from({ length: of === 'red' ? 40 : 60 }, (_, at) =>
        at % 2 === 0 ? new AIMessage(`Noted ${of}.`) : new HumanMessage(`${of}: ${'cents. '.repeat(120)}`),
      )
    const ends = await Promise.all(
      ['red', 'blue'].map((of) =>
        agent.invoke({
          messages: [first, ...notes(of), new AIMessage('Well?'), new HumanMessage(`End of ${of}.`)],
        }),
      ),
    )
    expect(ends.map(textOf)).toEqual(['End of red.', 'End of blue.'])
  })
})

describe('summaries by a chat model of LangChain', () => {
  it('are written, and are not part of the stream of the agent', async () => {
    const { model } = await scriptedModel((_, index) =>
      index < 12 ? call(`read-${index}`, 'read', { path: `${index}` }) : 'The answer.',
    )
    const { model: summaries, requests } = await scriptedModel(
      () => '## Goal\nKeep the ledger. It counts in cents.',
    )
    const context = contextEngineMiddleware(compressor, { contextLength: 10_000, model: summaries })
    const events = listen(context)
    const agent = createAgent({ model, tools: [read], middleware: [context] })
    let streamed = ''
    const stream = await agent.stream(ask('In what?'), { ...thread('a'), streamMode: 'messages' })
    for await (const [chunk] of stream) streamed += chunk.type === 'ai' ? chunk.text : ''
    expect(streamed).toBe('The answer.')
    expect(requests.length).toBeGreaterThan(0)
    expect(compactions(events)).toBeGreaterThan(0)
    expect(warnings(events)).toEqual([])
  })
})

describe('a deep agent', () => {
  it('has a session for itself and one for each run of a subagent', async () => {
    const { model, requests } = await scriptedModel(({ messages }) => {
      const asked = messages.filter(({ role }) => role === 'user').at(-1)?.content
      const isDone = messages.at(-1)?.role === 'tool'
      if (asked === 'Go.' && !isDone)
        return {
          calls: ['red', 'blue'].map((id) => [
            id,
            'task',
            { description: `Do ${id}.`, subagent_type: 'general-purpose' },
          ]),
        }
      if (asked !== 'Go.' && !isDone) return call(`grep ${asked}`, 'lcm_grep', { query: 'Go' })
      return `Did ${asked}`
    })
    const context = contextEngineMiddleware(lcm, { contextLength: 50_000 })
    const events = listen(context)
    const agent = createDeepAgent({ model, middleware: [context], checkpointer: new MemorySaver() })
    const { messages } = await agent.invoke(ask('Go.'), thread('a'))
    expect(messages.map(({ text }: { text: string }) => text)).toEqual([
      'Go.',
      '',
      'Did Do red.',
      'Did Do blue.',
      'Did Go.',
    ])
    const told = new Set(events.flatMap((event) => (event.type === 'ingested' ? [event.id] : [])))
    expect(told.size).toBe(3)
    expect([...told].every((id) => id === 'a' || id.startsWith('a|tools:'))).toBe(true)
    expect(events.some(({ type }) => type === 'edited')).toBe(false)
    // A subagent searches its own conversation.
    const found = requests.flatMap((request) =>
      request.messages.filter(
        (message) => message.role === 'tool' && message.tool_call_id.startsWith('grep'),
      ),
    )
    expect(found.length).toBeGreaterThan(0)
    for (const { content } of found) expect(String(content)).not.toContain('"Go."')
  })
})
