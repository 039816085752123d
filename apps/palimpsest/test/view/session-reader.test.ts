import type { Message, Store, StoredSession } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { talk, watchedSession } from './watched-session.ts'

const KIND = 'decisions over lcm'
const topic = (turn: number) => `Rename load_${turn} to read_${turn}. ${'Tell me. '.repeat(40)}`

/** The same store, and how much was read from it. */
function counted(store: Store) {
  const read = { summaries: 0, events: 0 }
  const find: Store['find'] = async (ref) => {
    const session = await store.find(ref)
    if (session === null) return null
    const counting: Pick<StoredSession, 'key' | 'head' | 'frontier' | 'summaries' | 'events'> = {
      key: session.key,
      head: () => session.head(),
      frontier: () => session.frontier(),
      async summaries(numbers) {
        const found = await session.summaries(numbers)
        read.summaries += found.length
        return found
      },
      async events(query) {
        const found = await session.events(query)
        read.events += found.length
        return found
      },
    }
    return counting as StoredSession
  }
  return { read, store: { ...store, find } }
}

describe('what is read from the store', () => {
  it('is read once, however often a page asks, and then only what is new', async () => {
    const { session, reader, store, close } = await watchedSession(KIND, 4_000)
    const { read, store: watched } = counted(store)
    const inspector = reader(watched)
    const ask = async () => [await inspector.summaryNodes(), await inspector.decisions()] as const
    const list = talk(15, topic)
    const record = (end: number, value: string) =>
      session.callTool('decisions_record', { subject: `part ${end}`, value, quote: 'Rename load_' })
    for (let end = 2; end <= 42; end += 4) {
      await session.prepare(list.slice(0, end))
      await record(end, 'x')
      await ask()
    }
    const before = { ...read }
    const [nodes, decisions] = await ask()
    expect(nodes.length).toBeGreaterThan(2)
    expect(decisions?.length).toBeGreaterThan(5)
    for (let time = 0; time < 3; time++) expect(await ask()).toEqual([nodes, decisions])
    expect(await inspector.summaryNodes()).toBe(nodes)
    expect(await inspector.decisions()).toBe(decisions)
    expect(read).toEqual(before)
    // Of the log of all decisions, each event was read once.
    for (let end = 46; end <= list.length; end += 4) {
      await session.prepare(list.slice(0, end))
      await record(end, 'y')
    }
    const fresh = reader()
    expect(await ask()).toEqual([await fresh.summaryNodes(), await fresh.decisions()])
    const stored = await store.find({ key: 's' })
    expect(read.events).toBe((await stored?.events({ scopes: ['session:s'] }))?.length)
    await session.end()
    await close()
  })
})

describe('decisions on the page', () => {
  it('lead to where they were said, and keep what was decided before', async () => {
    const { session, recorder, close } = await watchedSession('decisions over lcm', 20_000)
    const list: Message[] = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'We use Postgres as our database.' },
      { role: 'assistant', content: 'Noted.' },
      { role: 'user', content: 'No, we use MySQL as our database instead of Postgres.' },
      { role: 'assistant', content: 'Changed.' },
      { role: 'user', content: 'Go on.' },
    ]
    const record = { subject: 'database' }
    await session.prepare(list.slice(0, 2))
    await session.callTool('decisions_record', { ...record, value: 'Postgres', quote: 'We use Postgres' })
    await session.prepare(list.slice(0, 4))
    const change = { ...record, value: 'MySQL', replaces: 'Postgres', quote: 'we use MySQL as our database' }
    await session.callTool('decisions_record', change)
    await session.prepare(list)
    const view = await recorder.view()
    const found = view.decisions?.filter(({ subject }) => subject === 'database') ?? []
    const old = found.find(({ value }) => /postgres/i.test(value))
    const current = found.find(({ value }) => /mysql/i.test(value))
    expect(old).toMatchObject({ status: 'superseded', supersededBy: [current?.id] })
    expect(current).toMatchObject({ status: 'active', supersedes: [old?.id] })
    expect([old?.sources[0]?.seq, current?.sources[0]?.seq]).toEqual([1, 3])
    for (const { sources } of found)
      for (const { seq, quote } of sources)
        expect(view.messages.find((message) => message.seq === seq)?.text).toContain(quote)
    expect(view.requests.at(-1)?.tokens.decisions).toBeGreaterThan(0)

    await session.reset()
    await session.prepare([{ role: 'user', content: 'We use Redis as our cache.' }, ...list.slice(4)])
    await session.callTool('decisions_record', { subject: 'cache', value: 'Redis', quote: 'We use Redis' })
    const after = (await recorder.view()).decisions
    expect(after?.map(({ value }) => value)).toEqual(['Redis'])
    await session.end()
    await close()
  })
})
