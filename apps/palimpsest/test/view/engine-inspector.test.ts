import type { DecisionStore } from '@palimpsest/decisions'
import type { LcmStore } from '@palimpsest/lcm'
import { describe, expect, it, vi } from 'vitest'
import { inspectEngine } from '../../src/view/inspect-engine.ts'
import { talk, watchedSession } from './watched-session.ts'

const KIND = 'decisions over lcm'
const topic = (turn: number) => `Rename load_${turn} to read_${turn}. ${'Tell me. '.repeat(40)}`

/** The options with stores that say how much was read from them. */
function counted(options: Record<string, unknown>) {
  const read = { summaries: 0, events: 0 }
  const { compaction } = options as { compaction: { options: { store: LcmStore } } }
  const { store: summaries } = compaction.options
  const decisions = options.store as DecisionStore
  const find: LcmStore['find'] = async (ref) => {
    const session = await summaries.find(ref)
    if (session === null) return null
    const counting = async (numbers: readonly number[]) => {
      const nodes = await session.summaries(numbers)
      read.summaries += nodes.length
      return nodes
    }
    return { ...session, summaries: counting }
  }
  const events: DecisionStore['events'] = async (query) => {
    const found = await decisions.events(query)
    read.events += found.length
    return found
  }
  const inner = { ...compaction.options, store: { ...summaries, find } }
  const stores = { store: { ...decisions, events }, compaction: { ...compaction, options: inner } }
  return { read, options: { ...options, ...stores } }
}

describe('what is read from the stores of an engine', () => {
  it('is read once, however often a page asks, and then only what is new', async () => {
    const { session, options, close } = await watchedSession(KIND, 4_000)
    const { read, options: watched } = counted(options)
    const inspector = inspectEngine('decisions', watched, 's')
    const ask = async () => [await inspector.summaryNodes(), await inspector.decisions()] as const
    const list = talk(15, topic)
    for (let end = 2; end <= 42; end += 4) {
      await session.prepare(list.slice(0, end))
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
    for (let end = 46; end <= list.length; end += 4) await session.prepare(list.slice(0, end))
    const fresh = inspectEngine('decisions', options, 's')
    expect(await ask()).toEqual([await fresh.summaryNodes(), await fresh.decisions()])
    const { scopes, events } = options.store as DecisionStore
    expect(read.events).toBe((await events({ scopes: await scopes() })).length)
    await session.end()
    await close()
  })

  it('shows what was deleted on request, and begins anew with each conversation', async () => {
    const { session, options, close } = await watchedSession(KIND, 4_000)
    const inspector = inspectEngine('decisions', options, 's')
    const list = talk(12, topic)
    for (let end = 2; end <= list.length; end += 4) await session.prepare(list.slice(0, end))
    const [first] = await inspector.summaryNodes()
    expect(first?.text).not.toContain('Deleted on request')
    const { compaction } = options as { compaction: { options: { store: LcmStore } } }
    const stored = await compaction.options.store.find({ key: 's' })
    await stored?.forget({ first: 1, last: 2, reason: 'a secret', at: 1 })
    expect((await inspector.summaryNodes())[0]?.text).toBe('(Deleted on request: a secret)')
    for (const [index, choice] of ['Redis', 'Memcached', 'Redis'].entries()) {
      await session.reset()
      await session.prepare([{ role: 'user', content: `We use ${choice} as our cache. ${index}` }])
      expect((await inspector.decisions())?.map((decision) => decision.choice)).toEqual([choice])
      const seqs = (await inspector.decisions())?.flatMap(({ sources }) => sources.map(({ seq }) => seq))
      expect(seqs).toEqual([0])
    }
    await session.end()
    await close()
  })
})

describe('a page that is open', () => {
  it('gets what the stores got without a request: by a tool, or by a model that reads behind the conversation', async () => {
    const summaryNodes = vi.fn(async () => [])
    const decisions = vi.fn(async () => [] as never[])
    const inspector = { summaryNodes, decisions }
    const { session, recorder, close } = await watchedSession('compressor', 10_000, { inspector })
    await session.prepare([{ role: 'user', content: 'Hello.' }])
    const { cursor } = await recorder.view()
    const told = new Promise<void>((resolve) => recorder.subscribe(resolve))
    await session.callTool('none', {})
    await told
    const found = [{ id: 'd1' }] as never[]
    decisions.mockResolvedValue(found)
    const { delta, cursor: next } = await recorder.delta(cursor)
    expect(delta.facts).toEqual({ decisions: found })
    expect(next.revision).toBeGreaterThan(cursor.revision)
    expect((await recorder.delta(next)).delta).toMatchObject({ revision: next.revision, facts: {} })
    await close()
  })

  it('waits for the answer of a store before it asks the next question, and tells everybody the newest', async () => {
    let open = 0
    let asked = 0
    const decisions = async () => {
      expect(++open).toBe(1)
      const id = ++asked
      // The first answer comes last, if nobody waits for it.
      await new Promise((resolve) => setTimeout(resolve, 20 / id))
      open--
      return [{ id }] as never[]
    }
    const inspector = { summaryNodes: async () => [], decisions }
    const { session, recorder, close } = await watchedSession('compressor', 10_000, { inspector })
    await session.prepare([{ role: 'user', content: 'Hello.' }])
    const views = await Promise.all([recorder.view(), recorder.view(), recorder.view()])
    expect(views.map(({ view }) => view.decisions)).toEqual([[{ id: 1 }], [{ id: 2 }], [{ id: 3 }]])
    expect(views.map(({ view }) => view.warnings)).toEqual([[], [], []])
    await close()
  })

  it('is told once that a store cannot be read, and goes on with what it had', async () => {
    const inspector = { summaryNodes: vi.fn(async () => []), decisions: vi.fn(async () => [] as never[]) }
    const { session, recorder, close } = await watchedSession('compressor', 10_000, { inspector })
    await session.prepare([{ role: 'user', content: 'Hello.' }])
    const { cursor } = await recorder.view()
    inspector.summaryNodes.mockRejectedValue(new Error('the disk is gone'))
    const { delta, cursor: next } = await recorder.delta(cursor)
    expect(delta.warnings.items).toMatchObject([{ code: 'view-incomplete' }])
    expect(next.revision).toBeGreaterThan(cursor.revision)
    expect((await recorder.delta(next)).delta.warnings.items).toEqual([])
    expect((await recorder.view()).view.decisions).toEqual([])
    await close()
  })
})

it.each([
  ['decisions over lcm', 'decisions over lcm'],
  ['decisions as described', 'decisions'],
  ['lcm', 'lcm'],
])('the engine %s is called %s', async (kind, title) => {
  const { recorder, close } = await watchedSession(kind, 10_000)
  expect(recorder.summary().engine).toBe(title)
  await close()
})
