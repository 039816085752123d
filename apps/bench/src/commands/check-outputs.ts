import { accessSync, constants, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { UsageError } from './usage-error.ts'

/** Checks before hours of work that the files, named by their option, can be written. @throws UsageError */
export function checkOutputs(files: Readonly<Record<string, string | undefined>>): void {
  const seen = new Map<string, string>()
  for (const [option, file] of Object.entries(files)) {
    if (file === undefined) continue
    const path = resolve(file)
    const other = seen.get(path)
    if (other !== undefined) throw new UsageError(`${option} names the same file as ${other}`)
    seen.set(path, option)
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
      throw new UsageError(`${option}: ${file} is a folder; name a file`)
    const folder = dirname(path)
    try {
      accessSync(folder, constants.W_OK)
    } catch {
      throw new UsageError(
        `${option}: ${file} cannot be written: the folder ${folder} is missing or read-only`,
      )
    }
  }
}
