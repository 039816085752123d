import { execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of the server's programs on this machine, the newest version's; undefined when there is none. */
export function findServer(): string | undefined {
  const folders = [ofPgConfig(), ...globSync('/usr/lib/postgresql/*/bin').sort(byVersion)]
  return folders.find((folder) => folder !== undefined && existsSync(join(folder, 'initdb')))
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
