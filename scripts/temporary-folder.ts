import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** With the process that made it, which may be killed before it removes it. */
const NAME = 'palimpsest-tests-'
/** Bytes that the files of a whole run may take: installed packages, mostly. */
const NEEDED = 6 * 1024 ** 3

/**
 * The folder for temporary files of a test run, which is removed when this process ends. It lies in memory where there is
 * room: half of the time of tests with stores was waiting for the disk.
 */
export function temporaryFolder(): string {
  const folder = inMemory() ?? mkdtempSync(join(tmpdir(), NAME))
  // A server of the tests runs as a user of its own.
  chmodSync(folder, 0o711)
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  })
  return folder
}

/** Undefined on a machine without such a place, with a small one, and where no program may be started from it. */
function inMemory(): string | undefined {
  let folder: string | undefined
  try {
    removeLeft()
    const { bavail, bsize } = statfsSync(MEMORY)
    if (Math.min(bavail * bsize, process.availableMemory()) < NEEDED) return undefined
    folder = mkdtempSync(join(MEMORY, `${NAME}${process.pid}-`))
    const program = join(folder, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    execFileSync(program)
    return folder
  } catch {
    if (folder !== undefined) rmSync(folder, { recursive: true })
    return undefined
  }
}

/** Runs that were killed would fill the memory. */
function removeLeft(): void {
  for (const name of readdirSync(MEMORY).filter((entry) => entry.startsWith(NAME))) {
    try {
      process.kill(Number.parseInt(name.slice(NAME.length), 10), 0)
    } catch (error) {
      // Another code: it runs, and belongs to another user.
      const isOver = (error as NodeJS.ErrnoException).code === 'ESRCH'
      if (isOver) rmSync(join(MEMORY, name), { recursive: true, force: true })
    }
  }
}
