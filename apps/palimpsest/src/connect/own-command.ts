import { accessSync, constants, statSync } from 'node:fs'
import { posix, win32 } from 'node:path'

/**
 * The command that starts this program in any folder and at any time: `palimpsest` where it is installed, else through npx.
 * Folders that npm and npx put into the PATH for one run do not count.
 */
export function ownCommand(
  { PATH = '' }: NodeJS.ProcessEnv,
  platform = process.platform,
): readonly [string, ...string[]] {
  const { delimiter, sep } = platform === 'win32' ? win32 : posix
  const program = platform === 'win32' ? 'palimpsest.cmd' : 'palimpsest'
  const passing = `${sep}node_modules${sep}.bin`
  const folders = PATH.split(delimiter).filter((folder) => folder !== '' && !folder.includes(passing))
  return folders.some((folder) => isProgram(`${folder}/${program}`))
    ? ['palimpsest']
    : ['npx', '-y', '@palimpsest/cli']
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
