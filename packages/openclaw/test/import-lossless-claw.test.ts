import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Store } from '@palimpsest/core'
import { createSqliteStore } from '@palimpsest/store'
import { createTokenCounter } from '@palimpsest/tokens'
import { fromPiMessage } from '@palimpsest/transcripts'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { importLosslessClaw } from '../src/index.ts'
import { type ClawMessage, losslessClawDatabase } from './support/lossless-claw-database.ts'

const call = (id: string) => ({ type: 'toolCall', id, name: 'read', arguments: { path: `${id}.ts` } })
const result = (toolCallId: string): ClawMessage => ({
  ...{ role: 'toolResult', toolCallId, toolName: 'read', isError: false },
  content: [{ type: 'text', text: `the content of ${toolCallId}` }],
})
const text = (said: string) => [{ type: 'text', text: said }]

/** As OpenClaw had them. */
const MESSAGES: readonly ClawMessage[] = [
  { role: 'user', content: 'Which database? Postgres, I think.' },
  { role: 'assistant', content: text('Postgres it is.') },
  { role: 'user', content: text('Read both files.') },
  { role: 'assistant', content: [{ type: 'text', text: 'I read.' }, call('a'), call('b')] },
  result('a'),
  { ...result('b'), isError: true },
  { role: 'assistant', content: text('Read.') },
  { role: 'user', content: 'Thanks.' },
]

let path: string
let claw: ReturnType<typeof losslessClawDatabase>

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-claw-'))
  path = join(folder, 'lcm.db')
  claw = losslessClawDatabase(path)
  onTestFinished(() => {
    claw.close()
    rmSync(folder, { recursive: true })
  })
})

/** Two leaves and one that condenses them, then two messages. */
function fill(sessionId = 'one', sessionKey: string | null = 'agent:main:one'): void {
  const { conversation_id: id, messageIds } = claw.conversation(sessionId, sessionKey, MESSAGES)
  claw.summary(`${sessionId}-a`, id, { messages: messageIds.slice(0, 2) })
  claw.summary(`${sessionId}-b`, id, { messages: messageIds.slice(2, 6) })
  claw.summary(`${sessionId}-ab`, id, { summaries: [`${sessionId}-a`, `${sessionId}-b`] })
  claw.context(id, [`${sessionId}-ab`, ...messageIds.slice(6)])
}

const take = (store: Store) => importLosslessClaw({ from: path, storeOf: () => store })

async function sessionOf(store: Store, key: string) {
  const session = await store.find({ key })
  if (session === null) throw new Error(`there is no ${key}`)
  return session
}

describe('the importer of lossless-claw', () => {
  test('takes messages as OpenClaw had them, and the hierarchy of summaries', async () => {
    fill()
    const store = createSqliteStore({ path: ':memory:' })
    expect(await take(store)).toEqual({
      ...{ conversations: 1, messages: 8, summaries: 3, summariesLeftOut: 0, skipped: [] },
    })
    const session = await sessionOf(store, 'one')
    const stored = await session.messages({ limit: 100 })
    expect(stored.map(({ message }) => message)).toEqual(MESSAGES.map((message) => fromPiMessage(message)))
    expect(stored[0]?.at).toBe(Date.parse('2026-08-21T10:00:00Z'))
    expect((await session.frontier()).summaries).toEqual([3])
    expect(await session.summaries([3])).toMatchObject([
      {
        depth: 1,
        first: 0,
        last: 5,
        messages: 6,
        children: [1, 2],
        text: 'What one-ab says.',
        writer: 'model',
      },
    ])
    expect(await session.summaries([1, 2])).toMatchObject([
      { depth: 0, first: 0, last: 1 },
      { depth: 0, first: 2, last: 5 },
    ])
    expect(await store.verify()).toEqual([])
  })

  test('may be done again, and takes what came since', async () => {
    fill()
    const store = createSqliteStore({ path: ':memory:' })
    const first = await take(store)
    expect(await take(store)).toEqual(first)
    fill('two')
    expect(await take(store)).toMatchObject({ conversations: 2 })
    expect(await store.verify()).toEqual([])
  })

  test('leaves a conversation alone that went on otherwise', async () => {
    fill()
    const store = createSqliteStore({ path: ':memory:' })
    const other = await store.session({ key: 'one' }, 1)
    const message = { role: 'user', content: 'Something else.' } as const
    await other.append({ nextSeq: 0, messages: [{ message, tokens: 3 }], at: 1 })
    const { conversations, skipped } = await take(store)
    expect([conversations, skipped]).toEqual([
      0,
      [{ sessionId: 'one', reason: expect.stringContaining('one') }],
    ])
    expect((await other.head()).nextSeq).toBe(1)
  })

  test('leaves summaries out from a gap on, and one that condenses itself', async () => {
    const { conversation_id: id, messageIds } = claw.conversation('gap', null, MESSAGES)
    claw.summary('first', id, { messages: messageIds.slice(0, 2) })
    claw.summary('late', id, { messages: messageIds.slice(3, 6) })
    claw.summary('round', id, { summaries: ['round'] })
    claw.context(id, ['first', 'late', 'round', ...messageIds.slice(6)])
    const store = createSqliteStore({ path: ':memory:' })
    expect(await take(store)).toMatchObject({ messages: 8, summaries: 1, summariesLeftOut: 2 })
    const session = await sessionOf(store, 'gap')
    expect(await session.summaries((await session.frontier()).summaries)).toMatchObject([
      { first: 0, last: 1 },
    ])
    expect(await store.verify()).toEqual([])
  })

  test('gives each agent its own store, and keeps an archived conversation of the same session', async () => {
    fill('one', 'agent:main:one')
    claw.conversation('two', 'agent:work:telegram:7', MESSAGES.slice(0, 2))
    claw.conversation('two', 'agent:work:telegram:7', MESSAGES.slice(0, 1))
    const stores = new Map(['main', 'work'].map((id) => [id, createSqliteStore({ path: ':memory:' })]))
    await importLosslessClaw({
      from: path,
      storeOf: (id) => stores.get(id) ?? createSqliteStore({ path: ':memory:' }),
    })
    const keys = async (id: string) => (await stores.get(id)?.list({ limit: 9 }))?.map(({ key }) => key)
    expect([await keys('main'), await keys('work')]).toEqual([['one'], ['two', 'two#2']])
  })

  test('an aborted import stops between two conversations', async () => {
    fill()
    const signal = AbortSignal.abort(new Error('enough'))
    const store = createSqliteStore({ path: ':memory:' })
    await expect(importLosslessClaw({ from: path, storeOf: () => store, signal })).rejects.toThrow('enough')
    expect(await store.list({ limit: 9 })).toEqual([])
  })

  test('the command writes where the plug-in reads, and says what it did', async () => {
    fill()
    const state = join(path, '..')
    const bin = fileURLToPath(new URL('../src/bin.ts', import.meta.url))
    const run = (...args: string[]) =>
      execFileSync(process.execPath, ['--conditions=@palimpsest/source', bin, ...args], {
        encoding: 'utf8',
        stdio: 'pipe',
      })
    expect(run('import-lossless-claw', '--state', state)).toBe(
      '1 conversations, 8 messages, 3 summaries; 0 summaries left out, whose messages are there\n',
    )
    const store = createSqliteStore({ path: join(state, 'agents/main/agent/palimpsest/sessions.db') })
    expect(await store.verify()).toEqual([])
    const stored = await (await sessionOf(store, 'one')).messages({ limit: 1 })
    expect(stored[0]?.tokens).toBe(
      createTokenCounter().countMessage(fromPiMessage(MESSAGES[0] ?? {}) ?? { role: 'user', content: '' }),
    )
    await store.close()
    expect(() => run('import-lossless-claw', '--state', join(state, 'none'))).toThrow('there is no')
    expect(() => run('help')).toThrow('palimpsest-openclaw import-lossless-claw')
  })
})
