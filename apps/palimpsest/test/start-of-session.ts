import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Writes the first 200 messages of the bundled session to a file: in 16,000 tokens they are compacted again and again. */
export async function startOfSession(folder: string): Promise<string> {
  const whole = await readFile(new URL('../sessions/ledger.jsonl', import.meta.url), 'utf8')
  const path = join(folder, 'ledger.jsonl')
  await writeFile(path, whole.split('\n').slice(0, 200).join('\n'))
  return path
}
