import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Folders for one case. They are gone at the latest when the process ends, even if the case never does. */
export interface TemporaryFolders {
  /** A new, empty folder. */
  create(): string
  remove(): void
}

export function createTemporaryFolders(): TemporaryFolders {
  const folders: string[] = []
  const remove = (): void => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
    process.off('exit', remove)
  }
  return {
    create() {
      if (folders.length === 0) process.once('exit', remove)
      const folder = mkdtempSync(join(tmpdir(), 'palimpsest-contract-'))
      folders.push(folder)
      return folder
    },
    remove,
  }
}
