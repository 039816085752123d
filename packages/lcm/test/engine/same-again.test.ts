import type { Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { copyBeginning } from '../../src/export/import-store.ts'
import { verifySession } from '../../src/verify/verify-session.ts'
import { uncovered } from './coverage.ts'
import {
  assistant,
  calls,
  createChat,
  createEngine,
  expand,
  memoryStore,
  openSession,
  result,
  stored,
  summaryOf,
  system,
  texts,
  turns,
  user,
  words,
} from './harness.ts'

/** A conversation with a compaction in it: what was told, and what the host was shown. */
async function compacted(store = memoryStore(), told = [system(), ...turns(12)], window = 4_000) {
  const chat = createChat({ store, window })
  await chat.prepare(told)
  const { messages } = await chat.compact()
  expect(summaryOf(messages)).toMatch(/<(summary|index) .*messages="m[01]-/)
  return { store, told, chat, shown: messages }
}

describe('the same messages again', () => {
  it('are not stored twice when the same list is told again, by the same engine and by another one', async () => {
    const { store, told, chat } = await compacted()
    await chat.prepare(told)
    for (const engine of [createEngine({ store }), createEngine({ store })]) {
      await engine.ingest({ messages: told, from: 0 })
      await engine.ingest({ messages: told, from: 0 })
      await engine.ingest({ messages: told.slice(5), from: 5 })
    }
    expect(await stored(await openSession(store))).toEqual(texts(told))
  })

  it('are stored as often as they were said when the user repeats himself', async () => {
    const told = Array.from({ length: 40 }, () => [user('continue'), assistant('Done.')]).flat()
    const { store, shown } = await compacted(memoryStore(), told, 1_000)
    const list = [...shown, user('continue')]
    for (let restart = 0; restart < 2; restart++) await createChat({ store, window: 8_000 }).prepare(list)
    const session = await openSession(store)
    expect(await stored(session)).toEqual(texts([...told, user('continue')]))
    expect(await uncovered(session, list)).toBeUndefined()
  })

  it.each(['all', 'projection'] as const)(
    'go on after a restart in the middle of a turn, telling %s',
    async (tells) => {
      const before = [system(), ...turns(12), user('now two files'), calls('a', 'b'), result('a', words(50))]
      const { store, told, shown } = await compacted(memoryStore(), before)
      const rest = [result('b', words(60)), assistant('Both are fine.')]
      const chat = createChat({ store, window: 4_000 })
      const prepared = await chat.prepare([...(tells === 'all' ? told : shown), ...rest])
      const session = await openSession(store)
      expect(await stored(session)).toEqual(texts([...told, ...rest]))
      expect(await verifySession(session)).toEqual([])
      if (tells === 'projection') expect(await uncovered(session, prepared.messages)).toBeUndefined()
    },
  )

  it('are known when a projection without a summary shows a result in part', async () => {
    const store = memoryStore()
    const told = [user('read it'), calls('big'), result('big', words(3_000))]
    const first = createChat({ store, window: 200_000, large_result_tokens: 500 })
    const { messages } = await first.prepare(told)
    expect(messages).not.toEqual(told)
    const again = createChat({ store, window: 200_000, large_result_tokens: 500 })
    const next = [...messages, assistant('Read.'), user('and now?')]
    await again.prepare(next)
    await again.prepare(next)
    expect(await stored(await openSession(store))).toEqual(texts([...told, ...next.slice(3)]))
  })
})

describe('an edited history', () => {
  it('replaces what came behind, keeps all of it, and opens summaries that reached across', async () => {
    const { store, told, chat } = await compacted()
    const edited = [...told.slice(0, 6), user('no, do something else'), assistant('Yes.')]
    await chat.prepare(edited)
    const session = await openSession(store)
    expect(await stored(session)).toEqual(texts([...told, ...edited.slice(6)]))
    expect(await stored(session, false)).toEqual(texts(edited))
    expect(await verifySession(session)).toEqual([])
    for (const [seq, json] of texts(told).entries()) expect(await expand(chat.engine, seq)).toBe(json)
  })

  it('that leaves nothing but what was summarised shows its last message as it was', async () => {
    const { store, told } = await compacted()
    const { nodes } = await (await openSession(store)).frontier()
    const list = told.slice(0, (nodes[0]?.last ?? 0) + 1)
    const engine = createEngine({ store, window: 4_000 })
    await engine.ingest({ messages: told, from: 0 })
    await engine.ingest({ messages: [], from: list.length })
    const { messages } = await engine.compress({ messages: list, force: true })
    expect(messages.at(-1)).toEqual(list.at(-1))
    expect(await uncovered(await openSession(store), messages)).toBeUndefined()
  })

  it('is none when only the text of the system prompt is another', async () => {
    const { store, told, chat } = await compacted()
    const other = [system('You are another agent.'), ...told.slice(1)]
    const { messages } = await chat.prepare([...other, user('and?')])
    expect(messages[0]).toEqual(other[0])
    await createChat({ store, window: 4_000 }).prepare([
      system('A third one.'),
      ...told.slice(1),
      user('and?'),
    ])
    const session = await openSession(store)
    const live = await session.messages({ limit: 1_000 })
    expect(live.map(({ json }) => json)).toEqual(texts([...told, user('and?')]))
    // What the model was told is kept all the same.
    const all = await stored(session)
    for (const text of ['You are another agent.', 'A third one.'])
      expect(all.filter((json) => json === JSON.stringify(system(text)))).toHaveLength(1)
  })

  it('is found in a list that the host held when it was not running', async () => {
    const { store, told } = await compacted()
    const changed: Message[] = [...told]
    changed[9] = user('what I meant was something else')
    await createChat({ store, window: 4_000 }).prepare(changed)
    const session = await openSession(store)
    expect(await stored(session, false)).toEqual(texts(changed))
    expect(await stored(session)).toEqual(texts([...told, ...changed.slice(9)]))
    expect(await verifySession(session)).toEqual([])
  })

  it('begins anew after a reset, with the old conversation still in the store', async () => {
    const { store, told, chat } = await compacted()
    await chat.reset()
    const fresh = [system(), user('hello again'), assistant('Hello.')]
    const { messages } = await chat.prepare(fresh)
    expect(messages).toEqual(fresh)
    expect(await stored(await openSession(store))).toEqual(texts([...told, ...fresh]))
  })

  it('keeps a dozen system prompts apart from what is summarised, after a restart too', async () => {
    const prompts = Array.from({ length: 12 }, (_, index) => system(`Rule ${index}.`))
    const store = memoryStore()
    const told = [...prompts, ...turns(12)]
    await createEngine({ store }).ingest({ messages: told, from: 0 })
    const chat = createChat({ store, window: 4_000 })
    await chat.prepare(told)
    await chat.compact()
    const { nodes } = await (await openSession(store)).frontier()
    expect(nodes[0]?.first).toBe(12)
  })
})

describe('a branch', () => {
  it.each([10, 30, 49])(
    'that is copied up to m%i goes on beside the original, and neither sees what the other says',
    async (seq) => {
      const { store, told, chat } = await compacted()
      await copyBeginning(store, await openSession(store), { key: 'fork', seq, at: 1 })
      const fork = createChat({ store, key: 'fork', window: 4_000 })
      const [mine, theirs] = [turns(9, 100, 'mine'), turns(9, 100, 'theirs')]
      await chat.prepare([...told, ...mine])
      await fork.prepare([...told.slice(0, seq), user('go on'), ...theirs])
      for (const one of [chat, fork])
        expect(summaryOf((await one.compact()).messages)).toMatch(/<(summary|index) /)
      const [parent, child] = [await openSession(store), await openSession(store, 'fork')]
      expect(await stored(parent)).toEqual(texts([...told, ...mine]))
      expect(await stored(child)).toEqual(texts([...told.slice(0, seq), user('go on'), ...theirs]))
      for (const session of [parent, child]) expect(await verifySession(session)).toEqual([])
      for (const [at, json] of (await stored(child)).entries())
        expect(await expand(fork.engine, at)).toBe(json)
    },
  )
})
