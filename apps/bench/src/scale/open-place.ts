import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, globSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createPostgresPool } from '@palimpsest/postgres'
import { Client, escapeIdentifier } from 'pg'
import { UsageError } from '../commands/usage-error.ts'

/** A server by its address, or one that is started in `folder` for as long as this takes. @throws UsageError without either. */
export async function openPlace(url: string | undefined, folder: string) {
  const own = url === undefined ? await startOwn(folder) : undefined
  const address = url ?? own?.url ?? ''
  const pool = createPostgresPool({ url: address, poolSize: 1 })
  const schemas: string[] = []
  return {
    url: address,
    schema(name: string): string {
      const schema = `palimpsest_bench_${process.pid}_${name}`
      schemas.push(schema)
      return schema
    },
    async close(): Promise<void> {
      try {
        if (own === undefined)
          for (const schema of schemas)
            await pool.query(`DROP SCHEMA IF EXISTS ${escapeIdentifier(schema)} CASCADE`)
      } finally {
        await pool.end()
        await own?.stop()
      }
    },
  }
}

async function startOwn(folder: string) {
  const programs = findPrograms()
  if (programs === undefined)
    throw new UsageError(
      'there is no PostgreSQL server on this machine; name one with --url postgres://…, or set PALIMPSEST_TEST_POSTGRES_URL',
    )
  return startServer(programs, folder)
}

/** Changes to the defaults: the memory of a small server of its own, and room between two checkpoints. */
const SETTINGS = { listen_addresses: '', shared_buffers: '1GB', max_wal_size: '4GB', max_connections: '60' }

/** A server refuses to run as root. */
const SERVER_USER = 'postgres'

/** The folder of the newest server's programs on this machine; undefined when there is none. */
export function findPrograms(): string | undefined {
  return globSync('/usr/{lib,local}/{postgresql,pgsql}*/{*/,}bin')
    .toSorted((left, right) => right.localeCompare(left, 'en', { numeric: true }))
    .find((folder) => existsSync(join(folder, 'initdb')))
}

/** Makes a cluster in a folder and starts it: durable as a server is by default. */
async function startServer(programs: string, folder: string) {
  const user = process.getuid?.() === 0 ? userOf(SERVER_USER) : undefined
  if (user !== undefined) {
    chownSync(folder, user.uid, user.gid)
    chmodSync(folder, 0o755)
  }
  const data = join(folder, 'data')
  const place = { cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' }, ...user }
  execFileSync(join(programs, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8'], {
    ...place,
    stdio: 'pipe',
  })
  const settings = Object.entries({ ...SETTINGS, unix_socket_directories: folder })
  const flags = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = openSync(join(folder, 'server.log'), 'a')
  const command = ['-c', SUPERVISED, join(programs, 'postgres'), '-D', data, ...flags]
  const server = spawn('sh', command, { ...place, stdio: ['pipe', log, log] })
  const ended = new Promise((resolve) => server.once('exit', resolve))
  const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`
  await connectable(url)
  return {
    url,
    async stop(): Promise<void> {
      server.stdin?.end()
      await ended
    },
  }
}

/** Ends the server when the other end of its input is closed: also when the bench was stopped. */
const SUPERVISED = `"$0" "$@" & server=$!; read -r _; kill -QUIT "$server"; wait "$server"; exit 0`

function userOf(name: string): { uid: number; gid: number } {
  const entries = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const entry = entries.find(([known]) => known === name)
  if (entry === undefined) throw new Error(`there is no user ${name} to run a server as`)
  return { uid: Number(entry[2]), gid: Number(entry[3]) }
}

async function connectable(url: string): Promise<void> {
  for (const end = performance.now() + 30_000; ; await wait(50)) {
    const client = new Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      return
    } catch (error) {
      if (performance.now() >= end) throw error
    } finally {
      await client.end().catch(() => {})
    }
  }
}
