import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSqliteStore } from '@palimpsest/store'
import type { UIMessage } from 'ai'

/** Everything that the application stores: a file for each chat, and what the engine knows of all of them. */
const FOLDER = join(process.cwd(), 'data')

/** A chat as the page shows it: every message, whole. Empty for a new one. */
export async function loadChat(id: string): Promise<UIMessage[]> {
  const text = await readFile(fileOf(id), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]'
    throw error
  })
  return JSON.parse(text)
}

/** Writes another file and renames it: a crash in between leaves the chat as it was. */
export async function saveChat(id: string, messages: readonly UIMessage[]): Promise<void> {
  const file = fileOf(id)
  await mkdir(FOLDER, { recursive: true })
  await writeFile(`${file}.new`, JSON.stringify(messages))
  await rename(`${file}.new`, file)
}

/** Where the engine keeps its summaries and what they cover. */
export const contextStore = createSqliteStore({ path: join(FOLDER, 'context.db') })

/** An id comes from the browser, and becomes the name of a file. */
function fileOf(id: string): string {
  if (!/^[\w-]{1,64}$/.test(id)) throw new Error('an id has 1 to 64 letters, digits, "-" and "_"')
  return join(FOLDER, `${id}.json`)
}
