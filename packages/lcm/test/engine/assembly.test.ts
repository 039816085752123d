import { checkProjection, isSummary, type Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { uncovered } from './coverage.ts'
import {
  assistant,
  calls,
  createChat,
  createEngine,
  memoryStore,
  openSession,
  result,
  SUMMARY,
  scripted,
  stored,
  summaryOf,
  system,
  texts,
  turns,
  user,
} from './harness.ts'

describe('a context', () => {
  it('of nothing is nothing', async () => {
    const engine = createEngine()
    expect(await engine.compress({ messages: [], force: true })).toMatchObject({
      outcome: 'unchanged',
      messages: [],
    })
    await engine.ingest({ messages: [], from: 0 })
    expect(engine.hasContentToCompress([])).toBe(false)
  })

  it('begins the same from request to request between two compactions', async () => {
    const chat = createChat({ window: 8_000, model: scripted(SUMMARY) })
    const list: Message[] = [system()]
    let last: readonly Message[] = []
    let changes = 0
    for (const turn of turns(90)) {
      list.push(turn)
      if (turn.role !== 'user') continue
      const { messages, compactions } = await chat.prepare(list)
      if (compactions.some(({ outcome }) => outcome === 'compacted')) changes++
      else expect(messages.slice(0, last.length)).toEqual(last)
      last = messages
    }
    expect(changes).toBeGreaterThan(1)
    expect(changes).toBeLessThan(15)
  })

  it('shows summaries and messages in the order of the conversation, with ids, times and who wrote them', async () => {
    const store = memoryStore()
    const chat = createChat({ store, window: 8_000, leaf_chunk_tokens: 700, model: scripted(SUMMARY) })
    const { messages } = await chat.prepare([system(), ...turns(40), user('and?')])
    const ranges = [
      ...summaryOf(messages).matchAll(
        /<summary id="s\d+" depth="\d+" messages="m(\d+)-m(\d+)" time="2026-01-01T00:00Z"(?: of="[s\d ]+")? by="model">/g,
      ),
    ]
    expect(ranges.length).toBeGreaterThan(1)
    for (const [index, [, first]] of ranges.entries())
      expect(Number(first)).toBe(index === 0 ? 1 : Number(ranges[index - 1]?.[2]) + 1)
    expect(await uncovered(await openSession(store), messages)).toBeUndefined()
  })

  it('mends broken pairs in what it shows, and stores them as they came', async () => {
    const broken: Message[] = [
      result('nowhere', 'an orphan'),
      user('read a and b'),
      calls('a', 'b'),
      result('a', 'of a'),
      result('a', 'of a again'),
      user('what now?'),
      result('b', 'late'),
      assistant('hm'),
      calls('a'),
      result('a', 'another one of the same id'),
    ]
    const store = memoryStore()
    const chat = createChat({ store, window: 4_000 })
    const list = [...broken, ...turns(20), ...broken.slice(1)]
    await chat.prepare(list)
    const { messages } = await chat.compact()
    expect(checkProjection(messages, chat.transcript)).toEqual([])
    expect(await stored(await openSession(store))).toEqual(texts(list))
    const fork = createChat({ store, window: 4_000 })
    await fork.prepare(list)
    expect(await stored(await openSession(store))).toEqual(texts(list))
  })

  it('is recalled whole: every needle is found by its key and by its value, and by expanding what is shown', async () => {
    const chat = createChat({ window: 6_000, model: scripted(SUMMARY) })
    const needles = Array.from({ length: 60 }, (_, index) => ({
      key: `needle-${index}-key`,
      value: `/srv/v${index * 7919}/x.bin`,
    }))
    const list: Message[] = [
      system(),
      ...needles.flatMap(({ key, value }, index) => [
        ...turns(3, 60, `n${index}_`),
        user('look it up'),
        calls(`needle${index}`),
        result(`needle${index}`, `${'filler '.repeat(600)} ${key} = ${value}`),
        assistant('noted'),
      ]),
    ]
    for (let end = 16; end <= list.length; end += 16) await chat.prepare(list.slice(0, end))
    const tool = async (name: string, args: object) => JSON.parse(await chat.callTool(name, args))
    for (const { key, value } of needles)
      for (const query of [key, `"${value}"`]) {
        const { hits } = await tool('lcm_grep', { query })
        expect(hits).toHaveLength(1)
        expect(hits[0].snippet).toContain(value)
      }
    const seen = new Set<string>()
    const walk = async (id: string): Promise<void> => {
      for (let offset = 0; offset !== null; ) {
        const { sources, next } = await tool('lcm_expand', { id, offset, limit: 100 })
        for (const { ref } of sources) ref.startsWith('s') ? await walk(ref) : seen.add(ref)
        offset = next
      }
    }
    const { messages } = await chat.prepare(list)
    const shown = [...summaryOf(messages).matchAll(/<summary id="(s\d+)"/g)].map(([, id]) => id ?? '')
    for (const id of shown) await walk(id)
    const behind = messages.length - messages.findIndex(isSummary) - 1
    expect(seen.size).toBeGreaterThanOrEqual(list.length - 1 - behind)
  })
})
