import { writeFile } from 'node:fs/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { useDecisionsFolder } from './decisions-folder.ts'

const { path, run, write, record, prints, json, refuses } = useDecisionsFolder()

beforeEach(async () => {
  await record({ project: 'shop' })
})

async function idOf(value: string): Promise<string> {
  const all: { id: string; value: string }[] = await json('list', '--all')
  return all.find((decision) => decision.value.startsWith(value))?.id ?? ''
}

const AUTH = [{ subject: 'sign in', value: 'JWT', quote: 'We sign in with JWT.' }]

describe('list', () => {
  it('shows what holds, and says what it does not show', async () => {
    const lines = (await prints('list')).trimEnd().split('\n')
    expect(lines.map((line) => line.replace(/^d\w{12}/, 'id').replace(/ +/g, ' '))).toEqual([
      'ID STATUS AUTHORITY SCOPE DECISION',
      'id active stated project:shop store of orders: MySQL',
      'id active stated project:shop sign in: JWT tokens',
      'id active stated project:shop rule: Always answer in Spanish.',
    ])
    expect(await prints('list', '--all')).toMatch(
      /superseded .*PostgreSQL\n(?:.*\n)*d\w+ +proposed .*Kafka\n$/,
    )
  })

  it('names the scopes when there are several, and takes one', async () => {
    await record({ session: 's1' }, AUTH)
    expect((await prints('list', '--session', 's1')).trimEnd().split('\n')).toHaveLength(2)
    await refuses(
      /name the scope with --project or --session; there are: project:shop, session:s1/,
      'export',
      '--store',
      'store.db',
    )
  })

  it('of a principal who has none says so', async () => {
    expect(await prints('list', '--principal', 'nobody')).toMatch(
      /^no decision holds\na model reads decisions in a conversation: without one/,
    )
  })
})

describe('show', () => {
  it('says who said it where, why, and what it replaced', async () => {
    const text = await prints('show', (await idOf('MySQL')).slice(0, 6))
    expect(text).toMatch(
      /^decision +d\w{12}\nstatus +active, stated, found by the agent\nscope +project:shop\n/,
    )
    expect(text).toContain('because     the hosting has nothing else')
    expect(text).toContain('talk, turn 2, m2, user\n  "We switch to MySQL"')
    expect(text).toMatch(
      /chain, the oldest first\n {2}d\w+ {2}PostgreSQL, superseded, turn 1\n {2}d\w+ {2}MySQL, active, turn 2\n$/,
    )
    expect(await prints('show', await idOf('PostgreSQL'))).toMatch(
      /ended +talk, turn 2, m2, user: "We switch to MySQL", because the hosting/,
    )
    const shown = await json('show', await idOf('MySQL'))
    expect(shown.chain.map(({ value }: { value: string }) => value)).toEqual(['PostgreSQL', 'MySQL'])
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
    await refuses(/d is the beginning of 5 decisions/, 'show', 'd', '--store', 'store.db')
  })
})

describe('export', () => {
  it('writes Markdown for people', async () => {
    const text = await prints('export')
    expect(text).toMatch(
      /^# Decisions of shop\n\n## Standing rules of the user, word for word\n\n- "Always answer in Spanish\."/,
    )
    expect(text).toContain('- store of orders: PostgreSQL')
    expect(text).not.toContain('\u001b')
  })
})

describe('a store that is none', () => {
  it.each(['list', 'export'])('%s says what to do, and makes nothing', async (command) => {
    await refuses(/there is no store .*nowhere\.db; /, command, '--store', 'nowhere.db')
    await refuses(/name the store: --store <file or address>/, command)
    await refuses(/is a folder; name the file of the store/, command, '--store', '.')
    await writeFile(path('other.db'), 'a text, and no store at all '.repeat(50))
    await refuses(/./, command, '--store', 'other.db')
  })

  it('may be named in the configuration', async () => {
    await write({ 'config.yaml': 'store:\n  url: store.db\n' })
    expect((await run('list')).stdout).toMatch(/MySQL/)
  })
})

it('each command explains itself', async () => {
  for (const command of ['list', 'show', 'export'])
    expect((await run(command, '--help')).stdout).toMatch(
      new RegExp(`^Usage: palimpsest decisions ${command}`),
    )
  expect((await run('--help')).stdout).toMatch(/Examples:[\s\S]*Exit codes: 0/)
})
