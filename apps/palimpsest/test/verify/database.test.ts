import { expect, it } from 'vitest'
import { describeWithPostgres } from '../../../../packages/postgres/test/support/postgres-server.ts'
import { startTestService } from '../serve/test-service.ts'
import { databaseFolder } from '../stores/database-folder.ts'

describeWithPostgres('palimpsest verify of a database', (server) => {
  it('checks the tables of a service, while it runs too', async () => {
    const { run, schema, refuses } = await databaseFolder(server)
    await refuses(/there is no store in postgres:/, 'verify')
    const service = await startTestService({ engine: 'decisions', store: server.url, schema })
    for (const query of ['We use Postgres as our database.', 'We use Redis as our cache.'])
      await service.post('/query', { query, session: 'shop' })
    const sound = await run('verify', '--json')
    expect([sound.code, sound.stderr]).toEqual([0, ''])
    expect(JSON.parse(sound.stdout).stores.map(({ kind }: { kind: string }) => kind)).toEqual([
      ...['sessions', 'decisions', 'lcm'],
    ])

    const codes = async () => {
      const { code, stdout } = await run('verify', '--json')
      const faults = JSON.parse(stdout).stores.flatMap(
        (store: { faults: { code: string }[] }) => store.faults,
      )
      return [code, ...new Set(faults.map((fault: { code: string }) => fault.code))]
    }
    const change = (sql: string) =>
      server.pool.query(`SET search_path TO ${schema}; ${sql}; RESET search_path`)
    await change(`UPDATE serve_message SET json = replace(json, 'Postgres', 'MongoDB') WHERE seq = 0`)
    expect(await codes()).toEqual([1, 'store-mismatch'])
    await change('DELETE FROM serve_message WHERE seq = 3')
    expect(await codes()).toEqual([1, 'wrong-count'])
  })
})
