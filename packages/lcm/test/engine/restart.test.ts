import { checkProjection } from '@palimpsest/core'
import { StoreError } from '@palimpsest/store'
import { describe, expect, it } from 'vitest'
import { namedIds } from './coverage.ts'
import {
  createChat,
  createEngine,
  memoryStore,
  openSession,
  scripted,
  shownSummaries,
  stored,
  summaryOf,
  system,
  texts,
  turns,
  user,
  wrapStore,
} from './harness.ts'

const told = [system(), ...turns(12)]

/** A store with the conversation in it, summarised. */
async function _summarised() {
  const store = memoryStore()
  const chat = createChat({ store, window: 4_000 })
  await chat.prepare(told)
  await chat.end()
  return store
}

describe('a host after a restart', () => {
  it('is shown what was summarised before, and pays for nothing that is not needed', async () => {
    const store = memoryStore()
    const model = scripted()
    const first = createChat({ store, model, window: 4_000 })
    let list = [system()]
    let compactions = 0
    for (let turn = 0; turn < 40; turn++) {
      list = [...list, ...turns(1, 100, `turn${turn}-`)]
      compactions += (await first.prepare(list)).compactions.length
    }
    await first.end()
    const [paid, { nextSummary }] = [model.calls.length, await (await openSession(store)).head()]
    expect(compactions).toBeGreaterThan(3)
    for (let restart = 0; restart < 5; restart++) {
      const chat = createChat({ store, model, window: 4_000 })
      const { messages } = await chat.prepare(list)
      expect(messages.length).toBeLessThan(list.length)
      expect(checkProjection(messages, list)).toEqual([])
      await chat.end()
    }
    expect(model.calls).toHaveLength(paid)
    expect((await (await openSession(store)).head()).nextSummary).toBe(nextSummary)
  })
})

describe('another writer of the same session', () => {
  it('keeps its edit of what another one went on from to itself, and compacts on', async () => {
    const store = memoryStore()
    const one = createEngine({ store, window: 4_000 })
    const chat = createChat({ store, window: 4_000 })
    const own = [system(), user('alpha')]
    await one.ingest({ messages: own, from: 0 })
    await chat.prepare(own)
    await one.ingest({ messages: [{ role: 'assistant', content: 'fine' }, user('more')], from: own.length })
    const edited = [system(), user('bravo'), ...turns(30, 100, 'new').slice(1)]
    const { compactions, messages, warnings } = await chat.prepare(edited)
    expect(warnings.map(({ code }) => code)).toContain('store-conflict')
    expect(warnings.map(({ code }) => code)).not.toContain('engine-failed')
    expect(compactions.map(({ outcome }) => outcome)).toEqual(['compacted'])
    expect(messages.length).toBeLessThan(edited.length)
    expect(await chat.callTool('lcm_grep', { query: 'bravo' })).toContain('another process goes on')
    expect(await stored(await openSession(store))).toEqual(
      texts([...own, { role: 'assistant', content: 'fine' }, user('more')]),
    )
  })

  it('has its words kept apart: who was slower reads none of them under its own numbers', async () => {
    const store = memoryStore()
    const [one, two] = [
      createEngine({ store, window: 4_000 }),
      createEngine({ store, window: 4_000, model: scripted() }),
    ]
    await one.ingest({ messages: told, from: 0 })
    await two.ingest({ messages: told, from: 0 })
    await one.ingest({ messages: [user('alpha')], from: told.length })
    const own = [...told, user('bravo')]
    const said = await two.ingest({ messages: [user('bravo')], from: told.length })
    expect(said.map(({ code }) => code)).toEqual(['store-conflict'])
    const { outcome, messages, warnings } = await two.compress({ messages: own, force: true })
    expect(outcome).toBe('compacted')
    expect(messages.at(-1)).toEqual(user('bravo'))
    expect(warnings.map(({ code }) => code)).toEqual(['store-conflict'])
    for (const [name, args] of [
      ['lcm_expand', { id: `m${told.length}` }],
      ['lcm_grep', { query: 'alpha' }],
    ] as const)
      expect(JSON.parse(await two.handleToolCall(name, args))).toEqual({
        error: expect.stringContaining('another process goes on with this session'),
      })
    expect(await stored(await openSession(store))).toEqual(texts([...told, user('alpha')]))
  })
})

it('writes messages and summaries of a conversation that began while the store could not be reached', async () => {
  const inner = memoryStore()
  let isDown = true
  const store = wrapStore(inner, async (_method, run) => {
    if (isDown) throw new StoreError('STORE_UNAVAILABLE', 'there is no folder')
    return run()
  })
  const chat = createChat({ store, window: 4_000 })
  const { messages } = await chat.prepare(told)
  isDown = false
  await chat.prepare([...told, user('and now?')])
  const session = await openSession(inner)
  expect(await stored(session)).toEqual(texts([...told, user('and now?')]))
  const nodes = await shownSummaries(inner)
  expect(nodes.length).toBeGreaterThan(0)
  expect(namedIds(summaryOf(messages))).toEqual(nodes.map(({ number }) => number))
})
