import { rename, rm, writeFile } from 'node:fs/promises'

/** Writes one JSON line a value. The file appears whole or not at all. */
export async function writeLines(path: string, values: readonly unknown[]): Promise<void> {
  const unfinished = `${path}.${process.pid}.tmp`
  try {
    await writeFile(unfinished, values.map((value) => `${JSON.stringify(value)}\n`).join(''))
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}
