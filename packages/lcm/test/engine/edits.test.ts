import { isSummary } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { uncovered } from './coverage.ts'
import {
  assistant,
  createChat,
  createEngine,
  expand,
  memoryStore,
  openSession,
  shownSummaries,
  stored,
  system,
  texts,
  turns,
  user,
} from './harness.ts'

/** A conversation with a compaction in it. */
async function compacted() {
  const store = memoryStore()
  const told = [system(), ...turns(20)]
  const chat = createChat({ store, window: 4_000, leaf_chunk_tokens: 700 })
  await chat.prepare(told)
  expect((await shownSummaries(store)).length).toBeGreaterThan(1)
  return { store, told, chat }
}

describe('an edit of the history', () => {
  it.each([2, 6, 17, 40, 79])(
    'from m%i on opens the summaries that reach across, and keeps all within reach',
    async (from) => {
      const { store, told, chat } = await compacted()
      const edited = [...told.slice(0, from), user('no, do something else'), assistant('Yes.')]
      const { messages } = await chat.prepare(edited)
      const session = await openSession(store)
      expect(await uncovered(session, messages)).toBeUndefined()
      expect((await shownSummaries(store)).every(({ last }) => last < from)).toBe(true)
      expect(await stored(session, false)).toEqual(texts(edited))
      for (const [seq, json] of texts(told).entries()) expect(await expand(chat.engine, seq)).toBe(json)
      const more = await chat.prepare([...edited, ...turns(20, 100, 'more')])
      expect(await uncovered(session, more.messages)).toBeUndefined()
      expect(await store.verify()).toEqual([])
    },
  )

  it('that takes back all but what is summarised shows the last message as it was', async () => {
    const { store, told, chat } = await compacted()
    const list = told.slice(0, ((await shownSummaries(store))[0]?.last ?? 0) + 1)
    const { messages } = await chat.prepare(list)
    expect(messages.at(-1)).toEqual(list.at(-1))
    expect(await uncovered(await openSession(store), messages)).toBeUndefined()
  })
})

it('a reset begins anew, with the old conversation still in the store', async () => {
  const { store, told, chat } = await compacted()
  await chat.reset()
  const fresh = [system(), user('hello again'), assistant('Hello.')]
  expect((await chat.prepare(fresh)).messages).toEqual(fresh)
  expect(await stored(await openSession(store))).toEqual(texts([...told, ...fresh]))
  const { messages } = await chat.prepare([...fresh, ...turns(20, 100, 'new')])
  expect(messages.some(isSummary)).toBe(true)
  expect(await uncovered(await openSession(store), messages)).toBeUndefined()
  expect(await store.verify()).toEqual([])
})

it('a dozen system prompts stay apart from what is summarised', async () => {
  const prompts = Array.from({ length: 12 }, (_, index) => system(`Rule ${index}.`))
  const store = memoryStore()
  const told = [...prompts, ...turns(20)]
  await createEngine({ store }).ingest({ messages: told, from: 0 })
  const { messages } = await createChat({ store, window: 4_000 }).prepare(told)
  expect(JSON.stringify(messages[0])).toContain('Rule 11.')
  expect((await shownSummaries(store))[0]?.first).toBe(12)
})
