import { readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { errorText, messageText } from '@palimpsest/core'
import type { ReadingLog } from '../recorded-item.ts'
import type { TranscriptEntry } from '../transcript.ts'

const SAVED =
  /^<persisted-output>\s*(?:Output too large[^\n]*saved to|Tool result saved to): ([^\n]+?\.(?:txt|json))\s*\n/
const MOST_BYTES = 64 * 1024 * 1024

/**
 * Replaces placeholders by the full tool results that Claude Code saved beside its session. Only files in the session's
 * own folder `tool-results` are read, whatever path a result names. An unreadable one counts as a malformed line.
 */
export async function withSavedResults(
  path: string,
  entries: readonly TranscriptEntry[],
  log: ReadingLog,
): Promise<TranscriptEntry[]> {
  const folder = join(path.replace(/\.jsonl$/, ''), 'tool-results')
  const read = async (entry: TranscriptEntry): Promise<TranscriptEntry> => {
    const { message, line } = entry
    if (message.role !== 'tool') return entry
    const [, saved] = SAVED.exec(messageText(message)) ?? []
    if (saved === undefined) return entry
    const file = join(folder, basename(saved.replaceAll('\\', '/')))
    try {
      const { size } = await stat(file)
      if (size > MOST_BYTES) throw new Error(`it is larger than ${MOST_BYTES} bytes`)
      return { ...entry, message: { ...message, content: await readFile(file, 'utf8') } }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      log.reject(
        line,
        `its result, saved as tool-results/${basename(file)}, is not read (${code ?? errorText(error)})`,
      )
      return entry
    }
  }
  const result: TranscriptEntry[] = []
  for (const entry of entries) result.push(await read(entry))
  return result
}
