import { roughTokenCounter as tokens } from '@palimpsest/core'
import { type LcmSession, liveSeqs, StoreConflictError, verifySession } from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/lcm/sqlite'
import type { TranscriptEntry } from '@palimpsest/transcripts'
import { expect, it } from 'vitest'
import { cutAt, storeRecording } from '../../src/lcm/store-recording.ts'
import { useStoreFolder } from './store-folder.ts'

const { path } = useStoreFolder()

const entriesOf = (texts: readonly string[]): TranscriptEntry[] =>
  texts.map((content, index) => ({ message: { role: 'user', content }, line: index + 1 }))
const numbered = (count: number) => entriesOf(Array.from({ length: count }, (_, index) => `message ${index}`))

/** Connections to one file, each with the same session. */
async function connect(count: number) {
  const stores = Array.from({ length: count }, () => createSqliteStore({ path: path() }))
  const sessions: LcmSession[] = []
  for (const store of stores) sessions.push(await store.session({ key: 'talk' }, 0))
  return { sessions, close: () => Promise.all(stores.map((store) => store.close())) }
}

async function liveTexts(session: LcmSession): Promise<string[]> {
  const messages = await session.messages({ limit: 10_000 })
  return messages.map(({ json }) => JSON.parse(json).content)
}

it('stores a recording once when several write it at the same moment', async () => {
  const entries = numbered(1_700)
  const { sessions, close } = await connect(3)
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
  expect(await verifySession(session)).toEqual([])
  await close()
})

it('compares again when another writer took messages back, which leaves the next number as it was', async () => {
  const { sessions, close } = await connect(2)
  const [session, other] = sessions
  if (session === undefined || other === undefined) throw new Error('no sessions')
  await storeRecording({ session, entries: numbered(4), tokens, at: 0 })
  let isCut = false
  const raced: LcmSession = {
    ...session,
    async append(input) {
      const { nextSeq } = await other.head()
      if (!isCut) await other.append({ nextSeq, messages: [], at: 0, ...(await cutAt(other, 2)) })
      isCut = true
      return session.append(input)
    },
  }
  const stored = await storeRecording({ session: raced, entries: numbered(6), tokens, at: 0 })
  expect(stored).toEqual({ known: 2, added: 4, replaced: 0, further: 0 })
  expect(await liveTexts(session)).toEqual(numbered(6).map(({ message }) => message.content))
  expect(liveSeqs(await session.head())).toEqual([0, 1, 4, 5, 6, 7])
  await close()
})

it('gives up when others are faster again and again, and the recording gets no further', async () => {
  const { sessions, close } = await connect(1)
  let appends = 0
  for (const session of sessions) {
    const busy = {
      ...session,
      async append(): Promise<never> {
        appends++
        throw new StoreConflictError('another writer was faster')
      },
    }
    const storing = storeRecording({ session: busy, entries: numbered(2), tokens, at: 0 })
    await expect(storing).rejects.toThrow('another writer was faster')
  }
  expect(appends).toBeGreaterThan(5)
  expect(appends).toBeLessThan(20)
  await close()
})
