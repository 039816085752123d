import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { SeqRange } from '@palimpsest/lcm'
import { createSqliteStore } from '@palimpsest/lcm/sqlite'
import { createSql } from '@palimpsest/sqlite-kit'
import { describe, expect, it } from 'vitest'
import { runHere } from '../lcm/run-here.ts'
import { runCli } from '../run-cli.ts'
import { proveService } from '../verify/kept-service.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { startTestService } from './test-service.ts'

/** A service's file with a session of two turns, and another one. */
async function keep(engine: string): Promise<string> {
  const store = join(await temporaryFolder(), 'serve.db')
  const service = await startTestService({ engine, store })
  for (const query of ['We use Postgres as our database.', 'We use Redis as our cache.'])
    await service.post('/query', { query, session: 'shop' })
  await service.post('/query', { query: 'The port is 4711.', session: 'other' })
  await service.close()
  return store
}

/** Puts another text of the same length into a file, as a broken disk would. */
function overwrite(path: string, text: string, other: string): void {
  const bytes = readFileSync(path)
  const at = bytes.indexOf(text)
  if (at === -1) throw new Error(`${path} has no "${text}"`)
  bytes.write(other, at)
  writeFileSync(path, bytes)
}

/** Changes a file by statements, and seals what they write. */
function change(path: string, statements: string): void {
  const database = new DatabaseSync(path)
  createSql(database).exec(statements)
  database.close()
}

/** The messages of the session that lcm holds to be replaced by an edit. */
async function editsOf(store: string, engine: string): Promise<readonly SeqRange[] | undefined> {
  const messages = createSqliteStore({ path: `${store}${engine === 'lcm' ? '' : '.decisions'}.lcm` })
  try {
    return (await (await messages.find({ key: 'shop' }))?.head())?.replaced
  } finally {
    await messages.close()
  }
}

describe.each(['compressor', 'lcm', 'decisions'])(
  'a letter that changed in a stored message, with %s',
  (engine) => {
    it('closes its session to all calls but /init, and no other one', async () => {
      const store = await keep(engine)
      overwrite(store, '"content":"We use Postgres', '"content":"We use Fostgres')
      const service = await startTestService({ engine, store })
      const calls = [
        service.get('/state?session=shop'),
        service.post('/query', { query: 'Which database?', session: 'shop' }),
        service.post('/compact', { session: 'shop' }),
      ]
      for (const { status, body, headers } of await Promise.all(calls)) {
        expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'store', '300'])
        expect(body.error.message).toContain(
          'the store serve.db cannot be used for the session "shop" (STORE_CORRUPT)',
        )
      }
      expect(service.log.join('\n')).toContain(
        `error: message 1 of the session "shop" is not what was stored; palimpsest verify --store ${store} lists`,
      )
      expect((await service.post('/query', { query: 'And now?', session: 'other' })).body.turn).toBe(2)
      expect((await service.post('/init', { session: 'shop' })).body.key).toBe('shop#2')
      expect((await service.post('/query', { query: 'Hello.', session: 'shop' })).body.turn).toBe(1)
      await service.close()
      const [sessions, ...others] = await proveService(store, join(store, '..'))
      expect(sessions?.faults).toEqual([
        { code: 'changed-row', message: 'A row of message (conversation 1, seq 0) is not what was stored.' },
      ])
      expect(others.flatMap(({ faults }) => faults)).toEqual([])
      if (engine !== 'compressor') expect(await editsOf(store, engine)).toEqual([])
    })
  },
)

describe.each(['lcm', 'decisions'])('a list that contradicts what %s has stored', (engine) => {
  it('is refused, and never stored as an edit', async () => {
    const store = await keep(engine)
    // Rows of another copy: each is sound in itself.
    change(
      store,
      `UPDATE message SET json = replace(json, 'Postgres', 'MongoDB') WHERE conversation = 1 AND seq = 0`,
    )
    const service = await startTestService({ engine, store })
    const { status, body } = await service.get('/state?session=shop')
    expect([status, body.error?.code]).toEqual([503, 'store'])
    expect(body.error.message).toContain(
      `the store serve.db.${engine} cannot be used for the session "shop" (STORE_MISMATCH)`,
    )
    expect((await service.get('/state?session=other')).status).toBe(200)
    await service.close()
    const [{ faults: [fault] = [] } = {}, ...others] = await proveService(store, join(store, '..'))
    expect(fault?.code).toBe('store-mismatch')
    expect(fault?.message).toMatch(/^message 1 of the session "shop" is another one than the engine /)
    expect(others.flatMap(({ faults }) => faults)).toEqual([])
    expect(await editsOf(store, engine)).toEqual([])
  })

  it('may be shorter or longer by a turn that one of them did not write', async () => {
    const store = await keep(engine)
    const older = readFileSync(store)
    const first = await startTestService({ engine, store })
    await first.post('/query', { query: 'We use Kafka as our queue.', session: 'shop' })
    await first.close()
    writeFileSync(store, older)
    const second = await startTestService({ engine, store })
    expect((await second.get('/state?session=shop')).body.turn).toBe(2)
    expect(
      (await second.post('/query', { query: 'We use NATS as our queue.', session: 'shop' })).body.turn,
    ).toBe(3)
  })
})

it.each([
  [
    'a conversation that miscounts',
    "UPDATE conversation SET turns = 3 WHERE session = 'shop'",
    'wrong-count',
  ],
  ['a message that is gone', 'DELETE FROM message WHERE conversation = 1 AND seq = 1', 'wrong-count'],
  [
    'a row of nothing',
    'PRAGMA foreign_keys = OFF; DELETE FROM conversation WHERE no = 1',
    'dangling-reference',
  ],
])('verify finds %s', async (_, statements, code) => {
  const store = await keep('compressor')
  change(store, statements)
  const [report] = await proveService(store, join(store, '..'))
  expect(report?.faults.map((fault) => fault.code)).toContain(code)
})

it('what calls have cost is not told from a row that changed, and is not added to', async () => {
  const store = await keep('compressor')
  const database = new DatabaseSync(store)
  database.exec(
    'DROP TRIGGER cost_broken; DROP TRIGGER cost_resealed; UPDATE cost SET calls = 99 WHERE conversation = 1',
  )
  database.close()
  const service = await startTestService({ engine: 'compressor', store })
  expect((await service.get('/costs')).body.error.message).toContain(
    'the store serve.db cannot be used (STORE_CORRUPT)',
  )
  expect((await service.get('/costs?session=other')).status).toBe(200)
})

describe('palimpsest verify', () => {
  it('checks all stores of a service, and ends with 1 when one has a fault', async () => {
    const store = await keep('decisions')
    const cwd = join(store, '..')
    const sound = await runHere(['verify', '--store', 'serve.db'], cwd)
    expect([sound.code, sound.stderr]).toEqual([0, ''])
    expect(sound.stdout).toBe(
      `${store} (sessions): no fault\n${store}.decisions (decisions): no fault\n${store}.decisions.lcm (lcm): no fault\n`,
    )
    overwrite(`${store}.decisions`, 'We use Redis as', 'We use Radis as')
    const { code, stdout } = await runHere(['serve', 'verify', '--store', 'serve.db', '--json'], cwd)
    const { ok, stores } = JSON.parse(stdout)
    expect([code, ok]).toEqual([1, false])
    const faulty = stores.filter(({ faults }: { faults: unknown[] }) => faults.length > 0)
    expect(faulty.map(({ store }: { store: string }) => store)).toEqual([`${store}.decisions`])
  })

  it.each([
    ['no store is named', [], /name the store: --store/],
    ['there is none', ['--store', 'nowhere.db'], /there is no store .*nowhere\.db/],
  ])('ends with 2 when %s', async (_, args, message) => {
    const { code, stderr } = await runHere(['verify', ...args], await temporaryFolder())
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
  })

  it('ends with 2 when the file is none of a service', async () => {
    const cwd = await temporaryFolder()
    writeFileSync(join(cwd, 'half.jsonl'), '{"role":"user","content":"no store"}\n')
    const { code, stdout, stderr } = await runHere(['verify', '--store', 'half.jsonl'], cwd)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/half\.jsonl is not a store of palimpsest serve/)
  })

  it('ends with 2 while a service has the file', async () => {
    const store = await keep('compressor')
    const service = await startTestService({ store })
    const { code, stderr } = await runCli(['verify', '--store', store])
    expect(code).toBe(2)
    expect(stderr).toMatch(/serve\.db .*: stop the service that has it, or verify a copy/)
    await service.close()
  })
})
