import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** A folder for files that nobody needs afterwards. */
export interface ScratchFolder {
  readonly path: string
  /** Deletes it with everything in it. */
  remove(): void
}

/** Who stops a measurement does not want its gigabytes: they go with the process too. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Makes a folder in another one. */
export function createScratchFolder(parent: string): ScratchFolder {
  const path = mkdtempSync(join(parent, 'palimpsest-bench-'))
  const remove = () => rmSync(path, { recursive: true, force: true })
  const stop = () => {
    remove()
    process.exit(1)
  }
  for (const signal of SIGNALS) process.once(signal, stop)
  return {
    path,
    remove() {
      for (const signal of SIGNALS) process.off(signal, stop)
      remove()
    },
  }
}
