import { join } from 'node:path'
import type { AssistantMessage } from '@palimpsest/core'
import { afterEach, describe, expect, it } from 'vitest'
import { startCuttingProxy } from '../../../../packages/postgres/test/support/cutting-proxy.ts'
import { describeWithPostgres } from '../../../../packages/postgres/test/support/postgres-server.ts'
import { paidTokens } from '../../src/serve/models/price-of.ts'
import { type ServiceStore, sessionLockName } from '../../src/serve/store/service-store.ts'
import { databasePlace, filePlace, type StorePlace } from '../../src/stores/store-place.ts'
import { openStore } from './open-store.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** What PostgreSQL cannot keep as a text, and what ends texts elsewhere. */
const HARD = 'NUL \0, half of a pair \ud800, "quotes", \\ and 語'

type FindPlace = () => Promise<StorePlace | undefined>

/** What the record of a service does, wherever it is kept. */
function describeStore(findPlace: FindPlace): void {
  let opened: ServiceStore[] = []
  const open = async (place: StorePlace | undefined, principal?: string): Promise<ServiceStore> => {
    const store = await openStore(place, principal)
    opened.push(store)
    return store
  }
  afterEach(async () => {
    await Promise.all(opened.map((store) => store.close()))
    opened = []
  })

  const turnOf = (conversation: number, turn: number, token: number) => ({
    ...{ conversation, turn, token, system: `system ${HARD}`, response: `{"turn":${turn}}`, at: turn },
    messages: [
      { role: 'user' as const, content: `${turn}: ${HARD}` },
      { role: 'assistant', content: 'noted' } satisfies AssistantMessage,
    ],
    request: turn === 2 ? undefined : { id: `r${turn}`, hash: `h${turn}` },
  })
  const take = (store: ServiceStore) => store.locks.take(sessionLockName('s'), new AbortController().signal)

  it('gives back what it was given, byte for byte and in order', async () => {
    const store = await open(await findPlace())
    const { no } = await store.begin('s', HARD, 0)
    const { token } = await take(store)
    await store.commitTurn(turnOf(no, 1, token))
    await store.commitTurn(turnOf(no, 2, token))
    expect(await store.find('s')).toEqual({
      ...{ no, session: 's', epoch: 1, repoName: HARD, system: `system ${HARD}`, turns: 2, messages: 4 },
    })
    expect((await store.messages(no)).map(({ content }) => content)).toEqual([
      ...[`1: ${HARD}`, 'noted', `2: ${HARD}`, 'noted'],
    ])
    expect(await store.findResponse(no, 'r1')).toEqual({ hash: 'h1', response: '{"turn":1}' })
    expect(await store.findResponse(no, 'r2')).toBeUndefined()
    expect(await store.find('nobody')).toBeUndefined()
    await store.check()
  })

  it('keeps the last projection, with a turn and without', async () => {
    const store = await open(await findPlace())
    const { no } = await store.begin('s', undefined, 0)
    const { token } = await take(store)
    const projection = (compactions: number) => ({
      ...{ messages: [{ role: 'user' as const, content: HARD }], origins: [], system: [] },
      ...{ covered: 1, compactions },
    })
    expect(await store.projection(no)).toBeUndefined()
    await store.commitTurn({ ...turnOf(no, 1, token), projection: projection(1) })
    await store.commitTurn(turnOf(no, 2, token))
    expect(await store.projection(no)).toEqual(projection(1))
    await store.keepProjection({ conversation: no, projection: projection(2), token })
    expect(await store.projection(no)).toEqual(projection(2))
    await store.commitTurn({ ...turnOf(no, 3, token), request: undefined, projection: null })
    expect(await store.projection(no)).toBeUndefined()
  })

  it('takes a turn only behind the one before', async () => {
    const store = await open(await findPlace())
    const { no } = await store.begin('s', undefined, 0)
    const { token } = await take(store)
    await store.commitTurn(turnOf(no, 1, token))
    for (const turn of [1, 3])
      await expect(store.commitTurn(turnOf(no, turn, token))).rejects.toMatchObject({ code: 'TURN_CONFLICT' })
    expect((await store.find('s'))?.turns).toBe(1)
    expect(await store.messages(no)).toHaveLength(2)
  })

  it('begins a session anew behind the one before, and one without a turn again', async () => {
    const store = await open(await findPlace())
    const first = await store.begin('s', 'a', 0)
    expect(await store.begin('s', 'b', 1)).toEqual({ ...first, repoName: 'b' })
    const { token } = await take(store)
    await store.commitTurn(turnOf(first.no, 1, token))
    const second = await store.begin('s', undefined, 2)
    expect(second).toMatchObject({ epoch: 2, turns: 0, repoName: undefined, system: '' })
    await store.begin('other', undefined, 3)
    const all = await store.conversations()
    expect(all.map(({ session, epoch, messages }) => [session, epoch, messages])).toEqual([
      ...[
        ['s', 1, 2],
        ['s', 2, 0],
        ['other', 1, 0],
      ],
    ])
    expect(await store.find('s')).toEqual(second)
  })

  it('adds up what calls cost, by purpose and model', async () => {
    const store = await open(await findPlace())
    const { no } = await store.begin('s', undefined, 0)
    const other = await store.begin('other', undefined, 0)
    const usage = { promptTokens: 7, completionTokens: 3, totalTokens: 10, cacheReadTokens: 2 }
    const call = { purpose: 'answer', model: 'other', usage } as const
    await Promise.all([1, 2, 3].map(() => store.addCost(no, call)))
    await store.addCost(no, { purpose: 'extraction', model: 'm' })
    await store.addCost(other.no, call)
    const nothing = { ...paidTokens(undefined), reasoningTokens: 0 }
    const three = { ...nothing, promptTokens: 21, cachedTokens: 6, completionTokens: 9 }
    expect(await store.costs(no)).toEqual([
      { purpose: 'answer', model: 'other', calls: 3, ...three },
      { purpose: 'extraction', model: 'm', calls: 1, ...nothing },
    ])
    expect((await store.costs())[0]).toMatchObject({ calls: 4, promptTokens: 28 })
  })
}

describe('the record in memory', () => describeStore(async () => undefined))

describe('the record in a file', () => {
  describeStore(async () => filePlace(join(await temporaryFolder(), 'serve.db')))
})

describeWithPostgres('the record in a database', (server) => {
  const place = () => databasePlace({ url: server.url, schema: server.schema(), poolSize: 4 }, '--store')
  describeStore(async () => place())

  it('keeps what principals say apart, under the same names', async () => {
    const shared = place()
    const [ann, bob] = await Promise.all(['ann', 'bob'].map((name) => openStore(shared, name)))
    if (ann === undefined || bob === undefined) throw new Error('both are there')
    try {
      const { no } = await ann.begin('s', undefined, 0)
      await ann.addCost(no, { purpose: 'answer', model: 'm' })
      expect(await bob.find('s')).toBeUndefined()
      expect([await bob.conversations(), await bob.costs(), await bob.costs(no)]).toEqual([[], [], []])
      const locked = await ann.locks.tryTake('service:s')
      expect([locked !== undefined, (await bob.locks.tryTake('service:s')) !== undefined]).toEqual([
        true,
        true,
      ])
    } finally {
      await Promise.all([ann.close(), bob.close()])
    }
  })

  it('refuses the turn of a worker that another one has taken the session from', async () => {
    const shared = place()
    const [slow, next] = await Promise.all([openStore(shared), openStore(shared)])
    const turn = { turn: 1, system: '', messages: [], request: undefined, response: '{}', at: 0 }
    try {
      const { no: conversation } = await slow.begin('s', undefined, 0)
      const lost = await slow.locks.tryTake('service:s')
      await server.pool.query(`UPDATE ${shared.options.schema}.serve_lock SET until = now()`)
      const locked = await next.locks.tryTake('service:s')
      expect(locked?.token).toBeGreaterThan(lost?.token ?? Number.NaN)
      await expect(slow.commitTurn({ ...turn, conversation, token: lost?.token ?? 0 })).rejects.toMatchObject(
        { code: 'TURN_CONFLICT' },
      )
      // What is not one's own any more is not one's own to give back.
      await lost?.release()
      await next.commitTurn({ ...turn, conversation, token: locked?.token ?? 0 })
      expect((await slow.find('s'))?.turns).toBe(1)
    } finally {
      await Promise.all([slow.close(), next.close()])
    }
  })
})

describeWithPostgres(
  'the record in a database on this machine',
  (server) => {
    it('has each turn and each cost once, though connections break in the middle of commits', async () => {
      const cuts = ['before', undefined, undefined, 'after', undefined] as const
      let commits = 0
      let isCutting = false
      const proxy = await startCuttingProxy(server.url, () =>
        isCutting ? cuts[commits++ % cuts.length] : undefined,
      )
      const place = databasePlace({ url: proxy.url, schema: server.schema(), poolSize: 2 }, '--store')
      const store = await openStore(place)
      const turns = 8
      try {
        isCutting = true
        const { no: conversation } = await store.begin('s', undefined, 0)
        for (let turn = 1; turn <= turns; turn++) {
          const lock = await store.locks.take('service:s', new AbortController().signal)
          expect(lock.token).toBe(turn)
          const messages = [{ role: 'user' as const, content: `turn ${turn}` }]
          const request = { id: `r${turn}`, hash: '' }
          const rest = { system: '', response: '{}', at: turn, token: lock.token }
          await store.commitTurn({ conversation, turn, messages, request, ...rest })
          await store.addCost(conversation, { purpose: 'answer', model: 'm' })
          await lock.release()
        }
        isCutting = false
        const { no = 0 } = (await store.find('s')) ?? {}
        expect((await store.messages(no)).map(({ content }) => content)).toEqual(
          Array.from({ length: turns }, (_, index) => `turn ${index + 1}`),
        )
        expect(await store.costs()).toMatchObject([{ calls: turns }])
      } finally {
        await store.close()
        await proxy.close()
      }
      expect(Math.min(proxy.cuts.before, proxy.cuts.after)).toBeGreaterThan(3)
    })

    it('is kept apart by the server itself, where row security is on', async () => {
      const [schema, role] = [server.schema(), server.schema()]
      const secured = { url: server.url, schema, rowSecurity: true }
      await (await openStore(databasePlace(secured, '--store'))).close()
      await server.pool.query(`
        CREATE ROLE ${role} LOGIN;
        GRANT USAGE ON SCHEMA ${schema} TO ${role};
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${role}`)
      const url = server.url.replace('postgres@', `${role}@`)
      const place = databasePlace({ ...secured, url, migrate: false }, '--store')
      const [ann, bob] = [await openStore(place, 'ann'), await openStore(place, 'bob')]
      try {
        const { no } = await ann.begin('s', undefined, 0)
        const lock = await ann.locks.tryTake('service:s')
        const messages = [{ role: 'user' as const, content: 'a secret of ann' }]
        const rest = { request: undefined, system: '', response: '{}', at: 0, token: lock?.token ?? 0 }
        await ann.commitTurn({ conversation: no, turn: 1, messages, ...rest })
        await ann.addCost(no, { purpose: 'answer', model: 'm' })
        expect(await bob.messages(no)).toEqual([])
        const turn = { conversation: no, turn: 2, messages, ...rest }
        await expect(bob.commitTurn(turn)).rejects.toMatchObject({ code: 'TURN_CONFLICT' })
        await expect(bob.addCost(no, { purpose: 'answer', model: 'm' })).rejects.toThrow()
        expect((await ann.messages(no)).length).toBe(1)
      } finally {
        await Promise.all([ann.close(), bob.close()])
      }
    })
  },
  'local',
)
