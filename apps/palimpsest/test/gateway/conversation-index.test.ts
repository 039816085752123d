import { join } from 'node:path'
import type { Message } from '@palimpsest/core'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  type ConversationIndex,
  createMemoryIndex,
  type KnownConversation,
} from '../../../../packages/gateway/src/recognition/conversation-index.ts'
import {
  checkpointOf,
  EMPTY_PREFIX,
  extendPrefix,
  firstCheckpoint,
  type PrefixHashes,
} from '../../../../packages/gateway/src/recognition/prefix-hashes.ts'
import { describeWithPostgres } from '../../../../packages/postgres/test/support/postgres-server.ts'
import { createConversationIndex } from '../../src/serve/gateway/conversation-index.ts'
import { openStore } from '../../src/stores/open-store.ts'
import { databasePlace, filePlace, type StorePlace } from '../../src/stores/store-place.ts'
import { temporaryFolder } from '../serve/temporary-folder.ts'

const user = (content: string): Message => ({ role: 'user', content })
const assistant = (content: string): Message => ({ role: 'assistant', content })
const prefixOf = (...messages: Message[]): PrefixHashes => extendPrefix(EMPTY_PREFIX, messages)
const HELLO = user('hello')
const HIDDEN = [assistant('let me look \0 \ud800'), assistant('found')]

const begin = async (index: ConversationIndex, name: string, prefix: PrefixHashes, isNamed = false) => {
  const known = await index.create({ owner: 'ann', name, isNamed, checkpoint: firstCheckpoint(prefix) })
  if (known === undefined) throw new Error('the name is taken')
  return known
}
const save = (index: ConversationIndex, known: KnownConversation, prefix: PrefixHashes) =>
  index.save(known, { checkpoint: checkpointOf(prefix), hidden: new Map() })

function indexSuite(open: () => Promise<ConversationIndex>): void {
  const namesOf = async (index: ConversationIndex, prefix: PrefixHashes, owner = 'ann') =>
    (await index.alike(owner, prefix)).map(({ name }) => name)

  test('a list that is as long as an agent’s work is known by its last turn', async () => {
    const index = await open()
    const past = Array.from({ length: 300 }, (_, number) => assistant(`step ${number}`))
    const prefix = prefixOf(HELLO, assistant('one'), user('work'), ...past)
    await save(index, await begin(index, 'a', prefix), prefix)
    expect(await namesOf(index, extendPrefix(prefix, [user('more')]))).toEqual(['a'])
    expect(await namesOf(index, prefixOf(HELLO, assistant('one'), user('work'), assistant('other')))).toEqual(
      ['a'],
    )
    expect(await namesOf(index, prefixOf(HELLO, assistant('two'), user('work'), ...past))).toEqual([])
  })

  test('one that begins is alike, one with a name of its own is not, and the latest comes first', async () => {
    const index = await open()
    for (const name of ['a', 'b', 'c']) await begin(index, name, prefixOf(HELLO), name === 'b')
    expect(await namesOf(index, prefixOf(HELLO))).toEqual(['c', 'a'])
    const [, first] = await index.alike('ann', prefixOf(HELLO))
    if (first !== undefined) await save(index, first, prefixOf(HELLO, assistant('one')))
    expect(await namesOf(index, prefixOf(HELLO))).toEqual(['a', 'c'])
  })

  test('a name is given once', async () => {
    const index = await open()
    const known = await begin(index, 'a', prefixOf(HELLO))
    const { token: _, ...conversation } = known
    expect(await index.create(conversation)).toBeUndefined()
    expect(await index.create({ ...conversation, owner: 'bob' })).toMatchObject({ owner: 'bob', token: 1 })
    expect(await index.acquire('ann', 'a')).toEqual({ ...known, token: known.token + 1 })
    expect(await index.acquire('ann', 'nobody')).toBeUndefined()
  })

  test('what clients never saw is kept as it is until it is edited away; storing it twice is storing it once', async () => {
    const index = await open()
    const known = await begin(index, 'a', prefixOf(HELLO))
    const change = {
      checkpoint: known.checkpoint,
      hidden: new Map([
        ['h1', HIDDEN],
        ['h2', HIDDEN],
      ]),
    }
    expect(await index.save(known, change)).toBe(true)
    expect(await index.save(known, change)).toBe(true)
    expect(await index.hidden(known)).toEqual(change.hidden)
    expect(await index.save(known, { ...change, hidden: new Map([['h2', HIDDEN]]) })).toBe(true)
    expect(await index.hidden(known)).toEqual(new Map([['h2', HIDDEN]]))
  })
}

let now = 0
/** Each call is later than the one before. */
const clock = { now: () => ++now }

async function openAt(place: StorePlace | undefined): Promise<ConversationIndex> {
  const store = await openStore(place)
  onTestFinished(() => store.close())
  return createConversationIndex({ store, principal: 'local' }, clock)
}

describe('the index in memory of the gateway itself', () => {
  indexSuite(async () => createMemoryIndex(10))

  test('forgets the conversation that was quiet for longest', async () => {
    const index = createMemoryIndex(2)
    const first = await begin(index, 'a', prefixOf(HELLO))
    await begin(index, 'b', prefixOf(HELLO))
    await save(index, first, prefixOf(HELLO))
    await begin(index, 'c', prefixOf(HELLO))
    expect((await index.alike('ann', prefixOf(HELLO))).map(({ name }) => name)).toEqual(['c', 'a'])
  })
})

describe('the index in a file', () =>
  indexSuite(async () => openAt(filePlace(join(await temporaryFolder(), 'serve.db')))))

describeWithPostgres('the index in PostgreSQL', (server) => {
  const placeOf = (schema: string) =>
    databasePlace({ url: server.url, schema, poolSize: 2, rowSecurity: true }, '--store')
  indexSuite(() => openAt(placeOf(server.schema())))
})
