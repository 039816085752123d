import { readdir } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { createSql } from '@palimpsest/sqlite-kit'
import { beforeEach, describe, expect, it } from 'vitest'
import { BUNDLED_SESSION } from '../../src/bundled-session.ts'
import { lines, TALK, useStoreFolder } from './store-folder.ts'

const { path, write, read, prints, json, lcm, run } = useStoreFolder()

beforeEach(async () => {
  await write('talk.jsonl', lines(TALK))
  await prints('import', 'talk.jsonl')
})

function damage(sql: string): void {
  const database = new DatabaseSync(path())
  createSql(database).exec(sql)
  database.close()
}

describe('export and import', () => {
  it('give the same bytes again, from one store to the next', async () => {
    await prints('fork', '--at', 'm4', '--as', 'other')
    await prints('forget', 'm6', '--reason', 'private', '--yes', '--session', 'talk')
    const text = await prints('export')
    expect(await prints('export', '--out', 'all.jsonl')).toMatch(
      /2 sessions, 7 messages, 0 summaries, sha256 \w{64}\n$/,
    )
    expect(await read('all.jsonl')).toBe(text)
    const copy = ['--store', 'copy.db']
    const imported = await run('lcm', 'import', 'all.jsonl', ...copy)
    expect(imported).toMatchObject({ code: 0, stdout: 'all.jsonl: an export; 2 sessions, 7 new messages\n' })
    expect((await run('lcm', 'import', 'all.jsonl', ...copy)).stdout).toContain('nothing new')
    expect((await run('lcm', 'export', ...copy)).stdout).toBe(text)
  })

  it('one session goes with what it was forked from', async () => {
    await prints('fork', '--at', 'm4', '--as', 'other')
    await write('third.jsonl', lines(TALK))
    await prints('import', 'third.jsonl')
    const sessions = (await prints('export', '--session', 'other'))
      .split('\n')
      .filter((line) => line.includes('"session"'))
    expect(sessions.map((line) => JSON.parse(line).key)).toEqual(['talk', 'other'])
  })

  it('replaces no file that is there, unless it is told to', async () => {
    await write('all.jsonl', 'mine')
    const refused = await lcm('export', '--out', 'all.jsonl')
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toMatch(/all\.jsonl is there already; --force replaces it/)
    expect(await read('all.jsonl')).toBe('mine')
    await prints('export', '--out', 'all.jsonl', '--force')
    expect(await read('all.jsonl')).toBe(await prints('export'))
  })

  it('leave out a session that cannot be read, with its forks, and say so', async () => {
    for (const name of ['bad', 'lost']) {
      await write(`${name}.jsonl`, lines(TALK))
      await prints('import', `${name}.jsonl`)
    }
    await prints('fork', '--session', 'bad', '--at', 'm4', '--as', 'bad-fork')
    damage(`UPDATE message SET text = replace(text, 'Pier 7', 'Pier 9')
      WHERE id / 4294967296 = (SELECT no FROM session WHERE key = 'bad')`)
    damage(`DELETE FROM message WHERE id = 2 + 4294967296 * (SELECT no FROM session WHERE key = 'lost')`)
    const { code, stdout, stderr } = await lcm('export')
    expect(code).toBe(1)
    expect(stderr.trimEnd().split('\n')).toEqual([
      'palimpsest: left out: bad cannot be read: m3 is not what was stored',
      'palimpsest: left out: bad-fork cannot be read: it is a fork of bad, which cannot be read',
      'palimpsest: left out: lost cannot be read: it has 6 of its 7 messages',
    ])
    await write('rest.jsonl', stdout)
    const imported = await run('lcm', 'import', 'rest.jsonl', '--store', 'copy.db')
    expect(imported.stdout).toBe('rest.jsonl: an export; 1 session, 7 new messages\n')
  })

  it('refuses a damaged export whole', async () => {
    await write('bad.jsonl', (await prints('export')).replace('Pier 7', 'Pier 9'))
    const { code, stderr } = await run('lcm', 'import', 'bad.jsonl', '--store', 'new.db')
    expect(code).toBe(2)
    expect(stderr).toMatch(/^palimpsest: line \d+: .*m3 is not what its hash says/)
    expect(await readdir(path(''))).not.toContain('new.db')
  })
})

describe('fork', () => {
  it('is listed with what it shares and what it was forked from', async () => {
    await prints('fork', '--at', 'm4', '--as', 'other')
    expect(await prints('sessions')).toMatch(/^other +0 \+ 5 shared .* fork of talk m4$/m)
    const [other, talk] = await json('sessions')
    expect(other.fork).toEqual({ session: 'talk', at: 'm4', shared: 5 })
    expect(talk.fork).toBeNull()
  })

  it('shares the beginning, up to and with the message that is named', async () => {
    expect(await prints('fork', '--at', 'm4', '--as', 'other')).toBe(
      'other shares talk up to m4, and goes on by itself.\n',
    )
    expect((await json('context', '--session', 'other')).messages).toHaveLength(5)
  })
})

describe('forget', () => {
  it('says which other sessions lose it, and who still has it', async () => {
    await prints('fork', '--at', 'm4', '--as', 'other')
    await prints('fork', '--at', 'm1', '--as', 'early', '--session', 'talk')
    const args = ['m3', '--reason', 'private', '--yes', '--session', 'other']
    const said = await prints('forget', ...args)
    expect(said).toMatch(/^It is gone from the sessions that share it, too: talk\.$/m)
    expect(said).toMatch(/the history that the host keeps itself/)
    expect((await json('forget', 'm1', '--reason', 'x', '--yes', '--session', 'early')).sharing).toEqual([
      'other',
      'talk',
    ])
  })

  it('writes the summaries again that lost their text', async () => {
    await prints('import', BUNDLED_SESSION, '--summarise', '--window', '16000')
    const { list } = await json('describe', '--session', 'ledger')
    const { covers } = list[0]
    const args = [covers.split('-')[0], '--reason', 'private', '--yes', '--session', 'ledger']
    expect(await prints('forget', ...args)).toMatch(/^\d+ summar(y|ies) written again/m)
    const after = await json('describe', '--session', 'ledger')
    for (const { ref } of after.list)
      expect(await json('describe', ref, '--session', 'ledger')).not.toHaveProperty('forgotten')
    expect(await json('verify')).toMatchObject({ ok: true })
  })

  it('asks, and deletes nothing where nobody can answer', async () => {
    const { code, stderr } = await lcm('forget', 'm3', '--reason', 'private')
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'palimpsest: there is no terminal to ask on: --yes deletes without asking\n',
    })
    expect((await json('grep', 'pier')).hits).toHaveLength(2)
  })

  it('takes the text away for good, and keeps the place, the hash and the reason', async () => {
    const before = await json('describe', 'm3')
    const said = await prints('forget', 'm3', '--reason', 'private', '--yes')
    expect(said).toMatch(/^Deleted for good: 1 message \(m3\)\.\n.*cannot be undone/)
    expect((await json('grep', 'pier')).hits.map(({ ref }: { ref: string }) => ref)).toEqual(['m4'])
    for (const form of ['text', 'json'])
      expect((await lcm('expand', 'm3', '--form', form)).stderr).toMatch(
        /m3 was deleted on request at .* \(private\); palimpsest lcm describe m3/,
      )
    expect(await json('describe', 'm3')).toMatchObject({
      sha256: before.sha256,
      forgotten: { reason: 'private' },
    })
    expect(await json('verify')).toMatchObject({ ok: true })
    expect(await json('verify', '--against', 'talk.jsonl')).toMatchObject({
      ok: true,
      equal: 6,
      forgotten: ['m3'],
    })
    expect(await prints('import', 'talk.jsonl')).toBe('talk: nothing new, 7 messages known\n')
  })
})

describe('verify and doctor', () => {
  it('find nothing wrong with a store that is well', async () => {
    expect(await prints('verify')).toBe('verified: 7 messages in 1 session, no fault\n')
    expect(await prints('verify', '--session', 'talk')).toBe('verified: 7 messages in 1 session, no fault\n')
    expect(await prints('doctor')).toMatch(/no fault/)
    expect(await prints('doctor', '--repair')).toMatch(/no fault/)
    expect((await readdir(path(''))).filter((name) => name.includes('repair'))).toEqual([])
  })

  it('verify finds a message that was changed, and its exit code says so', async () => {
    damage("UPDATE message SET text = replace(text, 'Pier 7', 'Pier 9')")
    const { code, stdout } = await lcm('verify')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^message-hash {2}talk m3: m3 is not what was stored/m)
    const against = await lcm('verify', '--against', 'talk.jsonl', '--json')
    expect(against.code).toBe(1)
    expect(JSON.parse(against.stdout)).toMatchObject({ ok: false, equal: 6, different: ['m3'] })
  })

  it('doctor says what can be mended, and mends it after a copy was made', async () => {
    damage('UPDATE session SET characters = characters + 1')
    const found = await lcm('doctor')
    expect(found.code).toBe(1)
    expect(found.stdout).toMatch(/--repair copies the file, then .* mends 1 of 1 fault/)
    const mended = await lcm('doctor', '--repair')
    expect(mended.code).toBe(0)
    expect(mended.stdout).toMatch(/1 fault mended/)
    expect(await readdir(path(''))).toContain('store.db.before-repair-1')
    expect((await run('lcm', 'doctor', '--store', 'store.db.before-repair-1')).code).toBe(1)
    expect((await lcm('doctor')).code).toBe(0)
  })

  it('find an index that does not fit the texts', async () => {
    damage("INSERT INTO message_words (message_words) VALUES ('delete-all')")
    expect((await lcm('verify')).stdout).toMatch(/^stale-index /m)
    expect((await lcm('doctor')).code).toBe(1)
    expect((await lcm('doctor', '--repair')).code).toBe(0)
    expect((await json('grep', 'harbour')).hits).toHaveLength(2)
  })
})
