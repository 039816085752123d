import { accessSync, constants, statSync } from 'node:fs'
import { posix, win32 } from 'node:path'

interface ProgramSearch {
  readonly platform?: NodeJS.Platform
  /** Selects the folders of the PATH that count. Default: all. */
  readonly counts?: (folder: string) => boolean
}

/** True if a folder of the PATH has a program of that name, on Windows with an ending of PATHEXT. */
export function hasProgram(
  name: string,
  { PATH = '', PATHEXT = '.com;.exe;.bat;.cmd' }: NodeJS.ProcessEnv,
  { platform = process.platform, counts = () => true }: ProgramSearch = {},
): boolean {
  const isWindows = platform === 'win32'
  const { delimiter } = isWindows ? win32 : posix
  const files = isWindows ? PATHEXT.split(';').map((ending) => name + ending.toLowerCase()) : [name]
  const folders = PATH.split(delimiter).filter((folder) => folder !== '' && counts(folder))
  return folders.some((folder) => files.some((file) => isProgram(`${folder}/${file}`)))
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
