import { writeFile } from 'node:fs/promises'

/** Writes figures to the file that was asked for, if one was. */
export async function writeJson(file: string | undefined, figures: object): Promise<void> {
  if (file !== undefined) await writeFile(file, `${JSON.stringify(figures, null, 2)}\n`)
}
