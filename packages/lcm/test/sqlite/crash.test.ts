import { beforeAll, describe, expect, it } from 'vitest'
import { useScript } from '../../../sqlite-kit/test/use-script.ts'
import { withoutSync } from '../../../sqlite-kit/test/without-sync.ts'
import { createSqliteStore } from '../../src/sqlite.ts'
import { useFolders } from './store-folder.ts'

const { path: newPath } = useFolders()
const runWriter = useScript(new URL('./fixtures/killed-writer.ts', import.meta.url))
beforeAll(withoutSync)

/** Files that are written at the same time, and the kills of each. The same file goes on after a kill. */
const FILES = 8
/** Processes at a time. */
const LANES = 4
const KILLS = 13

type Acknowledged =
  | { readonly type: 'append'; readonly seq: number; readonly hashes: readonly string[] }
  | { readonly type: 'commit'; readonly version: number }
  | { readonly type: 'session'; readonly key: string }

describe('a process that is killed while it writes', () => {
  it(`loses nothing that it acknowledged: SIGKILL at ${FILES * KILLS} points`, async () => {
    const totals = { kills: 0, messages: 0, commits: 0, sessions: 0, unacknowledged: 0 }
    const killFile = async (file: number): Promise<void> => {
      const path = newPath()
      const hashes: string[] = []
      for (let kill = 0; kill < KILLS; kill++) {
        // Every statement of the first turns, from the opening of the file on: before it and after it.
        const point = kill * FILES + file
        const when = point % 2 === 0 ? 'before' : 'after'
        const ended = await runWriter(path, 1 + Math.floor(point / 2), when)
        expect({ signal: ended.signal, errors: ended.errors }).toEqual({ signal: 'SIGKILL', errors: '' })
        totals.kills++
        const store = createSqliteStore({ path })
        try {
          expect(await store.check()).toEqual([])
          const session = await store.session({ key: 'a' }, 1)
          for (const line of ended.output.split('\n').filter(Boolean)) {
            const record = JSON.parse(line) as Acknowledged
            if (record.type === 'append') {
              hashes.splice(record.seq, Number.POSITIVE_INFINITY, ...record.hashes)
            } else if (record.type === 'commit') {
              expect((await session.frontier(record.version)).nodes).toHaveLength(1)
              totals.commits++
            } else {
              expect(await store.find({ key: record.key })).not.toBeNull()
              totals.sessions++
            }
          }
          const stored = await session.messages({ limit: 1e9, includeReplaced: true })
          expect(stored.slice(0, hashes.length).map(({ hash }) => hash)).toEqual(hashes)
          // What was written but not acknowledged is there as a whole or not at all.
          const more = stored.length - hashes.length
          expect([0, 3]).toContain(more)
          if (more > 0) totals.unacknowledged++
          const query = {
            where: [[{ kind: 'substring', text: '漢字' }]],
            order: 'newest',
            limit: 1e9,
          } as const
          const found = await session.candidates({ ...query, includeReplaced: true })
          expect(found.map(({ seq }) => seq).reverse()).toEqual(stored.map(({ seq }) => seq))
          hashes.push(...stored.slice(hashes.length).map(({ hash }) => hash))
        } finally {
          await store.close()
        }
      }
      totals.messages += hashes.length
    }
    const lanes = Array.from({ length: LANES }, async (_, lane) => {
      for (let file = lane; file < FILES; file += LANES) await killFile(file)
    })
    await Promise.all(lanes)
    console.log(JSON.stringify(totals))
    expect(totals.kills).toBe(FILES * KILLS)
    expect(totals.messages).toBeGreaterThan(FILES * KILLS)
    expect(totals.unacknowledged).toBeGreaterThan(0)
  })
})
