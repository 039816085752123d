import { once } from 'node:events'
import { mkdir, stat, symlink } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { readTranscript } from '@palimpsest/transcripts'
import { describe, expect, it } from 'vitest'
import { BUNDLED_SESSION } from '../../src/bundled-session.ts'
import { startCli } from '../run-cli.ts'
import { lines, TALK, useStoreFolder } from './store-folder.ts'

const { path, write, append, prints, json, stored, lcm, run } = useStoreFolder()

/** True when another process has stored a message. */
async function storedSome(): Promise<boolean> {
  const { code, stdout } = await run('lcm', 'sessions', '--json', '--store', 'store.db')
  return code === 0 && (JSON.parse(stdout)[0]?.messages ?? 0) > 0
}

describe('palimpsest store import', () => {
  it('stores the bundled session once, with its times, and gives it back as it was', async () => {
    const { entries } = await readTranscript(BUNDLED_SESSION)
    const count = entries.length
    expect(await prints('import', BUNDLED_SESSION)).toBe(`ledger: ${count} new messages\n`)
    expect(await prints('import', BUNDLED_SESSION)).toBe(`ledger: nothing new, ${count} messages known\n`)
    expect((await json('sessions')).map(({ messages }: { messages: number }) => messages)).toEqual([count])
    const [session] = await json('sessions')
    const times = entries.flatMap(({ timestamp }) => timestamp ?? [])
    if (times.length > 0) expect(Date.parse(session.last)).toBe(Math.max(...times))
    expect(await stored('ledger')).toEqual(entries.map(({ message }) => message))
    expect((await stat(path())).mode & 0o077).toBe(0)
  })

  it('appends what is new, and takes a changed file for an edited history that loses nothing', async () => {
    await write('talk.jsonl', lines(TALK))
    await prints('import', 'talk.jsonl')
    await append('talk.jsonl', lines([{ role: 'user', content: 'One more thing.' }]))
    expect(await prints('import', 'talk.jsonl')).toBe('talk: 1 new message, 7 messages known\n')

    const edited = [...TALK.slice(0, 4), { role: 'assistant', content: 'At pier 8.' }]
    await write('talk.jsonl', lines(edited))
    expect(await prints('import', 'talk.jsonl')).toBe(
      'talk: 1 new message, 4 messages known, the file has changed: 4 older messages replaced, and kept in the store\n',
    )
    expect((await json('expand', 'm4')).text).toBe('At the Tagus, pier 7.')
    expect((await json('expand', 'm8')).text).toBe('At pier 8.')
    expect(await stored('talk')).toEqual(edited)
    expect(await json('verify')).toMatchObject({ ok: true, faults: [] })
  })

  it('reads a folder, says what is no session, and stores the others', async () => {
    await mkdir(path('all'))
    await write('all/b.jsonl', lines(TALK))
    await write('all/a.json', JSON.stringify(TALK))
    await write('all/notes.jsonl', '{"temperature":21}\n')
    await write('all/readme.txt', 'no session')
    await symlink('nowhere', path('all/gone.jsonl'))
    await symlink('.', path('all/link.jsonl'))
    const { code, stdout, stderr } = await lcm('import', 'all')
    expect(code).toBe(0)
    expect(stdout).toBe('a: 7 new messages\nb: 7 new messages\n')
    const skipped = ['gone.jsonl does not exist', 'link.jsonl is a directory', 'notes.jsonl ']
    const told = stderr.trimEnd().split('\n')
    expect(told).toHaveLength(skipped.length)
    for (const [index, reason] of skipped.entries())
      expect(told[index]).toContain(`palimpsest: skipped: all/${reason}`)
  })

  it('leaves a whole store behind when it is interrupted, and goes on the next time', async () => {
    const many = Array.from({ length: 6_000 }, (_, index) => ({
      role: 'user',
      content: `message ${index} `.repeat(20),
    }))
    await write('many.jsonl', lines(many))
    const child = startCli(['store', 'import', 'many.jsonl', '--store', 'store.db'], path(''))
    while (child.exitCode === null && !(await storedSome())) await setTimeout(5)
    child.kill('SIGINT')
    await once(child, 'close')
    const [session] = await json('sessions')

    expect(await json('verify')).toMatchObject({ ok: true, messages: session.messages })
    await prints('import', 'many.jsonl')
    expect(await stored('many')).toEqual(many)
  })
})
