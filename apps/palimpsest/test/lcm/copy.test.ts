import { link, symlink } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { lines, TALK, useStoreFolder } from './store-folder.ts'

const { path, write, prints, run, refuses } = useStoreFolder()

beforeEach(async () => {
  await write('talk.jsonl', lines(TALK))
  await prints('import', 'talk.jsonl')
  await prints('fork', '--at', 'm4', '--as', 'another try')
  await prints('import', 'talk.jsonl', '--principal', 'bob')
})

const exported = async (store: string) =>
  (await run('lcm', 'export', '--all-principals', '--store', store)).stdout
const shaOf = (text: string) => JSON.parse(text.trimEnd().split('\n').at(-1) ?? '').sha256

describe('palimpsest lcm copy', () => {
  it('copies all sessions of all principals, says what it did, and changes nothing the second time', async () => {
    const first = await run('lcm', 'copy', 'store.db', 'copy.db')
    const text = await exported('store.db')
    const proof = `equal in both stores: 3 sessions with 14 messages, sha256 ${shaOf(text)}`
    expect(first).toEqual({
      code: 0,
      stderr: '',
      stdout: `${path()} → ${path('copy.db')}\n3 sessions copied, 14 new messages; 0 sessions up to date\n${proof}\n`,
    })
    expect(await exported('copy.db')).toBe(text)
    const { stdout } = await run('lcm', 'copy', 'store.db', 'copy.db')
    expect(stdout).toContain(`0 sessions copied, 0 new messages; 3 sessions up to date\n${proof}\n`)
  })

  it('copies the sessions of a principal, or one with what it was forked from', async () => {
    const json = async (...args: string[]) => JSON.parse((await run('lcm', 'copy', '--json', ...args)).stdout)
    expect(await json('store.db', 'bob.db', '--principal', 'bob')).toMatchObject({
      ok: true,
      copied: 1,
      written: 7,
    })
    expect(await json('store.db', 'one.db', '--session', 'another try')).toEqual({
      ...{ ok: true, from: path(), to: path('one.db'), copied: 2, upToDate: 0, written: 7, messages: 7 },
      ...{ sha256: shaOf((await run('lcm', 'export', '--store', 'store.db')).stdout), differences: [] },
    })
    expect(await json('store.db', 'one.db', '--session', 'talk', '--principal', 'bob')).toMatchObject({
      copied: 1,
    })
  })

  it('names what is not equal, leaves it as it is, and ends with 1', async () => {
    await write('talk.jsonl', lines(TALK.with(5, { role: 'user', content: 'And Porto?' })))
    await run('lcm', 'import', 'talk.jsonl', '--store', 'copy.db')
    const { code, stdout, stderr } = await run('lcm', 'copy', 'store.db', 'copy.db')
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toContain('talk (of local): another session of that name is at the destination')
    expect(stdout).toContain('another try (of local): talk, which it was forked from, is not the same')
    expect(stdout).toContain(
      '1 session copied, 7 new messages; 0 sessions up to date\n2 sessions are not equal; ',
    )
    const { differences } = JSON.parse((await run('lcm', 'copy', '--json', 'store.db', 'copy.db')).stdout)
    expect(differences).toMatchObject([
      { principal: 'local', session: 'talk', code: 'diverged' },
      { principal: 'local', session: 'another try', code: 'parent' },
    ])
    const { stdout: kept } = await run('lcm', 'expand', 'm5', '--store', 'copy.db', '--session', 'talk')
    expect(kept).toContain('And Porto?')
  })

  it('names a session that is damaged, and copies the others', async () => {
    const database = new DatabaseSync(path())
    database.exec(`UPDATE message SET text = replace(text, 'Pier 7', 'Pier 9')
      WHERE id / 4294967296 = (SELECT no FROM session WHERE principal = 'bob')`)
    database.close()
    const { code, stdout } = await run('lcm', 'copy', 'store.db', 'copy.db')
    expect(code).toBe(1)
    expect(stdout).toContain('talk (of bob): it is damaged at the source: verify that store')
    expect(stdout).toContain('2 sessions copied')
  })

  it('refuses what it cannot copy, before it makes anything', async () => {
    await refuses(
      /there is no store .*missing\.db; the first argument/,
      'lcm',
      'copy',
      'missing.db',
      'copy.db',
    )
    await refuses(/there is no session "nobody"/, 'lcm', 'copy', 'store.db', 'copy.db', '--session', 'nobody')
    await refuses(
      /the principal "nobody" has no/,
      'lcm',
      'copy',
      'store.db',
      'copy.db',
      '--principal',
      'nobody',
    )
    await refuses(/missing required argument 'to'/, 'lcm', 'copy', 'store.db')
    await refuses(
      /is not the address of a PostgreSQL database/,
      'lcm',
      'copy',
      'store.db',
      'postgres://a:b@[',
    )
    await refuses(/is not a store of LCM/, 'lcm', 'copy', 'talk.jsonl', 'copy.db')
    await symlink(path(), path('soft.db'))
    await link(path(), path('hard.db'))
    for (const same of ['store.db', './store.db', 'soft.db', 'hard.db'])
      await refuses(/is where the sessions are/, 'lcm', 'copy', 'store.db', same)
    await refuses(/there is no store .*copy\.db/, 'lcm', 'stats', '--store', 'copy.db')
    await refuses(/is not a store of LCM/, 'lcm', 'copy', 'store.db', 'talk.jsonl')
  })

  it('says how to go on when it is stopped', async () => {
    const before = process.listenerCount('SIGINT')
    const interrupt = () => {
      if (process.listenerCount('SIGINT') > before) process.emit('SIGINT')
      else setImmediate(interrupt)
    }
    interrupt()
    const { code, stdout, stderr } = await run('lcm', 'copy', 'store.db', 'copy.db')
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' })
    expect(stderr).toMatch(
      /^palimpsest: stopped.*; each session is whole or not there, run the same command again for the rest\n$/,
    )
  })
})
