import { readdir } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { lines, TALK, useStoreFolder } from './store-folder.ts'

const { path, write, read, prints, json, lcm, run } = useStoreFolder()

beforeEach(async () => {
  await write('talk.jsonl', lines(TALK))
  await prints('import', 'talk.jsonl')
})

function damage(sql: string): void {
  const database = new DatabaseSync(path())
  database.exec(sql)
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

  it('refuses a damaged export whole', async () => {
    await write('bad.jsonl', (await prints('export')).replace('Pier 7', 'Pier 9'))
    const { code, stderr } = await run('lcm', 'import', 'bad.jsonl', '--store', 'new.db')
    expect(code).toBe(2)
    expect(stderr).toMatch(/^palimpsest: line \d+: .*m3 is not what its hash says/)
    expect(await readdir(path(''))).not.toContain('new.db')
  })
})

describe('fork', () => {
  it('shares the beginning, up to and with the message that is named', async () => {
    expect(await prints('fork', '--at', 'm4', '--as', 'other')).toBe(
      'other shares talk up to m4, and goes on by itself.\n',
    )
    expect((await json('context', '--session', 'other')).messages).toHaveLength(5)
  })
})

describe('forget', () => {
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
    expect(await prints('expand', 'm3')).toMatch(/^\[deleted on request at .*: private\]\n$/)
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
