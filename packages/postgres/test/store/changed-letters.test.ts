import type { Summary } from '@palimpsest/core'
import { expect, it } from 'vitest'
import { createPostgresStore } from '../../src/index.ts'
import { describeWithPostgres } from '../support/postgres-server.ts'

const MESSAGES = 120
const summaryOf = (number: number): Summary => ({
  ...{ number, first: 3 * number - 3, last: 3 * number - 1, depth: 0, messages: 3, children: [] },
  ...{
    text: `the harbour of part ${number}`,
    tokens: 1,
    sourceTokens: 1,
    writer: 'model',
    at: 1,
    from: 1,
    to: 1,
  },
})

describeWithPostgres('letters that were changed in a database', (server) => {
  it('are read nowhere, and each row is named', async () => {
    const schema = server.schema()
    const options = { url: server.url, schema }
    const store = createPostgresStore(options)
    const session = await store.session({ key: 'a' }, 1)
    const message = (number: number) => ({ role: 'user', content: `the harbour of ${number}` }) as const
    await session.append({
      ...{ nextSeq: 0, at: 1, jobs: [{ id: 'j', kind: 'read', body: 'the harbour' }] },
      messages: Array.from({ length: MESSAGES }, (_, number) => ({ message: message(number), tokens: 1 })),
    })
    const create = Array.from({ length: 40 }, (_, index) => summaryOf(index + 1))
    const summaries = create.map(({ number }) => number)
    await session.commit({ version: 0, create, summaries, reason: 'compaction', at: 1 })
    const events = Array.from({ length: 40 }, (_, id) => ({ id: `e${id}`, body: `the harbour of ${id}` }))
    await session.record({ scope: 's', events })
    await session.saveState('last', 'the harbour')
    let changed = 0
    for (const table of ['message', 'summary', 'event', 'state', 'job']) {
      const statement = `UPDATE ${schema}.${table} SET body = replace(body, 'harbour', 'harQour')`
      changed += (await server.pool.query(statement)).rowCount ?? 0
    }
    await store.close()

    const again = createPostgresStore(options)
    const read = await again.find({ key: 'a' })
    const everything = { where: [], limit: 500 }
    const given = JSON.stringify([
      ...[await read?.messages(), await read?.summaries(summaries), await read?.events({ scopes: ['s'] })],
      ...[await read?.candidates('messages', everything), await read?.candidates('summaries', everything)],
      ...[await read?.state('last'), await read?.jobs(), await read?.frontier()],
    ])
    let exported = ''
    for await (const line of again.export()) exported += line
    expect(given + exported).not.toMatch(/har.our/)
    expect([changed, read?.damaged().length, again.damaged().length]).toEqual([202, 202, 242])
    expect((await again.verify()).filter(({ code }) => code === 'changed-row').length).toBeGreaterThanOrEqual(
      202,
    )
    await again.close()
  })
})
