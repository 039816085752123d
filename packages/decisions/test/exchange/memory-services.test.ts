import { describe, expect, it } from 'vitest'
import { type ExternalMemory, MemoryError, toMemories } from '../../src/exchange/index.ts'
import {
  createMem0Memory,
  createSupermemoryMemory,
  createZepMemory,
  type MemoryServiceOptions,
} from '../../src/memories.ts'
import { fakeService, KEY, type Protocol } from './fake-service.ts'
import { mem0, supermemory, zep } from './memory-protocols.ts'
import { shopTalk } from './say.ts'

const { talk, ids } = shopTalk()
const MEMORIES = toMemories(talk.ledger.all, talk.ledger)

type Create = (options: MemoryServiceOptions) => ExternalMemory
const SERVICES: readonly [
  name: string,
  create: Create,
  protocol: () => Protocol,
  results: (list: unknown) => unknown,
][] = [
  ['Supermemory', createSupermemoryMemory, () => supermemory, (results) => ({ results })],
  ['Mem0', createMem0Memory, () => mem0, (results) => ({ results })],
  ['Zep', createZepMemory, zep, (episodes) => ({ episodes })],
]

/** How a call failed. */
async function failure(promise: Promise<unknown>): Promise<MemoryError> {
  const error = await promise.then(
    () => undefined,
    (cause: unknown) => cause,
  )
  if (MemoryError.isInstance(error)) return error
  throw error ?? new Error('it did not fail')
}

describe.each(SERVICES)('%s', (name, create, protocol, resultsOf) => {
  const memoryAt = (baseUrl: string, more: Partial<MemoryServiceOptions> = {}) =>
    create({ apiKey: KEY, container: 'project-shop', baseUrl, timeoutMs: 5_000, ...more })
  /** Answers every request in the same way. */
  const answering = (status: number, body: string, type = 'application/json') =>
    fakeService(protocol(), (_request, response) => {
      response.writeHead(status, { 'content-type': type }).end(body)
    })

  it('finds decisions again, word for word and with their ids', async () => {
    await using server = await fakeService(protocol())
    const memory = memoryAt(server.baseUrl)
    expect(await memory.search('mysql', { limit: 3 })).toEqual([])
    await memory.publish(MEMORIES)
    const found = await memory.search('what about mysql hosting?', { limit: 2 })
    expect(found).toHaveLength(2)
    expect(found).toContainEqual(MEMORIES.find(({ id }) => id === ids.mysql.decision))
  })

  it('gives the latest text of a decision that was published again, in another process too', async () => {
    await using server = await fakeService(protocol())
    const [first] = MEMORIES
    if (first === undefined) throw new Error('a memory')
    await memoryAt(server.baseUrl).publish([first])
    await memoryAt(server.baseUrl).publish([{ ...first, text: `No longer holds: ${first.text}` }])
    const found = await memoryAt(server.baseUrl).search(first.text, { limit: 5 })
    expect(found).toEqual([{ ...first, text: `No longer holds: ${first.text}` }])
    if (name !== 'Zep') expect(server.kept).toHaveLength(1)
  })

  it('keeps what another container holds apart', async () => {
    await using server = await fakeService(protocol())
    await memoryAt(server.baseUrl).publish(MEMORIES)
    expect(await memoryAt(server.baseUrl, { container: 'other' }).search('mysql', { limit: 5 })).toEqual([])
  })

  it('asks nothing for an empty query', async () => {
    await using server = await fakeService(protocol())
    expect(await memoryAt(server.baseUrl).search(' \n', { limit: 3 })).toEqual([])
    expect(await memoryAt(server.baseUrl).search('mysql', { limit: 0 })).toEqual([])
    expect(server.requests).toEqual([])
  })

  it('takes no container that could be another address', () => {
    for (const container of ['', 'a b', 'a/b', 'x'.repeat(101)])
      expect(() => create({ apiKey: KEY, container })).toThrow(/container must be/)
  })

  it('says that the key is wrong, without saying the key', async () => {
    await using server = await fakeService(protocol())
    const error = await failure(memoryAt(server.baseUrl, { apiKey: 'wrong_0123' }).publish(MEMORIES))
    expect(error).toMatchObject({
      code: 'MEMORY_AUTH',
      message: expect.stringMatching(`^${name} refused the key`),
    })
    expect(error.message).not.toContain('wrong_0123')
    expect(server.requests).toHaveLength(1)
  })

  it.each([
    [500, 'MEMORY_UNAVAILABLE'],
    [503, 'MEMORY_UNAVAILABLE'],
    [429, 'MEMORY_UNAVAILABLE'],
    [403, 'MEMORY_AUTH'],
    [400, 'MEMORY_REFUSED'],
    [504, 'MEMORY_TIMEOUT'],
  ])('that answers %i gives %s, and is asked nothing twice', async (status, code) => {
    await using server = await answering(status, '{"error":"no"}')
    expect(await failure(memoryAt(server.baseUrl).search('mysql', { limit: 3 }))).toMatchObject({ code })
    const routes = server.requests.map(({ route }) => route)
    expect(new Set(routes).size).toBe(routes.length)
  })

  it('that is not there at all is unavailable', async () => {
    const server = await fakeService(protocol())
    await server[Symbol.asyncDispose]()
    expect(await failure(memoryAt(server.baseUrl).publish(MEMORIES))).toMatchObject({
      ...{ code: 'MEMORY_UNAVAILABLE', message: expect.stringMatching(/ECONNREFUSED/) },
    })
  })

  it('that sends the request elsewhere does not get the key there', async () => {
    await using elsewhere = await fakeService(protocol())
    await using server = await fakeService(protocol(), (_request, response) => {
      response.writeHead(307, { location: `${elsewhere.baseUrl}/` }).end()
    })
    expect((await failure(memoryAt(server.baseUrl).search('mysql', { limit: 3 }))).code).toBe(
      'MEMORY_UNAVAILABLE',
    )
    expect(elsewhere.requests).toEqual([])
  })

  it('that does not answer is left in time, also in the middle of an answer', async () => {
    await using silent = await fakeService(protocol(), () => {})
    await using slow = await fakeService(protocol(), (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"results":[')
    })
    for (const { baseUrl } of [silent, slow])
      expect((await failure(memoryAt(baseUrl, { timeoutMs: 50 }).search('mysql', { limit: 3 }))).code).toBe(
        'MEMORY_TIMEOUT',
      )
  })

  it.each([
    ['a page', 'text/html', '<html>hello</html>'],
    ['half of an answer', 'application/json', '{"results":[{"id":'],
    ['null', 'application/json', 'null'],
    ['wrong things in its lists', 'application/json', '{"results":7,"episodes":7}'],
  ])('that answers with %s is not believed', async (_name, type, body) => {
    await using server = await answering(200, body, type)
    const memory = memoryAt(server.baseUrl)
    expect((await failure(memory.search('mysql', { limit: 3 }))).code).toBe('MEMORY_MALFORMED')
    expect((await failure(memory.publish(MEMORIES))).code).toBe('MEMORY_MALFORMED')
  })

  it('gives results that are none: they are passed over, and the others bounded', async () => {
    const good = (index: number) => {
      const text = {
        chunk: `Decided: x${index}`,
        memory: `Decided: x${index}`,
        content: `Decided: x${index}`,
      }
      return { id: `c${index}`, uuid: `c${index}`, ...text, metadata: { palimpsest: 7, session: ['a'] } }
    }
    const empty = { id: 'c9', uuid: 'c9', chunk: '', memory: '', content: '' }
    const list = [
      null,
      7,
      {},
      { id: 'c0', uuid: 'c0' },
      empty,
      ...Array.from({ length: 500 }, (_, at) => good(at)),
    ]
    await using server = await answering(200, JSON.stringify(resultsOf(list)))
    const found = await memoryAt(server.baseUrl).search('x', { limit: 10 })
    expect(found).toHaveLength(10)
    expect(found[0]).toEqual({ id: 'c0', text: 'Decided: x0' })
  })

  it('is left by an abort at once, with its reason', async () => {
    const controller = new AbortController()
    const reason = new Error('the turn is over')
    await using server = await fakeService(protocol(), () => controller.abort(reason))
    const memory = memoryAt(server.baseUrl)
    await expect(memory.search('mysql', { limit: 3, signal: controller.signal })).rejects.toBe(reason)
    await expect(memory.publish(MEMORIES, { signal: controller.signal })).rejects.toBe(reason)
    expect(server.requests).toHaveLength(1)
  })
})
