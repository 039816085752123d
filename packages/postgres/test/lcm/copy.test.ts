import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { copyStore, exportStore, type LcmStore, verifyStore } from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/lcm/sqlite'
import { afterEach, expect, it } from 'vitest'
import { collect } from '../../../lcm/src/store-tests/harness/collect.ts'
import { compactTo } from '../../../lcm/src/store-tests/harness/summaries.ts'
import { AT, talk, texts } from '../../../lcm/src/store-tests/harness/talk.ts'
import { fillStore } from '../../../lcm/test/dump/filled-store.ts'
import { createPostgresStore } from '../../src/index.ts'
import { describeWithPostgres } from '../support/postgres-server.ts'
import { startWorker } from '../support/start-worker.ts'

const linesOf = (store: LcmStore) => collect(exportStore(store))

describeWithPostgres('a copy into PostgreSQL', (server) => {
  const stores: LcmStore[] = []
  const folders: string[] = []
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close()
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
  })
  const opened = (store: LcmStore): LcmStore => {
    stores.push(store)
    return store
  }
  const newPath = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-copy-'))
    folders.push(folder)
    return join(folder, 'store.db')
  }
  const sqlite = (path = newPath()) => opened(createSqliteStore({ path }))
  const postgres = (schema = server.schema()) =>
    opened(createPostgresStore({ url: server.url, schema, poolSize: 3 }))

  it('gives the same bytes, there and back again, and goes on when the source does', async () => {
    const [from, middle, back] = [sqlite(), postgres(), sqlite()]
    await fillStore(from)
    for (let round = 1; round <= 2; round++) {
      const lines = await linesOf(from)
      const { sha256, messages } = JSON.parse(lines.at(-1) ?? '')
      for (const [source, target] of [
        [from, middle],
        [middle, back],
      ] as const) {
        const result = await copyStore(source, target)
        expect(result).toMatchObject({ sha256, messages, differences: [] })
        expect(result.copied).toBe(round === 1 ? 4 : 1)
        expect(await copyStore(source, target)).toMatchObject({ copied: 0, upToDate: 4, sha256 })
        expect(await linesOf(target)).toEqual(lines)
        expect(await verifyStore(target)).toEqual([])
      }
      if (round === 1) await compactTo(await talk(from, 'm grandchild', 'more', 'and more'), 5)
    }
  })

  it('names a session that the database has no room for, and copies the others', async () => {
    const [from, to] = [sqlite(), postgres()]
    const key = 'k'.repeat(3_000)
    await talk(from, key, 'one')
    await talk(from, 'short', 'one')
    expect(await copyStore(from, to)).toMatchObject({ copied: 1, differences: [{ key, code: 'refused' }] })
  })

  it('is whole session by session wherever it is killed, and the next one brings the rest', async () => {
    const [path, schema] = [newPath(), server.schema()]
    const [from, to] = [sqlite(path), postgres(schema)]
    const [sessions, messages] = [5, 400]
    for (let index = 0; index < sessions; index++) {
      const session = await talk(from, `talk ${index}`, ...texts(messages))
      await compactTo(session, messages / 2)
      await session.fork({ key: `fork ${index}`, seq: 9, summaries: [], at: AT })
    }
    const lines = await linesOf(from)
    const bytes = new Map<string, unknown>()
    for (const ref of await from.list({ limit: 99 })) bytes.set(ref.key, await collect(from.dump(ref)))
    let [kills, whole] = [0, 0]
    for (const behind of [150, 700, 1_500]) {
      const copier = startWorker('copier', server.url, schema, path)
      while (Number(copier.lines.at(-1)?.[1] ?? 0) < behind) await wait(1)
      copier.kill()
      expect(await copier.ended).toEqual({ code: null, errors: '' })
      kills++
      const there = await to.list({ limit: 99 })
      for (const ref of there) expect(await collect(to.dump(ref))).toEqual(bytes.get(ref.key))
      whole = there.length
    }
    const { upToDate, copied, differences } = await copyStore(from, to)
    expect({ all: upToDate + copied, differences }).toEqual({ all: 2 * sessions, differences: [] })
    expect(upToDate).toBeGreaterThanOrEqual(whole)
    expect(copied).toBeGreaterThan(0)
    expect(await linesOf(to)).toEqual(lines)
    console.log(
      `${kills} copies killed; ${upToDate} of ${2 * sessions} sessions were there then, none in part`,
    )
  })
})
