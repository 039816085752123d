import { describe, expect, it } from 'vitest'
import type { ExternalMemory, Memory } from '../../src/index.ts'
import { createMem0Memory, createZepMemory, type MemoryServiceOptions } from '../../src/memories.ts'
import { talkWith, textOf } from '../talk.ts'
import { fakeService, KEY, type Protocol } from './fake-service.ts'
import { mem0, zep } from './protocols.ts'

const MEMORIES: readonly Memory[] = [
  { id: 'd000000000001', text: 'Decided: database: MySQL\nReason: the hosting', session: 's' },
  { id: 'd000000000002', text: 'Decided: cache: Redis', session: 's' },
]
const signal = AbortSignal.timeout(60_000)

const SERVICES: readonly [string, (options: MemoryServiceOptions) => ExternalMemory, () => Protocol][] = [
  ['Mem0', createMem0Memory, () => mem0],
  ['Zep', createZepMemory, zep],
]

describe.each(SERVICES)('%s', (name, create, protocol) => {
  const memoryAt = (baseUrl: string, more: Partial<MemoryServiceOptions> = {}) =>
    create({ apiKey: KEY, container: 'project-shop', baseUrl, timeoutMs: 5_000, ...more })

  it('finds decisions again, word for word and with their ids, and the latest text of each', async () => {
    await using server = await fakeService(protocol())
    expect(await memoryAt(server.baseUrl).search('mysql', { limit: 3, signal })).toEqual([])
    await memoryAt(server.baseUrl).publish(MEMORIES, { signal })
    expect(await memoryAt(server.baseUrl).search('mysql hosting?', { limit: 2, signal })).toEqual(
      MEMORIES.slice(0, 1),
    )
    const again = { ...MEMORIES[0], text: 'No longer holds: database: MySQL' } as Memory
    await memoryAt(server.baseUrl).publish([again], { signal })
    expect(await memoryAt(server.baseUrl).search('mysql', { limit: 5, signal })).toEqual([again])
    expect(
      await memoryAt(server.baseUrl, { container: 'other' }).search('mysql', { limit: 5, signal }),
    ).toEqual([])
  })

  it('says what is wrong, without the key, and gives it to nobody else', async () => {
    await using server = await fakeService(protocol())
    const wrong = memoryAt(server.baseUrl, { apiKey: 'wrong_0123' }).search('x', { limit: 1, signal })
    await expect(wrong).rejects.toThrow(`${name} refused the key`)
    await expect(wrong).rejects.not.toThrow('wrong_0123')
    await using broken = await fakeService(
      protocol(),
      (_, response) => void response.writeHead(200).end('<html>'),
    )
    await expect(memoryAt(broken.baseUrl).search('x', { limit: 1, signal })).rejects.toThrow(
      'something else than it says',
    )
    await using moved = await fakeService(
      protocol(),
      (_, response) => void response.writeHead(307, { location: `${server.baseUrl}/` }).end(),
    )
    const before = server.requests.length
    await expect(memoryAt(moved.baseUrl).search('x', { limit: 1, signal })).rejects.toThrow('was not reached')
    expect(server.requests).toHaveLength(before)
    await using silent = await fakeService(protocol(), () => {})
    await expect(
      memoryAt(silent.baseUrl, { timeoutMs: 50 }).search('x', { limit: 1, signal }),
    ).rejects.toThrow(name)
    for (const container of ['', 'a b', 'a/b', 'x'.repeat(101)])
      expect(() => create({ apiKey: KEY, container })).toThrow(/container must be/)
  })
})

/** A memory that keeps what it is given, and says it to everybody. */
function createNotebook() {
  const kept = new Map<string, Memory>()
  const notebook = {
    ...{ name: 'notebook', kept, isDown: false, asked: 0 },
    async publish(memories: readonly Memory[]) {
      if (notebook.isDown) throw new Error('the notebook is closed')
      for (const memory of memories) kept.set(memory.id, memory)
    },
    async search() {
      notebook.asked++
      if (notebook.isDown) throw new Error('the notebook is closed')
      return [...kept.values()]
    },
  }
  return notebook
}

const RECORD = { subject: 'database', value: 'Postgres', quote: "Let's use Postgres" }

describe('a memory beside the log', () => {
  it('gets what is decided, and shows another session what it knows, as data from outside', async () => {
    const memory = createNotebook()
    const first = talkWith({ memory }, { sessionId: 'first' })
    await first.ask("Let's use Postgres for the database.")
    await first.tool('decisions_record', RECORD)
    await first.tool('decisions_record', { subject: 'queue', value: 'Kafka' })
    await first.answer('Fine.')
    await first.session.end()
    expect([...memory.kept.values()].map(({ text }) => text)).toEqual([
      'Decided: database: Postgres\nSaid: "Let\'s use Postgres"',
    ])
    const second = talkWith({ memory }, { sessionId: 'second' })
    const text = textOf(await second.ask('Which database do we use?'))
    expect(text).toMatch(
      /<external_memory>[\s\S]*nothing of this was decided[\s\S]*Postgres[\s\S]*<\/external_memory>/,
    )
    expect(text).not.toContain('<project_decisions>')
    await second.session.end()
  })

  it('that fails is left alone after three times, told of once, and gets later what it missed', async () => {
    const memory = createNotebook()
    memory.isDown = true
    let now = 1_800_000_000_000
    const talk = talkWith({ memory }, { clock: { now: () => now }, contextLength: 8_000 })
    await talk.ask("Let's use Postgres for the database.")
    await talk.tool('decisions_record', RECORD)
    await talk.answer('Fine.')
    for (let turn = 0; turn < 5; turn++) await talk.turn(`Turn ${turn}`)
    expect(memory.asked).toBeLessThan(4)
    expect(talk.session.engine.status().details).toMatchObject({
      memory: { lastFailure: 'the notebook is closed' },
    })
    await talk.ask('And now?')
    expect(talk.warnings.filter((code) => code === 'memory-failed')).toHaveLength(1)
    memory.isDown = false
    now += 3_600_000
    await talk.answer('So.')
    await talk.session.end()
    expect(memory.kept.size).toBe(1)
  })
})
