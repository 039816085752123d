import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text as readAll } from 'node:stream/consumers'
import { createContextSession, type Message, roughTokenCounter } from '@palimpsest/core'
import engine from '@palimpsest/decisions'
import { createSqliteDecisionStore } from '@palimpsest/decisions/sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { PROGRAM } from '../run-cli.ts'
import { useDecisionsFolder } from './decisions-folder.ts'

const { path, run, prints, json, write, decisions } = useDecisionsFolder()

/** The engine reads a conversation in which Postgres gives way to MySQL. */
beforeEach(async () => {
  const session = createContextSession({
    engine,
    options: { store: () => createSqliteDecisionStore({ path: path('store.db') }), project: 'shop' },
    contextLength: 16_000,
    tokens: roughTokenCounter,
    sessionId: 'talk',
  })
  const history: Message[] = []
  for (const said of [
    'We will use Postgres as the database because we know it.',
    'What next?',
    "Let's switch from Postgres to MySQL because the hosting has nothing else.",
  ]) {
    history.push({ role: 'user', content: said })
    await session.prepare(history)
    const message = { role: 'assistant', content: 'All right.' } as const
    await session.observe({ message })
    history.push(message)
  }
  await session.end()
})

describe('what was decided in a conversation', () => {
  it('is listed and explained with the words that it was said in', async () => {
    const [mysql] = await json('list')
    expect(mysql).toMatchObject({
      slot: 'datastore',
      choice: expect.stringMatching(/MySQL/i),
      scope: 'project:shop',
    })
    const text = await prints('show', mysql.id)
    expect(text).toMatch(/talk, turn 3, message 4, user\n {2}".*MySQL/)
    expect(text).toMatch(/chain, the oldest first\n.*Postgres.*superseded\n.*MySQL.*active/i)
    expect(await prints('sessions')).toMatch(/^talk +6 /m)
    expect(await prints('verify')).toMatch(/no fault/)
  })

  it('goes to another project through files, as JSON and as records', async () => {
    const records = await prints('export', '--format', 'madr', '--out', 'adr')
    expect(records).toMatch(/adr: 2 records of project:shop: 2 new/)
    await run('import', 'adr', '--store', 'copy.db', '--project', 'copy')
    expect((await run('list', '--store', 'copy.db')).stdout).toMatch(/active +stated .*MySQL/i)
    await write({ 'shop.json': await prints('export') })
    expect(await prints('import', 'shop.json')).toMatch(/nothing new/)
    expect(await prints('import', 'shop.json', '--project', 'other')).toMatch(/project:other: \d new events/)
    expect(await prints('verify')).toMatch(/no fault/)
  })

  it("is affirmed by a team's record of it, which stays the record", async () => {
    await write({ 'docs/7-store.md': '# Store\n\n## Decision\n\nWe will use mysql.\n' })
    expect((await decisions('import', 'docs', '--project', 'shop')).stdout).toBe(
      'project:shop: 1 new event\n',
    )
    const [mysql, ...others] = await json('list')
    expect({ mysql, others }).toMatchObject({ mysql: { contestedBy: [] }, others: [] })
    expect(mysql.sources).toHaveLength(2)
    expect(await prints('export', '--format', 'madr', '--out', 'docs')).toMatch(
      /1 new, 0 replaced, 1 unchanged/,
    )
    expect(await prints('verify')).toMatch(/no fault/)
  })

  it('goes through a pipe', async () => {
    const program = `'${process.execPath}' ${PROGRAM.map((argument) => `'${argument}'`).join(' ')} decisions`
    const command = `${program} export --store store.db | ${program} import - --store copy.db`
    const child = spawn('sh', ['-c', command], { cwd: path(''), env: { ...process.env, CI: 'true' } })
    const [stdout, stderr] = await Promise.all([
      readAll(child.stdout),
      readAll(child.stderr),
      once(child, 'close'),
    ])
    expect({ stdout, stderr }).toEqual({
      stdout: expect.stringMatching(/^project:shop: \d new events\n$/),
      stderr: '',
    })
    const log = async (store: string) =>
      JSON.parse((await run('list', '--all', '--json', '--store', store)).stdout)
    const copied = (await log('copy.db')).map(({ by: _, ...decision }: { by: string }) => decision)
    expect(copied).toEqual((await log('store.db')).map(({ by: _, ...decision }: { by: string }) => decision))
  })
})
