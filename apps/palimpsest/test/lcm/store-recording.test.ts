import { type StoredSession, roughTokenCounter as tokens } from '@palimpsest/core'
import { createSqliteStore } from '@palimpsest/store'
import type { TranscriptEntry } from '@palimpsest/transcripts'
import { expect, it } from 'vitest'
import { storeRecording } from '../../src/stores/store-recording.ts'
import { useStoreFolder } from './store-folder.ts'

const { path } = useStoreFolder()

const entriesOf = (texts: readonly string[]): TranscriptEntry[] =>
  texts.map((content, index) => ({ message: { role: 'user', content }, line: index + 1 }))
const numbered = (count: number) => entriesOf(Array.from({ length: count }, (_, index) => `message ${index}`))

/** Connections to one file, each with the same session. */
async function connect(count: number) {
  const stores = Array.from({ length: count }, () => createSqliteStore({ path: path() }))
  const sessions: StoredSession[] = []
  for (const store of stores) sessions.push(await store.session({ key: 'talk' }, 0))
  return { stores, sessions, close: () => Promise.all(stores.map((store) => store.close())) }
}

async function liveTexts(session: StoredSession): Promise<string[]> {
  const messages = await session.messages({ limit: 10_000 })
  return messages.map(({ message }) => String(message?.content))
}

it('stores a recording once when several write it at the same moment', async () => {
  const entries = numbered(1_700)
  const { stores, sessions, close } = await connect(3)
  const stored = await Promise.all(
    sessions.map((session) => storeRecording({ session, entries, tokens, at: 0 })),
  )
  expect(stored.reduce((sum, { added }) => sum + added, 0)).toBe(1_700)
  for (const { known, added, replaced, further } of stored)
    expect({ all: known + added, replaced, further }).toEqual({ all: 1_700, replaced: 0, further: 0 })
  const [session] = sessions
  if (session === undefined) throw new Error('no session')
  expect((await session.head()).nextSeq).toBe(1_700)
  expect(await liveTexts(session)).toEqual(entries.map(({ message }) => message.content))
  expect(await stores[0]?.verify()).toEqual([])
  await close()
})
