import { beforeEach, describe, expect, it } from 'vitest'
import { lines, TALK, useStoreFolder } from './store-folder.ts'

const { write, prints, json, refuses } = useStoreFolder()

describe('--principal', () => {
  beforeEach(async () => {
    await write('alice.jsonl', lines(TALK))
    await write('bob.jsonl', lines(TALK.slice(0, 5)))
    await prints('import', 'alice.jsonl')
    await prints('import', 'bob.jsonl', '--principal', 'bob')
  })

  const keys = (text: string) =>
    text
      .split('\n')
      .filter((line) => line.includes('"type":"session"'))
      .map((line) => JSON.parse(line).key)

  it('is whose sessions export writes: local, the one that is named, or all', async () => {
    expect(keys(await prints('export'))).toEqual(['alice'])
    expect(keys(await prints('export', '--principal', 'bob'))).toEqual(['bob'])
    expect(keys(await prints('export', '--all-principals'))).toEqual(['bob', 'alice'])
  })

  it('is whose sessions verify proves; without it verify looks at the whole file', async () => {
    expect(await json('verify', '--principal', 'bob')).toMatchObject({ sessions: 1, messages: 5 })
    expect(await json('verify')).toMatchObject({ sessions: 2, messages: 12 })
  })

  it('is refused when it has no session, and beside --all-principals', async () => {
    const store = ['--store', 'store.db', '--principal', 'carol']
    for (const command of [['grep', 'x', '--all'], ['export'], ['verify'], ['describe']])
      await refuses(/"carol" has no session; --principal may be: bob, local/, 'lcm', ...command, ...store)
    for (const command of ['export', 'sessions'])
      await refuses(/cannot be used with/, 'lcm', command, '--all-principals', ...store)
    await refuses(/must not be empty/, 'lcm', 'sessions', '--store', 'store.db', '--principal', '')
  })
})
