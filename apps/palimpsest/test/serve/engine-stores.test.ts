import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createSqliteDecisionStore } from '@palimpsest/decisions/sqlite'
import { describe, expect, it } from 'vitest'
import { runHere } from '../lcm/run-here.ts'
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
    ['a database of others', 'serve.db.decisions', foreign, 'decisions'],
    ['a text at .lcm', 'serve.db.lcm', (path: string) => writeFile(path, text), 'lcm'],
  ])('is refused at the start (%s)', async (_, name, make, engine) => {
    const folder = await temporaryFolder()
    await make(join(folder, name))
    await expect(startTestService({ engine, store: join(folder, 'serve.db') })).rejects.toThrow(
      new RegExp(`^the store of the engine ${engine} cannot be used: .*${name}`),
    )
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

  it('is not the file of the service', async () => {
    const store = join(await temporaryFolder(), 'serve.db')
    const config = `decisions:\n  store: ${store}\n`
    await expect(startTestService({ engine: 'decisions', config, store })).rejects.toThrow(
      /is the file of the service itself/,
    )
  })
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
    const list = engine === 'lcm' ? ['lcm', 'context', '--session', 'shop'] : ['decisions', 'sessions']
    const shown = await runHere([...list, '--store', moved + file], folder)
    expect(shown.stdout).toMatch(engine === 'lcm' ? /Postgre/ : /^shop +3 /m)
  },
)
