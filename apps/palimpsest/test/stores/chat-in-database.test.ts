import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import {
  describeWithPostgres,
  type PostgresServer,
} from '../../../../packages/postgres/test/support/postgres-server.ts'
import { loadConfiguration } from '../../src/engines/configuration.ts'
import { agentBench, calls, say, scripted, words } from '../chat/agent-bench.ts'
import { databaseFolder } from './database-folder.ts'

/** An engine that keeps what it knows. */
const DECISIONS = { engine: 'decisions' }

/** A bench for chats whose engines keep what they know in a database. */
async function databaseBench(server: PostgresServer) {
  const database = await databaseFolder(server)
  return {
    database,
    bench: await agentBench(),
    input: {
      configuration: await loadConfiguration(undefined, database.folder, {
        PALIMPSEST_HOME: database.folder,
      }),
      flags: DECISIONS,
    },
  }
}

describeWithPostgres('a chat whose stores are in a database', (server) => {
  it('is kept there, and goes on', async () => {
    const { bench, database, input } = await databaseBench(server)
    const first = await bench.open(scripted(words('Noted.')), input)
    await say(first, 'We decided to paint the door green.')
    await first.close()
    expect(await readdir(bench.home)).toEqual(['locks'])
    expect(await database.prints('lcm', 'grep', 'green')).toContain('We decided to paint the door green.')

    const model = scripted(calls(['lcm_grep', { query: 'green' }]), words('Green.'))
    const second = await bench.open(model, { ...input, resume: 'latest' })
    const { events } = await say(second, 'Which colour?')
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'tool-end', ok: true, result: expect.stringContaining('green') }),
    )
    await second.close()
    expect(JSON.parse(await database.prints('lcm', 'sessions', '--json'))).toMatchObject([
      { session: first.id },
    ])
  })
})

describeWithPostgres(
  'a chat whose database goes away',
  (server) => {
    it('goes on with a warning, and brings what was missed when it is back', async () => {
      const { bench, database, input } = await databaseBench(server)
      const chat = await bench.open(scripted(words('One.'), words('Two.'), words('Three.')), input)
      await say(chat, 'The first question.')
      await server.cluster.kill()
      const { end, events } = await say(chat, 'The second question.')
      expect(end).toEqual({ reason: 'answered', text: 'Two.' })
      const message = expect.stringMatching(/the store failed: .* cannot be reached/)
      expect(events).toContainEqual({ type: 'warning', warning: { code: 'store-unavailable', message } })
      await server.cluster.start()
      expect((await say(chat, 'The third question.')).events).toEqual([])
      await chat.close()
      expect(await database.prints('lcm', 'grep', 'question')).toContain('3 hits in 1 session')
      expect(await database.prints('store', 'verify')).toContain('no fault')
    })
  },
  'cluster',
)
