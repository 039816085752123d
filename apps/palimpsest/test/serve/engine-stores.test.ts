import { copyFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createSqliteDecisionStore } from '@palimpsest/decisions/sqlite'
import { describe, expect, it } from 'vitest'
import { runHere } from '../lcm/run-here.ts'
import { runCli } from '../run-cli.ts'
import { serveProcess } from './served-process.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { startTestService } from './test-service.ts'

describe("a store of the engine's that cannot be used", () => {
  const text = 'not a database, but long enough to be looked at '.repeat(50)
  const foreign = (path: string) => {
    const database = new DatabaseSync(path)
    database.exec('CREATE TABLE mine (a)')
    database.close()
  }

  it.each([
    ['a text at .decisions', 'serve.db.decisions', (path: string) => writeFile(path, text), 'decisions'],
    [
      'a text at .decisions.lcm',
      'serve.db.decisions.lcm',
      (path: string) => writeFile(path, text),
      'decisions',
    ],
    ['a database of others', 'serve.db.decisions', foreign, 'decisions'],
    ['a database of others at .decisions.lcm', 'serve.db.decisions.lcm', foreign, 'decisions'],
    ['a text at .lcm', 'serve.db.lcm', (path: string) => writeFile(path, text), 'lcm'],
  ])('is refused at the start (%s)', async (_, name, make, engine) => {
    const folder = await temporaryFolder()
    await make(join(folder, name))
    await expect(startTestService({ engine, store: join(folder, 'serve.db') })).rejects.toThrow(
      new RegExp(`^the store of the engine ${engine} cannot be used: .*${name}`),
    )
  })

  it('ends the command with exit code 2', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'serve.db.decisions'), text)
    const { code, stderr } = await runCli(['serve', '--port', '0', '--store', 'serve.db'], { cwd: folder })
    expect(code).toBe(2)
    expect(stderr).toMatch(/^palimpsest: the store of the engine decisions cannot be used: /)
    expect(stderr).not.toContain('bug')
  })
})

describe("the store that the engine's own block names", () => {
  it('is used, and said', async () => {
    const folder = await temporaryFolder()
    const mine = join(folder, 'mine.db')
    const config = `decisions:\n  store: ${mine}\n`
    const service = await startTestService({ engine: 'decisions', config, store: join(folder, 'serve.db') })
    expect(service.warnings.join()).toMatch(/^the engine's store is .*mine\.db \(decisions\.store of /)
    await service.post('/query', { query: 'We use Postgres as our database.', session: 'demo' })
    const decisions = createSqliteDecisionStore({ path: mine })
    expect((await decisions.list()).map(({ key }) => key)).toEqual(['demo'])
    await decisions.close()
  })

  it('is left alone when sessions are in memory, which is said', async () => {
    const folder = await temporaryFolder()
    const mine = join(folder, 'mine.db')
    const config = `decisions:\n  store: ${mine}\n`
    const service = await startTestService({ engine: 'decisions', config })
    expect(service.warnings.join()).toMatch(
      /decisions\.store of .* is not used, because sessions are kept in memory/,
    )
    await service.post('/query', { query: 'We use Postgres as our database.' })
    await expect(rm(mine)).rejects.toThrow(/ENOENT/)
  })

  it('is not the file of the service', async () => {
    const store = join(await temporaryFolder(), 'serve.db')
    const config = `decisions:\n  store: ${store}\n`
    await expect(startTestService({ engine: 'decisions', config, store })).rejects.toThrow(
      /is the file of the service itself/,
    )
  })
})

it('knows a session that was begun anew under the key that the API tells', async () => {
  const folder = await temporaryFolder()
  const service = await serveProcess(folder, ['--store', 'serve.db'])
  expect((await service.post('/init', { session: 'shop' })).body.key).toBe('shop')
  await service.post('/query', { query: 'We use Postgres as our database.', session: 'shop' })
  expect((await service.post('/init', { session: 'shop' })).body.key).toBe('shop#2')
  await service.post('/query', { query: 'We use MySQL as our database.', session: 'shop' })
  expect((await service.get('/state?session=shop')).body.key).toBe('shop#2')
  expect(await service.end('SIGTERM')).toBe(0)
  const list = await runHere(['decisions', 'sessions', '--store', 'serve.db.decisions', '--json'], folder)
  expect(
    JSON.parse(list.stdout)
      .map(({ session }: { session: string }) => session)
      .sort(),
  ).toEqual(['shop', 'shop#2'])
  const shown = await runHere(
    ['decisions', 'list', '--store', 'serve.db.decisions', '--session', 'shop#2'],
    folder,
  )
  expect(shown.stdout).toContain('MySQL')
  expect(shown.stdout).not.toContain('Postgre')
})

it.each([
  ['decisions', ['.decisions', '.decisions.lcm']],
  ['lcm', ['.lcm']],
])(
  'begins a conversation beside what was copied into the stores of %s, which stays',
  async (engine, files) => {
    const folder = await temporaryFolder()
    const [store, moved] = [join(folder, 'serve.db'), join(folder, 'moved.db')]
    const before = await startTestService({ engine, store })
    await before.post('/query', { query: 'We use Postgres as our database.', session: 'shop' })
    await before.close()
    await Promise.all(files.map((file) => copyFile(store + file, moved + file)))
    const service = await startTestService({ engine, store: moved })
    await service.post('/query', { query: 'Hello.', session: 'shop' })
    expect((await service.get('/state?session=shop')).body).toMatchObject({ key: 'shop#2', turn: 1 })
    await service.post('/query', { query: 'And now?', session: 'shop' })
    await service.close()
    const [file = ''] = files
    const list = engine === 'lcm' ? ['lcm', 'context'] : ['decisions', 'list']
    const shown = await runHere([...list, '--store', moved + file, '--session', 'shop'], folder)
    expect(shown.stdout).toContain('Postgre')
  },
)

it('keeps messages apart by the principal of the decisions', async () => {
  const folder = await temporaryFolder()
  const store = join(folder, 'serve.db')
  const config = 'decisions:\n  principal: ann\n'
  const service = await startTestService({ engine: 'decisions', config, store })
  await service.post('/query', { query: 'Hello.', session: 'shop' })
  await service.close()
  const file = `${store}.decisions.lcm`
  const all = ['lcm', 'sessions', '--store', file, '--all-principals', '--json']
  const list = await runHere(all, folder)
  expect(JSON.parse(list.stdout)).toMatchObject([{ principal: 'ann', session: 'shop' }])
})
