import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeWithPostgres } from '../../../../packages/postgres/test/support/postgres-server.ts'
import { BUNDLED_SESSION } from '../../src/bundled-session.ts'
import { recordIn } from '../decisions/decisions-folder.ts'
import { lines, TALK } from '../lcm/store-folder.ts'
import { type TwoStores, twoStores } from './two-stores.ts'

describeWithPostgres('on a database, a command prints what it prints on a file', (server) => {
  let stores: TwoStores
  beforeEach(async () => {
    stores = await twoStores(server)
    await stores.write({ 'talk.jsonl': lines(TALK) })
  })
  afterEach(() => stores.close())

  it('of lcm', async () => {
    const lcm = async (...args: string[]) => {
      const group = ['import', 'export', 'verify'].includes(args[0] ?? '') ? 'store' : 'lcm'
      const { code, stdout, stderr } = await stores.both(group, ...args)
      expect({ code, stderr, args }).toEqual({ code: 0, stderr: '', args })
      return stdout
    }
    const session = (await readFile(BUNDLED_SESSION, 'utf8')).split('\n')
    await stores.write({ 'ledger.jsonl': session.slice(0, 60).join('\n') })
    await lcm('import', 'talk.jsonl', 'ledger.jsonl', '--summarise', '--window', '8000')
    expect(await lcm('import', 'talk.jsonl', '--principal', 'eve')).toContain('7 new messages')
    expect(await lcm('import', 'talk.jsonl')).toContain('nothing new')
    await lcm('import', 'talk.jsonl', '--session', 'other')

    expect(await lcm('sessions')).toMatch(/ledger[\s\S]*other[\s\S]*talk/)
    await lcm('sessions', '--all-principals')

    expect(await lcm('grep', 'harbour', '--session', 'talk')).toContain('Lisbon')
    expect(await lcm('grep', '港口', '--session', 'talk', '--mode', 'substring')).toContain('1 hit')
    expect(await lcm('grep', 'ESC|Pier \\d', '--session', 'talk', '--mode', 'regex')).toContain('Pier 7')
    expect(await lcm('grep', 'no such words at all', '--session', 'talk')).toContain('0 hits')
    expect(await lcm('grep', 'test', '--all', '--scope', 'both', '--limit', '9', '--context', '1')).toContain(
      'm',
    )
    await lcm('grep', 'error', '--session', 'ledger', '--role', 'tool', '--order', 'oldest', '--json')

    const { list } = JSON.parse(await lcm('describe', '--session', 'ledger', '--json'))
    const { ref } = list[0]
    await lcm('describe', ref, '--session', 'ledger')
    await lcm('describe', 'm3', '--session', 'other')
    await lcm('expand', ref, '--session', 'ledger')
    expect(await lcm('expand', 'm3', '--session', 'other', '--form', 'json')).toContain('tool_call_id')
    await lcm('context', '--session', 'ledger')
    await lcm('context', '--session', 'ledger', '--at', 'version 1')

    expect(
      await stores.both('lcm', 'forget', 'm3', '--session', 'other', '--reason', 'private'),
    ).toMatchObject({
      code: 2,
    })
    const gone = ['forget', 'm3', '--session', 'other', '--reason', 'private', '--yes', '--json']
    expect(JSON.parse(await lcm(...gone))).toMatchObject({ messages: 1 })
    expect(await lcm('grep', 'pier', '--session', 'other')).toContain('1 hit')
    await lcm('describe', 'm3', '--session', 'other')

    expect(await lcm('verify')).toContain('no fault')
    await lcm('export', '--session', 'other')
    expect((await stores.both('lcm', 'expand', 'm99', '--session', 'talk')).code).toBe(2)
  })

  it('of decisions', async () => {
    const decisions = async (...args: string[]) => {
      const { code, stdout, stderr } = await stores.both('decisions', ...args)
      expect({ code, stderr, args }).toEqual({
        code: 0,
        stderr: expect.not.stringContaining('palimpsest: the'),
        args,
      })
      return stdout
    }
    await stores.fill((path) => recordIn(path, { project: 'shop' }))
    const all: { id: string }[] = JSON.parse(await decisions('list', '--all', '--json'))
    expect(await decisions('list')).toContain('MySQL')
    for (const { id } of all) await decisions('show', id)
    await decisions('export', '--project', 'shop', '--out', 'shop.md')
    await stores.bothRead('shop.md')
    expect((await stores.both('decisions', 'show', 'd000')).code).toBe(2)
  })
})
