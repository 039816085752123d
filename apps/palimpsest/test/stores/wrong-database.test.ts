import { afterEach, expect, it, vi } from 'vitest'
import { describeWithPostgres } from '../../../../packages/postgres/test/support/postgres-server.ts'
import { databaseFolder } from './database-folder.ts'

/** Commands that only read, or only change what is there. */
const LATER = [
  ...['lcm sessions', 'lcm grep x', 'store verify', 'store verify --repair', 'store export'],
  'decisions list',
  'decisions show d1',
  'decisions export',
]

describeWithPostgres(
  'a database that cannot be used is told in one line without its password',
  (server) => {
    afterEach(() => void vi.unstubAllEnvs())
    const at = (change: (url: URL) => void): string => {
      const url = new URL(server.url)
      change(url)
      return url.href
    }

    it('has no store in it: who does not make one leaves nothing there', async () => {
      const { refuses, tables } = await databaseFolder(server)
      for (const command of LATER)
        await refuses(
          /there is no store in postgres:.* \(schema \w+\).*; palimpsest store import/,
          ...command.split(' '),
        )
      expect(await tables()).toEqual([])
    })

    it('is not reached', async () => {
      const { refuses, run } = await databaseFolder(server)
      const sessions = (url: string) => ['lcm', 'sessions', '--store', url]
      // A server does not tell a wrong name from a wrong password.
      const locked = at((url) => Object.assign(url, { username: 'locked', password: 's3cret' }))
      await refuses(/refused the user or the password/, ...sessions(locked))
      await refuses(
        /there is no database .*nowhere/,
        ...sessions(at((url) => Object.assign(url, { pathname: '/nowhere' }))),
      )
      const dead = 'postgres://ann:s3cret@127.0.0.1:1/talks'
      await refuses(/127\.0\.0\.1:1\/talks .*cannot be reached \(ECONNREFUSED\)/, ...sessions(dead))
      await refuses(/cannot be reached/, 'store', 'import', 'talk.jsonl', '--store', dead)
      await refuses(/cannot be reached/, 'decisions', 'list', '--store', dead)
      await refuses(/cannot be reached/, 'replay', 'talk.jsonl', '--engine', 'lcm', '--store', dead)
      vi.stubEnv('PALIMPSEST_DEBUG', '1')
      const { stderr } = await run(...sessions(locked))
      expect(stderr).toMatch(/\n {4}at /)
      expect(stderr).not.toContain('s3cret')
    })

    it('has a store that the user may not see', async () => {
      const { refuses, prints, configure, schema } = await databaseFolder(server)
      await prints('store', 'import', 'talk.jsonl')
      await server.pool.query(`CREATE ROLE "${schema}_guest" LOGIN`)
      await configure({ url: at((url) => Object.assign(url, { username: `${schema}_guest` })) })
      await refuses(/no store in .* that this user may see/, 'lcm', 'sessions')
    })

    it('keeps the rows of others back: what is about all of them is not answered as of nobody', async () => {
      const { refuses, prints, configure, schema } = await databaseFolder(server, { row_security: true })
      for (const principal of ['ann', 'bob'])
        await prints('store', 'import', 'talk.jsonl', '--principal', principal)
      const role = `${schema}_agents`
      await server.pool.query(`CREATE ROLE "${role}" LOGIN; GRANT USAGE ON SCHEMA "${schema}" TO "${role}";
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "${schema}" TO "${role}"`)
      await configure({ url: at((url) => Object.assign(url, { username: role })), migrate: false })
      for (const command of ['store verify', 'store export'])
        await refuses(/only the owner of the tables sees those of all/, ...command.split(' '))
      await refuses(/the principal "local" has no session$/m, 'lcm', 'context')
      expect(await prints('store', 'export', '--session', 'talk', '--principal', 'bob')).toContain('Pier 7')
      await prints('lcm', 'forget', 'm3', '--principal', 'bob', '--reason', 'private', '--yes')
      await configure({})
      expect(await prints('store', 'verify')).toContain('14 messages in 2 sessions, no fault')
      expect(await prints('lcm', 'grep', 'pier', '--principal', 'ann')).toContain('2 hits')
    })
  },
  'local',
)
