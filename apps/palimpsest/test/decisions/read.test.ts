import { writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { createSql } from '@palimpsest/sqlite-kit'
import { beforeEach, describe, expect, it } from 'vitest'
import { RECORDS, useDecisionsFolder } from './decisions-folder.ts'

const { path, run, write, prints, json, decisions, refuses } = useDecisionsFolder()

beforeEach(async () => {
  await write(RECORDS)
  await decisions('import', 'adr', '--project', 'shop')
})

async function idOf(choice: string): Promise<string> {
  const all: { id: string; choice: string }[] = await json('list', '--all')
  return all.find((decision) => decision.choice === choice)?.id ?? ''
}

describe('list', () => {
  it('shows what holds, and says what it does not show', async () => {
    const lines = (await prints('list')).trimEnd().split('\n')
    expect(lines.map((line) => line.replace(/^d\w{12}/, 'id').replace(/ +/g, ' '))).toEqual([
      'ID STATUS AUTHORITY SCOPE DECISION',
      'id active stated project:shop Another store of orders: MySQL',
      'id active stated project:shop Sign in: JWT',
    ])
    expect(await prints('list', '--all')).toMatch(
      /superseded .*PostgreSQL\n.*\n.*\nd\w+ +proposed .*Kafka\n$/,
    )
  })

  it('leaves out what earlier conversations of a session decided, and says so', async () => {
    for (const session of ['talk', 'talk#2', 'talk~2', 'issue#1'])
      await prints('import', 'adr/0003-auth.md', '--session', session)
    const text = await prints('list')
    expect(text).toMatch(/ project:shop .*\n(?:.* project:shop .*\n)*/)
    expect([...text.matchAll(/ (session:\S+)/g)].map(([, scope]) => scope)).toEqual([
      'session:talk#2',
      'session:issue#1',
    ])
    expect(text).toMatch(/\n4 more, of 2 earlier conversations too: --all\n$/)
    expect(await prints('list', '--all')).toMatch(/ session:talk .*JWT/)
    expect(await prints('list', '--session', 'talk')).toMatch(/active.* session:talk .*JWT/)
    expect(await json('list')).toHaveLength(4)
  })

  it('names the scopes when there are several, and takes one', async () => {
    await prints('import', 'adr/0003-auth.md', '--session', 's1')
    expect(await prints('list')).toMatch(/SCOPE.*\n.*project:shop.*\n.*\n.*session:s1/)
    expect((await prints('list', '--session', 's1')).trimEnd().split('\n')).toHaveLength(2)
  })

  it('of a principal who has none says so', async () => {
    expect(await prints('list', '--principal', 'nobody')).toBe('no decision holds\n')
  })
})

describe('show', () => {
  it('says who said it where, why, and what it replaced', async () => {
    const text = await prints('show', (await idOf('MySQL')).slice(0, 6))
    expect(text).toMatch(/^decision +d\w{12}\nstatus +active, stated, found by import\nscope +project:shop\n/)
    expect(text).toContain('because     the hosting has nothing else')
    expect(text).toContain(
      'file:shop/0002-store.md, turn 1, message 0, user\n' +
        '  "Chosen option: "MySQL", because the hosting has nothing else."',
    )
    expect(text).toMatch(
      /chain, the oldest first\n {2}d\w+ {2}PostgreSQL, superseded\n {2}d\w+ {2}MySQL, active\n$/,
    )
  })

  it('says why what is over is over', async () => {
    expect(await prints('show', await idOf('PostgreSQL'))).toMatch(
      /ended +file:shop\/0001-store\.md, turn 1, message 0, user: "superseded by ADR-0002", because the hosting/,
    )
  })

  it('as JSON has the chain and what rests on it', async () => {
    const shown = await json('show', await idOf('MySQL'))
    expect(shown).toMatchObject({ choice: 'MySQL', status: 'active', dependants: [] })
    expect(shown.chain.map(({ choice }: { choice: string }) => choice)).toEqual(['PostgreSQL', 'MySQL'])
  })

  it('shows control characters instead of obeying them', async () => {
    const text = await prints('show', await idOf('JWT'))
    expect(text).toContain('␛[31m')
    expect(text).not.toContain('\u001b')
  })

  it('asks again for an id that is none, or the beginning of several', async () => {
    await refuses(
      /there is no decision dx; palimpsest decisions list --all has them/,
      'show',
      'dx',
      '--store',
      'store.db',
    )
    await refuses(/d is the beginning of 4 decisions/, 'show', 'd', '--store', 'store.db')
  })
})

describe('sessions and verify', () => {
  it('list what decisions were read from', async () => {
    expect(await prints('sessions')).toMatch(/file:shop\/0001-store\.md +1 +\d/)
    const infos = await json('sessions')
    expect(infos.map(({ session, messages }: Record<string, unknown>) => [session, messages])).toContainEqual(
      ['file:shop/0003-auth.md', 1],
    )
  })

  it('find a choice that was changed in the file of the store', async () => {
    const database = new DatabaseSync(path('store.db'))
    const [table] = database
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%json%' AND name LIKE 'event%'",
      )
      .all()
    createSql(database).exec(
      `UPDATE ${String(table?.name)} SET json = replace(json, '"choice":"JWT"', '"choice":"none"')`,
    )
    database.close()
    const { code, stdout } = await decisions('verify')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^decision-id {2}file:shop\/0003-auth\.md e\w{12}: /)
    expect(stdout).toMatch(/1 fault in 5 events/)
    expect(await json('verify')).toMatchObject({ ok: false, faults: [{ code: 'decision-id' }] })
  })

  it('prove one session', async () => {
    expect(await prints('verify', '--session', 'file:shop/0003-auth.md')).toMatch(
      /1 event, 1 message, 1 session/,
    )
    await refuses(/there is no session "x"/, 'verify', '--store', 'store.db', '--session', 'x')
  })
})

describe('a store that is none', () => {
  it.each(['list', 'verify', 'sessions', 'export'])(
    '%s says what to do, and makes nothing',
    async (command) => {
      await refuses(
        /there is no store .*nowhere\.db; the engine "decisions" makes one/,
        command,
        '--store',
        'nowhere.db',
      )
      await refuses(/name the store: --store <file or address>/, command)
      await refuses(/is a folder; name the file of the store/, command, '--store', '.')
      await writeFile(path('other.db'), 'a text, and no store at all '.repeat(50))
      await refuses(/./, command, '--store', 'other.db')
    },
  )

  it('may be named in the configuration', async () => {
    await write({ 'config.yaml': 'decisions:\n  store: store.db\n' })
    expect((await run('list')).stdout).toMatch(/MySQL/)
  })
})

it('each command explains itself', async () => {
  for (const command of ['list', 'show', 'export', 'import', 'verify', 'sessions'])
    expect((await run(command, '--help')).stdout).toMatch(
      new RegExp(`^Usage: palimpsest decisions ${command}`),
    )
  expect((await run('--help')).stdout).toMatch(/Examples:[\s\S]*Exit codes: 0/)
})
