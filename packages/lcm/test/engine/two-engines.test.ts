import { describe, expect, it } from 'vitest'
import { useFolders } from '../store-folder.ts'
import { uncovered } from './coverage.ts'
import {
  assistant,
  createChat,
  createEngine,
  openSession,
  SUMMARY,
  scripted,
  shownSummaries,
  stored,
  system,
  texts,
  turns,
  user,
} from './harness.ts'

describe('two engines on one session of one SQLite file', () => {
  const { path, open } = useFolders()

  it('store the same conversation once, and one takes over the summaries of the other', async () => {
    const file = path()
    const [one, two] = [open(file), open(file)]
    const [first, second] = [one, two].map((store) => createChat({ store, window: 4_000 })) as [
      ReturnType<typeof createChat>,
      ReturnType<typeof createChat>,
    ]
    const told = [system(), ...turns(20)]
    for (let end = 9; end <= told.length; end += 4) {
      const list = told.slice(0, end)
      await Promise.all([first.prepare(list), second.prepare(list)])
    }
    await first.compact()
    const next = [...told, user('and now?')]
    await second.prepare(next)
    const other = await second.compact()
    const session = await openSession(one)
    expect(await stored(session)).toEqual(texts(next))
    expect(await open(file).verify()).toEqual([])
    expect(await uncovered(session, other.messages)).toBeUndefined()
    const nodes = await shownSummaries(one)
    const versions = await session.versions({ limit: 100 })
    expect(nodes.length).toBeGreaterThan(0)
    expect(versions.every(({ reason }) => reason === 'start' || reason === 'compaction')).toBe(true)
  })

  it('leave a list alone that ends before what the other one has summarised', async () => {
    const file = path()
    const told = [system(), ...turns(20)]
    const [ahead, behind] = [open(file), open(file)].map((store) => createEngine({ store, window: 4_000 }))
    await behind?.ingest({ messages: told.slice(0, 5), from: 0 })
    await ahead?.ingest({ messages: told, from: 0 })
    expect((await ahead?.compress({ messages: told, force: true }))?.outcome).toBe('compacted')
    await behind?.ingest({ messages: told.slice(5, 9), from: 5 })
    const late = await behind?.compress({ messages: told.slice(0, 9), force: true })
    expect([late?.outcome, late?.reason]).toEqual(['deferred', 'another-worker-was-faster'])
    await behind?.ingest({ messages: told.slice(9), from: 9 })
    const caughtUp = await behind?.compress({ messages: told, force: true })
    expect(caughtUp?.outcome).toBe('compacted')
    const session = await openSession(open(file))
    expect(await stored(session)).toEqual(texts(told))
    expect(await uncovered(session, caughtUp?.messages ?? [])).toBeUndefined()
  })

  it('mix nothing when they are told different words, and both conversations go on', async () => {
    const file = path()
    const [one, two] = [
      createEngine({ store: open(file), window: 4_000 }),
      createEngine({ store: open(file), window: 4_000 }),
    ]
    const told = [system(), ...turns(14)]
    await one.ingest({ messages: told, from: 0 })
    await two.ingest({ messages: told, from: 0 })
    await one.ingest({ messages: [user('left')], from: told.length })
    for (const [index, message] of [user('right'), assistant('still right')].entries()) {
      const warnings = await two.ingest({ messages: [message], from: told.length + index })
      expect(warnings.map(({ code }) => code)).toEqual(['store-conflict'])
    }
    await one.ingest({ messages: [assistant('still left')], from: told.length + 1 })
    const right = await two.compress({
      messages: [...told, user('right'), assistant('still right')],
      force: true,
    })
    expect([right.outcome, right.messages.at(-1)]).toEqual(['compacted', assistant('still right')])
    expect(right.messages).toContainEqual(user('right'))
    const left = await one.compress({
      messages: [...told, user('left'), assistant('still left')],
      force: true,
    })
    expect([left.outcome, left.messages.at(-1)]).toEqual(['compacted', assistant('still left')])
    const session = await openSession(open(file))
    expect(await stored(session)).toEqual(texts([...told, user('left'), assistant('still left')]))
    expect(await open(file).verify()).toEqual([])
    expect(await uncovered(session, left.messages)).toBeUndefined()
  })

  it('that summarise at once keep the summaries of the faster one', async () => {
    const file = path()
    const told = [system(), ...turns(14)]
    const engines = [open(file), open(file)].map((store) =>
      createEngine({ store, window: 4_000, model: scripted() }),
    )
    for (const engine of engines) await engine.ingest({ messages: told, from: 0 })
    const call = { messages: told, currentTokens: 3_100 }
    const results = await Promise.all(engines.map((engine) => engine.compress(call)))
    expect(results.map(({ outcome, reason }) => [outcome, reason]).toSorted()).toEqual([
      ['compacted', 'summarised'],
      ['deferred', 'another-worker-was-faster'],
    ])
    expect((await (await openSession(open(file))).head()).version).toBe(1)
    expect((await shownSummaries(open(file)))[0]?.text).toContain(SUMMARY.slice(0, 20))
  })
})
