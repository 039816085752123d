import { DatabaseSync } from 'node:sqlite'
import { createSql } from '@palimpsest/sqlite-kit'
import { expect, it } from 'vitest'
import { describeWithPostgres } from '../../../../packages/postgres/test/support/postgres-server.ts'
import { SHOP, useDecisionsFolder } from './decisions-folder.ts'

describeWithPostgres('palimpsest decisions copy', (server) => {
  const { run, path, write, record, refuses } = useDecisionsFolder()
  /** Sessions of two principals. */
  const fill = async () => {
    await record({ session: 'talk' })
    await record({ project: 'shop', principal: 'ann' })
  }
  /** What a store says of everybody. */
  const said = async (store: string) => {
    const outputs: string[] = []
    for (const principal of ['local', 'ann'])
      for (const command of [['list', '--all'], ['sessions']])
        outputs.push((await run(...command, '--json', '--principal', principal, '--store', store)).stdout)
    return outputs
  }

  it('takes everything along into a database, and back again', async () => {
    await fill()
    await write({ 'config.yaml': `store: { schema: ${server.schema()} }\n` })
    const there = await run('copy', 'store.db', server.url)
    expect(there).toMatchObject({ code: 0, stderr: '' })
    expect(there.stdout).toMatch(
      /\n20 new messages, 12 new events\nthe same in both stores: 2 sessions, 20 messages, 12 events\n$/,
    )
    expect(await said(server.url)).toEqual(await said('store.db'))
    expect((await run('verify', '--store', server.url)).stdout).toMatch(
      /12 events, 20 messages, 2 sessions, no fault/,
    )
    expect((await run('copy', server.url, 'back.db', '--json')).code).toBe(0)
    expect(await said('back.db')).toEqual(await said('store.db'))
  })

  it('goes on where an earlier one ended, and writes nothing the second time', async () => {
    await record({ session: 'talk' }, SHOP.slice(0, 1))
    await run('copy', 'store.db', 'copy.db')
    await record({ session: 'talk' })
    const second = JSON.parse((await run('copy', 'store.db', 'copy.db', '--json')).stdout)
    expect(second).toMatchObject({ ok: true, sessions: 1, messages: 10, written: { messages: 8 } })
    const third = JSON.parse((await run('copy', 'store.db', 'copy.db', '--json')).stdout)
    expect(third).toMatchObject({ ok: true, sessions: 1, written: { messages: 0, events: 0 } })
    expect(await said('copy.db')).toEqual(await said('store.db'))
  })

  it('names what is another one there, leaves it, and ends with 1', async () => {
    await fill()
    await run('copy', 'store.db', 'copy.db')
    const copy = new DatabaseSync(path('copy.db'))
    createSql(copy)
    copy.exec(`UPDATE source SET json = replace(json, 'All right.', 'All wrong.') WHERE session = 1`)
    copy.exec(
      `UPDATE event SET json = replace(json, 'the hosting has nothing else', 'so') WHERE principal = '"local"'`,
    )
    copy.close()
    const before = await said('copy.db')
    const { code, stdout, stderr } = await run('copy', 'store.db', 'copy.db')
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).toMatch(/^different {2}talk \(of local\): another session of that name is there/m)
    expect(stdout).toMatch(/^different {2}local: the event \w+ is another one there$/m)
    expect(stdout).toContain('the same in both stores: 1 session')
    expect(await said('copy.db')).toEqual(before)
  })

  it('is refused without two stores', async () => {
    await fill()
    await refuses(/both are .*store\.db; name another/, 'copy', 'store.db', './store.db')
    await refuses(/there is no store .*nowhere\.db; the first argument/, 'copy', 'nowhere.db', 'copy.db')
    await refuses(
      /^palimpsest: the second store is not the address/,
      'copy',
      'store.db',
      'mysql://ann:s3cret@db/x',
    )
    await refuses(/no session of the principal "bob"/, 'copy', 'store.db', 'copy.db', '--principal', 'bob')
  })
})
