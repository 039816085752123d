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

  it('is whose sessions are read: local, or the one that is named', async () => {
    expect((await json('sessions')).map(({ session }: { session: string }) => session)).toEqual(['alice'])
    expect(await json('sessions', '--principal', 'bob')).toMatchObject([{ messages: 5 }])
    expect(await json('verify')).toMatchObject({ sessions: 2, messages: 12 })
  })

  it('is the one of the configuration', async () => {
    await write('config.yaml', 'store:\n  principal: bob\n')
    expect(await json('sessions')).toMatchObject([{ messages: 5 }])
  })

  it('is refused when it has no session', async () => {
    const store = ['--store', 'store.db', '--principal', 'carol']
    for (const command of [['grep', 'x', '--all'], ['context']])
      await refuses(/"carol" has no session; --principal may be: bob, local/, 'lcm', ...command, ...store)
    await refuses(/must not be empty/, 'lcm', 'sessions', '--store', 'store.db', '--principal', '')
  })
})
