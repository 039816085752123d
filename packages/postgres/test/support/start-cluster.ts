import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { serverUser } from './server-user.ts'

/** A server of tests' own. Everybody on this machine may be any of its users, without a password. */
export interface Cluster {
  /** The folder of its socket. */
  readonly folder: string
  readonly url: string
  /** Kills it at once, as a power failure would. */
  kill(): Promise<void>
  /** Ends it as its administrator would: every connection is told, and what is unfinished is undone. */
  stop(): Promise<void>
  /** Starts it again. */
  start(): Promise<void>
  /** Ends it and removes its files. */
  remove(): Promise<void>
}

/** Settings that only a test may have: nothing is safe from a power failure of the machine. */
const SETTINGS = {
  listen_addresses: '',
  port: '5432',
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '64MB',
  max_connections: '200',
  autovacuum: 'off',
  deadlock_timeout: '100ms',
}

/** Makes a cluster and starts it. `bin`: the folder of the server's programs. */
export async function startCluster(bin: string): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-pg-'))
  const data = join(folder, 'data')
  const user = serverUser()
  if (user !== undefined) {
    chownSync(folder, user.uid, user.gid)
    chmodSync(folder, 0o755)
  }
  // Nothing of what the environment says to other servers and clients.
  const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' }
  const place = { cwd: folder, env, ...user }
  const cluster = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8']
  execFileSync(join(bin, 'initdb'), [...cluster, '--no-sync', '--no-instructions'], {
    ...place,
    stdio: 'pipe',
  })
  const rules = join(data, 'pg_hba.conf')
  // For the test of a wrong password.
  writeFileSync(rules, `local all locked scram-sha-256\n${readFileSync(rules, 'utf8')}`)

  const url = `postgres://postgres@localhost:${SETTINGS.port}/postgres?host=${encodeURIComponent(folder)}`
  const settings = Object.entries({ ...SETTINGS, unix_socket_directories: folder })
  const flags = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const program = [join(bin, 'postgres'), '-D', data, ...flags]
  const log = join(folder, 'server.log')
  let server: ChildProcess | undefined
  const start = async (): Promise<void> => {
    const output = openSync(log, 'a')
    server = spawn('sh', ['-c', SUPERVISED, ...program], { ...place, stdio: ['pipe', output, output] })
    await connectable(url).catch((error: unknown) => {
      throw new Error(`the server does not start:\n${readFileSync(log, 'utf8')}`, { cause: error })
    })
  }
  const end = async (signal: string): Promise<void> => {
    const ended = server && new Promise((resolve) => server?.once('exit', resolve))
    server?.stdin?.end(signal)
    await ended
    server = undefined
  }
  await start()
  return {
    ...{ folder, url, start },
    kill: () => end('QUIT'),
    stop: () => end('INT'),
    async remove() {
      await end('QUIT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Ends the server with the signal that it is told, and at once when nobody is there any more to hold the other end: also
 * when a test's process was killed.
 */
const SUPERVISED = `"$0" "$@" & server=$!; read -r signal; kill -s "\${signal:-QUIT}" "$server"; wait "$server"; exit 0`

async function connectable(url: string): Promise<void> {
  for (const end = performance.now() + 30_000; ; await wait(20)) {
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
