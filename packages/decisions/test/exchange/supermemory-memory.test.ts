import Supermemory from 'supermemory'
import { describe, expect, it } from 'vitest'
import { MemoryError, toMemories } from '../../src/exchange/index.ts'
import { createSupermemoryMemory } from '../../src/supermemory.ts'
import { fakeSupermemory, KEY } from './fake-supermemory.ts'
import { shopTalk } from './say.ts'

const { talk, ids } = shopTalk()
const MEMORIES = toMemories(talk.ledger.all, talk.ledger)

function memoryAt(baseURL: string, { apiKey = KEY, timeoutMs = 5_000 } = {}) {
  const client = new Supermemory({ apiKey, baseURL, logLevel: 'off' })
  return createSupermemoryMemory({ client, containerTag: 'project-shop', timeoutMs })
}

/** How a call failed. */
async function failure(promise: Promise<unknown>): Promise<MemoryError> {
  const error = await promise.then(
    () => undefined,
    (cause: unknown) => cause,
  )
  if (MemoryError.isInstance(error)) return error
  throw error ?? new Error('it did not fail')
}

describe('decisions in Supermemory', () => {
  it('are found again, word for word and with their ids', async () => {
    await using server = await fakeSupermemory()
    const memory = memoryAt(server.baseURL)
    await memory.publish(MEMORIES)
    const found = await memory.search('what about mysql hosting?', { limit: 2 })
    expect(found).toHaveLength(2)
    expect(found).toContainEqual(MEMORIES.find(({ id }) => id === ids.mysql.decision))
  })

  it('are kept once each, as they are, in the container of their project', async () => {
    await using server = await fakeSupermemory()
    const memory = memoryAt(server.baseURL)
    await memory.publish(MEMORIES)
    await memory.publish(MEMORIES)
    expect(server.documents.size).toBe(MEMORIES.length)
    const bodies = server.requests.map(({ body }) => body as Record<string, unknown>)
    expect(new Set(bodies.map(({ taskType }) => taskType))).toEqual(new Set(['superrag']))
    const elsewhere = createSupermemoryMemory({
      client: new Supermemory({ apiKey: KEY, baseURL: server.baseURL }),
      containerTag: 'project-other',
    })
    expect(await elsewhere.search('mysql', { limit: 5 })).toEqual([])
  })

  it('ask nothing for an empty query', async () => {
    await using server = await fakeSupermemory()
    expect(await memoryAt(server.baseURL).search(' \n', { limit: 3 })).toEqual([])
    expect(await memoryAt(server.baseURL).search('mysql', { limit: 0 })).toEqual([])
    expect(server.requests).toEqual([])
  })

  it('refuse a container tag that the service does not take', () => {
    const client = new Supermemory({ apiKey: KEY, baseURL: 'http://127.0.0.1:1' })
    for (const containerTag of ['', 'a b', 'a/b', 'x'.repeat(101)])
      expect(() => createSupermemoryMemory({ client, containerTag })).toThrow(/containerTag must be/)
  })
})

describe('a memory that does not work', () => {
  it('says that the key is wrong, without saying the key', async () => {
    await using server = await fakeSupermemory()
    const memory = memoryAt(server.baseURL, { apiKey: 'sm_wrong' })
    const error = await failure(memory.publish(MEMORIES))
    expect(error).toMatchObject({ code: 'MEMORY_AUTH', message: expect.stringMatching(/check it/) })
    expect(error.message).not.toContain('sm_wrong')
    expect(server.requests).toHaveLength(1)
  })

  it.each([
    [500, 'MEMORY_UNAVAILABLE'],
    [503, 'MEMORY_UNAVAILABLE'],
    [429, 'MEMORY_UNAVAILABLE'],
    [403, 'MEMORY_AUTH'],
    [400, 'MEMORY_REFUSED'],
    [504, 'MEMORY_TIMEOUT'],
  ])('answers %i: one request, and %s', async (status, code) => {
    await using server = await fakeSupermemory((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end('{"error":"no"}')
    })
    expect(await failure(memoryAt(server.baseURL).search('mysql', { limit: 3 }))).toMatchObject({ code })
    expect(server.requests).toHaveLength(1)
  })

  it('is not there at all', async () => {
    const server = await fakeSupermemory()
    await server[Symbol.asyncDispose]()
    expect((await failure(memoryAt(server.baseURL).publish(MEMORIES))).code).toBe('MEMORY_UNAVAILABLE')
  })

  it('does not answer: the call ends by itself', async () => {
    await using server = await fakeSupermemory(() => {})
    const memory = memoryAt(server.baseURL, { timeoutMs: 50 })
    expect((await failure(memory.search('mysql', { limit: 3 }))).code).toBe('MEMORY_TIMEOUT')
  })

  it.each([
    ['a page', 'text/html', '<html>hello</html>'],
    ['half of an answer', 'application/json', '{"results":[{"id":'],
    ['another answer', 'application/json', '{"items":[]}'],
    ['null', 'application/json', 'null'],
    ['a list of wrong things', 'application/json', '{"results":7}'],
  ])('answers with %s', async (_name, type, body) => {
    await using server = await fakeSupermemory((_request, response) => {
      response.writeHead(200, { 'content-type': type }).end(body)
    })
    const memory = memoryAt(server.baseURL)
    expect((await failure(memory.search('mysql', { limit: 3 }))).code).toBe('MEMORY_MALFORMED')
    expect((await failure(memory.publish(MEMORIES))).code).toBe('MEMORY_MALFORMED')
  })

  it('gives results that are none: they are passed over, and the others bounded', async () => {
    const good = { id: 'c1', chunk: 'Decided: x', metadata: { palimpsest: 7, session: ['a'] } }
    const results = [null, 7, {}, { id: 'c0' }, { id: 'c9', chunk: '' }, good, ...Array(500).fill(good)]
    await using server = await fakeSupermemory((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }))
    })
    const found = await memoryAt(server.baseURL).search('x', { limit: 10 })
    expect(found).toEqual(Array(5).fill({ id: 'c1', text: 'Decided: x' }))
  })

  it('is left by an abort at once, with its reason', async () => {
    await using server = await fakeSupermemory(() => {})
    const memory = memoryAt(server.baseURL)
    const controller = new AbortController()
    const searching = memory.search('mysql', { limit: 3, signal: controller.signal })
    const reason = new Error('the turn is over')
    setTimeout(() => controller.abort(reason), 20)
    await expect(searching).rejects.toBe(reason)
    await expect(memory.publish(MEMORIES, { signal: controller.signal })).rejects.toBe(reason)
    expect(server.requests).toHaveLength(1)
  })
})
