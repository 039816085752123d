import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, vi } from 'vitest'
import type { PostgresServer } from '../../../../packages/postgres/test/support/postgres-server.ts'
import { runHere } from '../lcm/run-here.ts'
import type { CliResult } from '../run-cli.ts'

/** Messages without a time get the one of their file. */
const WRITTEN_AT = new Date('2026-01-02T03:04:05Z')
const NOW = new Date('2026-02-03T04:05:06Z')

/** Two folders with the same files: stores are files in one of them, and in a database for the other. */
export interface TwoStores {
  write(files: Readonly<Record<string, string>>): Promise<void>
  /** Writes a store, which both have then. */
  fill(write: (path: string) => Promise<void>): Promise<void>
  /** The same command in both, which must print the same but for where the store is. What the one on the database says. */
  both(...args: string[]): Promise<CliResult>
  /** What both have in a file. */
  bothRead(name: string): Promise<string>
  close(): Promise<void>
}

/** The clock stands still meanwhile. */
export async function twoStores({ url, schema }: PostgresServer): Promise<TwoStores> {
  const root = await mkdtemp(join(tmpdir(), 'palimpsest-two-'))
  const folders = { file: join(root, 'file'), postgres: join(root, 'postgres') }
  const configurations = {
    file: 'store:\n  url: sessions.db\n',
    postgres: `store:\n  url: ${url}\n  schema: ${schema()}\n`,
  }
  const each = async <T>(
    use: (folder: string, kind: keyof typeof folders) => Promise<T>,
  ): Promise<[T, T]> => [await use(folders.file, 'file'), await use(folders.postgres, 'postgres')]
  const write: TwoStores['write'] = async (files) => {
    await each(async (folder) => {
      for (const [name, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, name)), { recursive: true })
        await writeFile(join(folder, name), text)
        await utimes(join(folder, name), WRITTEN_AT, WRITTEN_AT)
      }
    })
  }
  await each(async (folder, kind) => {
    await mkdir(folder)
    await writeFile(join(folder, 'config.yaml'), configurations[kind])
  })
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })

  return {
    write,
    async fill(fillFile) {
      await fillFile(join(folders.file, 'sessions.db'))
      const { stdout } = await runHere(['store', 'export'], folders.file)
      await writeFile(join(folders.postgres, 'export.jsonl'), stdout)
      expect((await runHere(['store', 'import', 'export.jsonl'], folders.postgres)).code).toBe(0)
    },
    async both(...args) {
      const [onFile, onPostgres] = await each((folder) => runHere(args, folder))
      expect(comparable(onPostgres, folders.postgres)).toEqual(comparable(onFile, folders.file))
      return onPostgres
    },
    async bothRead(name) {
      const [onFile, onPostgres] = await each((folder) => readFile(join(folder, name), 'utf8'))
      expect(onPostgres).toBe(onFile)
      return onPostgres
    },
    async close() {
      vi.useRealTimers()
      await rm(root, { recursive: true })
    },
  }
}

/** Without what tells where a store is, of which kind and how large. */
function comparable({ code, stdout, stderr }: CliResult, folder: string): CliResult {
  const plain = (text: string) =>
    text
      .replaceAll(folder, 'FOLDER')
      .replaceAll(/FOLDER\/sessions\.db|postgres:\/\/\S+( \(schema \w+\))?/g, 'STORE')
      .replaceAll(/\((sqlite|postgres)\)/g, '(KIND)')
      .replaceAll(/^(on disk).*/gm, '$1')
  return { code, stdout: plain(stdout), stderr: plain(stderr) }
}
