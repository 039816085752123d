import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder and those above it that are missing, one by one from the first that is there: Node's own recursive way never
 * ends where the file system takes no folders, as below `/proc`. Throws what the file system says.
 *
 * @param mode of new folders. Default: all that the process may give.
 */
export function makeFolder(path: string, mode = 0o777): void {
  const missing: string[] = []
  for (let folder = resolve(path); !isFolder(folder) && dirname(folder) !== folder; folder = dirname(folder))
    missing.unshift(folder)
  for (const folder of missing) {
    try {
      mkdirSync(folder, { mode })
    } catch (cause) {
      // Another process may have made it meanwhile.
      if (isFolder(folder)) continue
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
      throw new Error(`${dirname(folder)} takes no folders`, { cause })
    }
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
