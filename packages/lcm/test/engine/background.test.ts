import type { ScriptedModel } from '@palimpsest/contract-tests'
import { DEAF } from '@palimpsest/contract-tests'
import { type ContextSession, type Message, ModelError } from '@palimpsest/core'
import { describe, expect, it, vi } from 'vitest'
import { uncovered } from './coverage.ts'
import {
  assistant,
  calls,
  createChat,
  createEngine,
  type EngineSetup,
  memoryStore,
  openSession,
  result,
  SUMMARY,
  scripted,
  shownSummaries,
  stored,
  summaryOf,
  system,
  texts,
  turns,
  user,
  words,
  wrapStore,
} from './harness.ts'

/** About 6,700 tokens with the tools: above the soft threshold of the window, below the hard one. */
const TOLD = [system(), ...turns(24)]
const WINDOW = 10_000

/** A promise and how to resolve it. */
function gate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

const settle = async () => {
  for (let turn = 0; turn < 30; turn++) await new Promise(setImmediate)
}

/** A session whose last turn is complete, with summaries being written behind it. */
async function afterTurn(model: ScriptedModel, setup: EngineSetup = {}) {
  const store = setup.store ?? memoryStore()
  const chat = createChat({ window: WINDOW, leaf_chunk_tokens: 1_000, model, ...setup, store })
  const { compactions, tokens } = await chat.prepare(TOLD.slice(0, -1))
  expect(compactions).toEqual([])
  const message = TOLD.at(-1) as ReturnType<typeof assistant>
  await chat.observe({ message, usage: { promptTokens: tokens, completionTokens: 20 } })
  return { store, chat }
}

const frontier = shownSummaries

describe('summaries in the background', () => {
  it('are written between turns, and the next message of the user is answered with them, without a wait', async () => {
    const model = scripted()
    const { store, chat } = await afterTurn(model)
    await settle()
    expect((await frontier(store)).length).toBeGreaterThan(0)
    const written = model.calls.length
    const { messages, compactions, warnings } = await chat.prepare([...TOLD, user('and now?')])
    expect(compactions.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['compacted', 'summarised-before'],
    ])
    expect([model.calls.length, warnings]).toEqual([written, []])
    expect(summaryOf(messages)).toContain('by="model"')
    const session = await openSession(store)
    expect(await uncovered(session, messages)).toBeUndefined()
    expect(await stored(session)).toEqual(texts([...TOLD, user('and now?')]))
  })

  it('are not written, and nothing is due, at a threshold of 0; at 1 when the window is full', async () => {
    const model = scripted()
    const chat = createChat({ window: WINDOW, model, threshold: 0 })
    await chat.prepare(TOLD)
    await chat.observe({ message: assistant('yes'), usage: { promptTokens: WINDOW, completionTokens: 20 } })
    await settle()
    expect(model.calls).toEqual([])
    const due = (threshold: number, promptTokens: number) =>
      createEngine({ window: WINDOW, threshold }).shouldCompress({ promptTokens })
    expect([due(0, 2 * WINDOW), due(1, WINDOW - 1), due(1, WINDOW)]).toEqual([false, false, true])
  })

  it('hold up nothing: messages are taken, and a turn is answered, while they are written', async () => {
    const { open, opened } = gate()
    const model = scripted(() => opened.then(() => SUMMARY))
    const { store, chat } = await afterTurn(model)
    await settle()
    expect(model.calls).toHaveLength(1)
    const list: Message[] = [...TOLD, user('and now?')]
    const during = await chat.prepare(list)
    expect([during.compactions, during.messages.length]).toEqual([[], list.length])
    expect(await stored(await openSession(store))).toEqual(texts(list))
    open()
    await settle()
    // In the middle of a turn the prefix stays as it is.
    const more = [...list, calls('x'), result('x', 'short')]
    expect((await chat.prepare(more)).messages).toEqual(more)
    const next = [...more, assistant('Done.'), user('thanks')]
    const swapped = await chat.prepare(next)
    expect(summaryOf(swapped.messages)).toContain('<summary id="s1"')
    expect(await uncovered(await openSession(store), swapped.messages)).toBeUndefined()
    expect(await stored(await openSession(store))).toEqual(texts(next))
    expect(await store.verify()).toEqual([])
  })

  it('are given up when the host edits what they stand for while they are written', async () => {
    const { open, opened } = gate()
    const { store, chat } = await afterTurn(scripted(() => opened.then(() => SUMMARY)))
    await settle()
    const edited = [...TOLD.slice(0, 5), user('something else')]
    await chat.prepare(edited)
    open()
    await settle()
    expect(await frontier(store)).toEqual([])
    expect(await stored(await openSession(store), false)).toEqual(texts(edited))
    expect(await store.verify()).toEqual([])
  })

  it('are given up when the edit is being written at that moment', async () => {
    const model = gate()
    const append = gate()
    let isSlow = false
    const inner = memoryStore()
    const store = wrapStore(inner, async (method, run) => {
      if (method === 'append' && isSlow) await append.opened
      return run()
    })
    const { chat } = await afterTurn(
      scripted(() => model.opened.then(() => SUMMARY)),
      { store },
    )
    await settle()
    isSlow = true
    const edited = [...TOLD.slice(0, 5), user('something else')]
    const preparing = chat.prepare(edited)
    await settle()
    model.open()
    await settle()
    append.open()
    await preparing
    await settle()
    await chat.prepare([...edited, assistant('Yes.')])
    const session = await openSession(inner)
    expect(await stored(session, false)).toEqual(texts([...edited, assistant('Yes.')]))
    expect(await store.verify()).toEqual([])
  })

  it.each(['end', 'reset'] as const)('stop at %s, even when the model does not listen', async (how) => {
    const { store, chat } = await afterTurn(scripted(DEAF))
    await settle()
    await chat[how]()
    expect(await shownSummaries(store)).toEqual([])
  })

  it.each([new ModelError('overloaded', 'no'), new ModelError('auth', 'no'), new Error('no')])(
    'cost no message when the model fails, and say so (%s)',
    async (error) => {
      const { store, chat } = await afterTurn(scripted(error))
      await settle()
      const list = [...TOLD, user('and now?')]
      const { messages, warnings } = await chat.prepare(list)
      expect(warnings.map(({ code }) => code)).toEqual(['summariser-failed'])
      const session = await openSession(store)
      expect(await uncovered(session, messages)).toBeUndefined()
      expect(await stored(session)).toEqual(texts(list))
    },
  )

  it('that are finished count when the model hangs, and the next compaction waits a minute for it at most', async () => {
    const model = scripted(SUMMARY, DEAF, SUMMARY)
    const { store, chat } = await afterTurn(model)
    await settle()
    expect(model.calls).toHaveLength(2)
    const [first, ...rest] = await frontier(store)
    expect([first?.number, first?.text.startsWith(SUMMARY), rest]).toEqual([1, true, []])
    const list = [...TOLD, ...turns(20, 100, 'z'), user('and now?')]
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const prepared = chat.prepare(list)
    await settle()
    await vi.advanceTimersByTimeAsync(60_000)
    vi.useRealTimers()
    const { messages, compactions } = await prepared
    expect(compactions.map(({ outcome, reason }) => [outcome, reason])).toEqual([['compacted', 'summarised']])
    const session = await openSession(store)
    const [written] = await session.summaries([1])
    expect(written).toEqual(first)
    expect(await uncovered(session, messages)).toBeUndefined()
    expect(await stored(session)).toEqual(texts(list))
    expect(await store.verify()).toEqual([])
  })

  it('are asked for once: a compaction that comes meanwhile waits for the one that is being written', async () => {
    const { open, opened } = gate()
    const model = scripted(() => opened.then(() => SUMMARY), SUMMARY)
    const { store, chat } = await afterTurn(model)
    await settle()
    expect(model.calls).toHaveLength(1)
    const list = [...TOLD, ...turns(20, 100, 'z'), user('and now?')]
    const prepared = chat.prepare(list)
    await settle()
    expect(model.calls).toHaveLength(1)
    open()
    const { messages } = await prepared
    const begins = model.calls.map(({ prompt }) => /<conversation>\n(m\d+)/.exec(prompt)?.[1])
    expect(new Set(begins).size).toBe(begins.length)
    expect(await uncovered(await openSession(store), messages)).toBeUndefined()
  })

  it('are told about by lcm_describe, and so are failures of the model', async () => {
    const { open, opened } = gate()
    const status = async (chat: ContextSession) => JSON.parse(await chat.callTool('lcm_describe', {}))
    const { chat } = await afterTurn(scripted(() => opened.then(() => SUMMARY)))
    await settle()
    expect(await status(chat)).toMatchObject({
      unsaved: 0,
      writing_summaries: true,
    })
    open()
    await settle()
    expect(await status(chat)).toMatchObject({ writing_summaries: false, model: { failures_in_a_row: 0 } })
    const failing = await afterTurn(scripted(new ModelError('overloaded', 'no')))
    await settle()
    expect(await status(failing.chat)).toMatchObject({ model: { failures_in_a_row: 1 } })
  })

  it('are recognised by an engine that is started again, whatever list the host holds', async () => {
    for (const tells of ['old list', 'projection']) {
      const { store, chat } = await afterTurn(scripted())
      await settle()
      const list = [...TOLD, user('and now?')]
      const held = tells === 'old list' ? list : (await chat.prepare(list)).messages
      await chat.end()
      const again = createChat({ store, window: WINDOW, model: scripted() })
      const { messages } = await again.prepare([...held, assistant(words(200)), user('more')])
      const session = await openSession(store)
      expect(await stored(session)).toEqual(texts([...list, assistant(words(200)), user('more')]))
      expect(await uncovered(session, messages)).toBeUndefined()
    }
  })
})
