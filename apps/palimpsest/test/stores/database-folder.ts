import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { PostgresServer } from '../../../../packages/postgres/test/support/postgres-server.ts'
import { runHere } from '../lcm/run-here.ts'
import { lines, TALK } from '../lcm/store-folder.ts'

/** What the block `store:` of a configuration may have. */
interface StoreBlock {
  readonly url?: string
  readonly schema?: string
  readonly row_security?: boolean
  readonly migrate?: boolean
}

/** A folder with `talk.jsonl`, whose configuration names a database with a schema of its own. It is gone when the test is over. */
export async function databaseFolder(server: PostgresServer, block: StoreBlock = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-database-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const schema = server.schema()
  const path = (name: string) => join(folder, name)
  const write = (name: string, text: string) => writeFile(path(name), text)
  const run = (...args: string[]) => runHere(args, folder)
  const configure = (more: StoreBlock) =>
    write('config.yaml', JSON.stringify({ store: { url: server.url, schema, ...block, ...more } }))
  await configure({})
  await write('talk.jsonl', lines(TALK))
  return {
    ...{ folder, schema, path, write, run, configure },
    /** What a command prints that must succeed. */
    async prints(...args: string[]): Promise<string> {
      const { code, stdout, stderr } = await run(...args)
      expect({ code, stderr, args }).toEqual({ code: 0, stderr: '', args })
      return stdout
    },
    /** A command that must fail: with one clear line without the password, and exit code 2. */
    async refuses(pattern: RegExp, ...args: string[]): Promise<void> {
      const { code, stdout, stderr } = await run(...args)
      expect(stderr).toMatch(pattern)
      expect(stderr.trimEnd().split('\n')).toHaveLength(1)
      expect(stderr).not.toMatch(/this is a bug|s3cret/)
      expect({ code, stdout, args }).toEqual({ code: 2, stdout: '', args })
    },
    /** Names of the tables in the schema. */
    async tables(): Promise<string[]> {
      const { rows } = await server.pool.query(
        'SELECT tablename FROM pg_tables WHERE schemaname = $1 ORDER BY 1',
        [schema],
      )
      return rows.map(({ tablename }) => tablename)
    },
  }
}
