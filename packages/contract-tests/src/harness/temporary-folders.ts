import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Folders for one case. They are gone at the latest when the process ends, even if the case never does. */
export interface TemporaryFolders {
  /** A new, empty folder. */
  create(): string
  remove(): void
}

export function createTemporaryFolders(): TemporaryFolders {
  let parent: string | undefined
  let count = 0
  const remove = (): void => {
    if (parent !== undefined) rmSync(parent, { recursive: true, force: true })
    parent = undefined
    process.off('exit', remove)
  }
  return {
    create() {
      if (parent === undefined) {
        parent = mkdtempSync(join(tmpdir(), 'palimpsest-contract-'))
        process.once('exit', remove)
      }
      const folder = join(parent, String(++count))
      mkdirSync(folder)
      return folder
    },
    remove,
  }
}
