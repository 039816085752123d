import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

/** ripgrep as it is installed here. */
export interface Ripgrep {
  readonly path: string
  /** The first line of what `rg --version` says. */
  readonly version: string
  /** How many lines of a file match a pattern, upper and lower case alike. Starts a process. */
  countLines(pattern: string, file: string): Promise<number>
}

const run = promisify(execFile)
const NAME = process.platform === 'win32' ? 'rg.exe' : 'rg'

/** Looks for ripgrep in the folders of a search path, which is that of the process by default. Undefined when it is in none. */
export async function findRipgrep(searchPath = process.env.PATH ?? ''): Promise<Ripgrep | undefined> {
  for (const folder of searchPath.split(delimiter).filter((part) => part !== '')) {
    const path = join(folder, NAME)
    if (!(await isExecutable(path))) continue
    const { stdout } = await run(path, ['--version'])
    const version = stdout.split('\n')[0] ?? ''
    return { path, version, countLines: (pattern, file) => countLines(path, pattern, file) }
  }
  return undefined
}

async function countLines(path: string, pattern: string, file: string): Promise<number> {
  const flags = ['--no-config', '--count', '--ignore-case', '--regexp', pattern, '--', file]
  try {
    const { stdout } = await run(path, flags)
    return Number(stdout)
  } catch (error) {
    // This is how it says that nothing matches; 2 is an error.
    if (error instanceof Error && 'code' in error && error.code === 1) return 0
    throw error
  }
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
