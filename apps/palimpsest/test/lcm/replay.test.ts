import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createSqliteStore } from '@palimpsest/store'
import { readTranscript } from '@palimpsest/transcripts'
import { describe, expect, it } from 'vitest'
import { BUNDLED_SESSION } from '../../src/bundled-session.ts'
import { startCli } from '../run-cli.ts'
import { lines, TALK, useStoreFolder } from './store-folder.ts'

const { path, write, run, json, refuses } = useStoreFolder()
const LCM = ['--engine', 'lcm', '--json']

describe('palimpsest replay --engine lcm', () => {
  it.skipIf(process.platform === 'win32')('says so when the disk is full, and fails', async () => {
    await write('talk.jsonl', lines(Array.from({ length: 40 }, () => TALK.slice(1)).flat()))
    const args = ['replay', 'talk.jsonl', '--engine', 'lcm', '--store', 'store.db']
    // The largest file that the process may write, in blocks of 512 bytes or of a kilobyte.
    const child = startCli(args, dirname(path()), {}, ['sh', '-c', 'ulimit -f 64; exec "$@"', 'sh'])
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said += text
    })
    const [code] = await once(child, 'close')
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(/messages are not in .*store\.db: the store failed/),
    ])
  })

  it('breaks no invariant, and stores every message so that the tools give it back', async () => {
    const replay = ['replay', BUNDLED_SESSION, ...LCM, '--store', 'store.db', '--window', '16000']
    const { code, stdout, stderr } = await run(...replay)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const report = JSON.parse(stdout)
    expect(report).toMatchObject({
      engine: 'lcm',
      profile: null,
      tooLarge: 0,
      invariants: { violations: [] },
    })
    const { entries } = await readTranscript(BUNDLED_SESSION)
    const store = createSqliteStore({ path: path(), readOnly: true })
    const session = await store.find({ key: 'ledger' })
    const stored = (await session?.messages()) ?? []
    await store.close()
    expect(stored.map(({ message }) => message)).toEqual(entries.map(({ message }) => message))
    expect((await json('context')).summaries.length).toBeGreaterThan(0)

    const again = await run(...replay)
    expect(again.code).toBe(0)
    expect(again.stderr).toMatch(
      /messages are in the store already, in the session ledger: there is nothing to replay/,
    )
    expect(JSON.parse(again.stdout)).toMatchObject({ requests: 0, compactions: [] })
    expect(await json('sessions')).toMatchObject([{ messages: report.session.messages }])
    expect((await run('store', 'verify', '--store', 'store.db')).code).toBe(0)
  })

  it('leaves no store behind when an option is wrong', async () => {
    await write('talk.jsonl', lines(TALK))
    await write('config.yaml', 'lcm:\n  treshold: 0.7\n')
    const replay = ['replay', 'talk.jsonl', '--engine', 'lcm', '--store', 'store.db']
    await refuses(/treshold/, ...replay)
    await refuses(/must not be empty/, ...replay, '--session', '')
    expect((await readdir(path(''))).sort()).toEqual(['config.yaml', 'talk.jsonl'])
  })

  it('refuses another conversation by the name of a stored one, and the files of the store as outputs', async () => {
    await write('talk.jsonl', lines(TALK))
    await write('other.jsonl', lines([{ role: 'user', content: 'Something else.' }]))
    await run('store', 'import', 'talk.jsonl', '--store', 'store.db')
    const replay = ['replay', 'other.jsonl', '--store', 'store.db', '--session', 'talk', '--engine', 'lcm']
    await refuses(/"talk" in the store is another .*--session <id>/, ...replay)
    for (const file of [path(), 'store.db-wal'])
      await refuses(/names the store itself/, ...replay, '--html', file)
    expect(await json('sessions')).toMatchObject([{ messages: 7 }])
  })
})
