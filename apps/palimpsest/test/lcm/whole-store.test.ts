import { readdir } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { lines, TALK, useStoreFolder } from './store-folder.ts'

const { path, write, prints, json, lcm, run } = useStoreFolder()

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
    await write('other.jsonl', lines(TALK.slice(0, 4)))
    await prints('import', 'other.jsonl')
    await prints('forget', 'm6', '--reason', 'private', '--yes', '--session', 'talk')
    const text = await prints('export')
    await write('all.jsonl', text)
    const copy = ['--store', 'copy.db']
    const imported = await run('store', 'import', 'all.jsonl', ...copy)
    const stdout = 'all.jsonl: an export, 2 new sessions\n'
    expect(imported).toMatchObject({ code: 0, stdout })
    expect((await run('store', 'import', 'all.jsonl', ...copy)).stdout).toContain('nothing new')
    expect((await run('store', 'export', ...copy)).stdout).toBe(text)
    expect((await run('store', 'verify', ...copy)).stdout).toContain('11 messages in 2 sessions, no fault')
  })

  it('refuse what was changed on the way', async () => {
    await write('bad.jsonl', (await prints('export')).replace('Pier 7', 'Pier 9'))
    const { code, stderr } = await run('store', 'import', 'bad.jsonl', '--store', 'new.db')
    expect(code).toBe(2)
    expect(stderr).toMatch(/^palimpsest: the export cannot be read \(it is not what was written/)
  })
})

describe('forget', () => {
  it('asks, and deletes nothing where nobody can answer', async () => {
    const { code, stderr } = await lcm('forget', 'm3', '--reason', 'private')
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'palimpsest: there is no terminal to ask on: --yes deletes without asking\n',
    })
    expect((await json('grep', 'pier')).sessions[0].hits).toMatchObject([{ matches: { length: 2 } }])
  })

  it('takes the text away for good, and keeps the place and the reason', async () => {
    const said = await prints('forget', 'm3', '--reason', 'private', '--yes')
    expect(said).toMatch(/^Deleted for good: 1 message \(m3\)\.\n.*cannot be undone/)
    expect((await json('grep', 'pier')).sessions[0].hits.map(({ ref }: { ref: string }) => ref)).toEqual([
      'm4',
    ])
    for (const form of ['text', 'json'])
      expect((await lcm('expand', 'm3', '--form', form)).stderr).toMatch(
        /m3 was deleted on request at .* \(private\)$/m,
      )
    expect(await json('verify')).toMatchObject({ ok: true })
    expect(await prints('import', 'talk.jsonl')).toBe('talk: nothing new, 7 messages known\n')
  })
})

describe('verify', () => {
  it('finds nothing wrong with a store that is well, and leaves it as it is', async () => {
    const sound = 'verified: 7 messages in 1 session, no fault\n'
    for (const args of [[], ['--repair']]) expect(await prints('verify', ...args)).toBe(sound)
    expect((await readdir(path(''))).filter((name) => name.includes('repair'))).toEqual([])
  })

  it('finds a message that was changed, which nobody can mend, and its exit code says so', async () => {
    damage("UPDATE message SET body = replace(body, 'Pier 7', 'Pier 9')")
    for (const args of [[], ['--repair']]) {
      const { code, stdout } = await lcm('verify', ...args)
      expect(code).toBe(1)
      expect(stdout).toMatch(/^changed-row {2}talk: m3 is not what was stored/m)
    }
  })

  it('mends an index that does not fit the texts, after a copy was made', async () => {
    damage('DELETE FROM message_index')
    const found = await lcm('verify')
    expect(found.code).toBe(1)
    expect(found.stdout).toMatch(/^damaged-database .*\n1 fault in .*; --repair mends 1 of them/m)
    const mended = await lcm('verify', '--repair')
    expect(mended).toMatchObject({ code: 0, stdout: expect.stringContaining('1 fault mended') })
    expect(await readdir(path(''))).toContain('store.db.before-repair-1')
    expect((await run('store', 'verify', '--store', 'store.db.before-repair-1')).code).toBe(1)
    expect((await lcm('verify')).code).toBe(0)
    expect((await json('grep', 'harbour')).sessions[0].hits).toMatchObject([{ matches: { length: 2 } }])
  })
})
