import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useScript } from '../../../sqlite-kit/test/use-script.ts'
import { withoutSync } from '../../../sqlite-kit/test/without-sync.ts'
import { createSqliteDecisionStore } from '../../src/sqlite.ts'
import type { DecisionSession } from '../../src/store/decision-store.ts'
import { sessionState } from '../../src/store-tests/talk.ts'
import { useFolders } from './store-folder.ts'
import { EVENTS_OF_TURN, turnBatch } from './turn-batch.ts'

const { path: newPath } = useFolders()
const runWriter = useScript(new URL('./fixtures/killed-writer.ts', import.meta.url))
beforeAll(withoutSync)

/** Files, and the kills of each. The same file goes on after a kill. */
const FILES = 4
const KILLS = 13
const files = Array.from({ length: FILES }, (_, file) => file)

const allOf = async (session: DecisionSession) => ({
  ...((await sessionState(session)) as object),
  events: await session.events({ scopes: ['project:p'] }),
})

const writeTurn = async (session: DecisionSession): Promise<void> => {
  const events = await session.events({ scopes: ['project:p'] })
  const { at, batch } = turnBatch(await session.count(), events.length)
  await session.commit(batch, at)
}

describe(`a process that is killed while it writes, at ${FILES * KILLS} points`, () => {
  const totals = { kills: 0, turns: 0, unacknowledged: 0 }
  afterAll(() => {
    console.log(JSON.stringify(totals))
    expect(totals.kills).toBe(FILES * KILLS)
    expect(totals.turns).toBeGreaterThan(FILES * 2)
    expect(totals.unacknowledged).toBeGreaterThan(0)
  })

  it.each(files)('loses no batch that it acknowledged and leaves none by halves: file %i', async (file) => {
    const path = newPath()
    // What a store without a crash has after the same turns.
    const model = await createSqliteDecisionStore({ path: ':memory:' }).session({ key: 'a' }, 1)
    let turns = 0
    for (let kill = 0; kill < KILLS; kill++) {
      // Every statement of the first turns, from the opening of the file on: before it and after it.
      const point = kill * FILES + file
      const when = point % 2 === 0 ? 'before' : 'after'
      const ended = await runWriter(path, 1 + Math.floor(point / 2), when)
      expect({ signal: ended.signal, errors: ended.errors }).toEqual({ signal: 'SIGKILL', errors: '' })
      totals.kills++
      const acknowledged = Number(ended.output.trim().split('\n').at(-1) || turns)
      const store = createSqliteDecisionStore({ path })
      try {
        const session = await store.session({ key: 'a' }, 1)
        const stored = await allOf(session)
        const written = stored.events.length / EVENTS_OF_TURN
        expect([acknowledged, acknowledged + 1]).toContain(written)
        if (written > acknowledged) totals.unacknowledged++
        for (; turns < written; turns++) await writeTurn(model)
        expect(stored).toEqual(await allOf(model))
      } finally {
        await store.close()
      }
      const database = new DatabaseSync(path)
      expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
      expect(database.prepare('PRAGMA foreign_key_check').all()).toEqual([])
      database.close()
    }
    totals.turns += turns
  })
})
