import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'

/** A server of this test's own. */
export interface Cluster {
  /** The folder of its socket. */
  readonly folder: string
  readonly url: string
  /** Kills it at once, as a power failure would. */
  kill(): Promise<void>
  /** Starts it again. */
  start(): Promise<void>
  /** Ends it and removes its files. */
  remove(): Promise<void>
}

/** The server's user, when tests run as root, which a server refuses to. */
const SERVER_USER = 'postgres'

/** Settings that only a test may have: nothing is safe from a power failure. */
const SETTINGS = {
  listen_addresses: '',
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '64MB',
  max_connections: '60',
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
}

/** Makes a cluster and starts it. `bin`: the folder of the server's programs. */
export async function startCluster(bin: string): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-pg-'))
  const data = join(folder, 'data')
  const isRoot = process.getuid?.() === 0
  if (isRoot) {
    const user = userOf(SERVER_USER)
    chownSync(folder, user.uid, user.gid)
    chmodSync(folder, 0o755)
  }
  const as = isRoot ? ['runuser', '-u', SERVER_USER, '--'] : []
  const run = (...command: string[]) => {
    const [program = '', ...args] = [...as, ...command]
    execFileSync(program, args, { cwd: folder, stdio: 'pipe', env: { ...process.env, LC_ALL: 'C.UTF-8' } })
  }
  run(
    join(bin, 'initdb'),
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--no-sync',
    '--no-instructions',
  )
  const rules = join(data, 'pg_hba.conf')
  // For the test of a wrong password.
  writeFileSync(rules, `local all locked scram-sha-256\n${readFileSync(rules, 'utf8')}`)

  const url = `postgres://postgres@localhost/postgres?host=${encodeURIComponent(folder)}`
  let server: ChildProcess | undefined
  const start = async (): Promise<void> => {
    const settings = Object.entries({ ...SETTINGS, unix_socket_directories: folder })
    const flags = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const [program = '', ...args] = [
      ...as,
      'sh',
      '-c',
      SUPERVISED,
      join(bin, 'postgres'),
      '-D',
      data,
      ...flags,
    ]
    server = spawn(program, args, { cwd: folder, stdio: ['pipe', 'ignore', 'ignore'] })
    await connectable(url)
  }
  const kill = async (): Promise<void> => {
    const ended = server && new Promise((resolve) => server?.once('exit', resolve))
    server?.stdin?.end()
    await ended
    server = undefined
  }
  await start()
  return {
    ...{ folder, url, start, kill },
    async remove() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Ends the server when nobody is there any more to hold the other end: also when a test's process was killed. */
const SUPERVISED = `"$0" "$@" & server=$!; read -r _; kill -QUIT "$server"; wait "$server"; exit 0`

function userOf(name: string): { uid: number; gid: number } {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`))
  if (line === undefined) throw new Error(`there is no user ${name} to run a server as`)
  const [, , uid, gid] = line.split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

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
