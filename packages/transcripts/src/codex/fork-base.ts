import { glob } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { looseOf } from '@palimpsest/core'
import { parseJson } from '../json.ts'
import { readLines } from '../read-lines.ts'
import {
  createReadingLog,
  type ReadingLog,
  type RecordedItem,
  type RecordedSession,
} from '../recorded-item.ts'
import { TranscriptError } from '../transcript.ts'
import { createCodexReader } from './codex-reader.ts'

const MOST_BASES = 50

/**
 * The items that a forked rollout inherits, because its own file has only later ones. All are attributed to the first
 * line, which names the base. A missing base is a malformed first line.
 */
export async function readForkBase(
  path: string,
  fork: RecordedSession['base'],
  options: { readonly maxLineBytes: number; readonly signal?: AbortSignal | undefined },
  log: ReadingLog,
): Promise<RecordedItem[]> {
  let items: RecordedItem[] = []
  let base = fork
  for (let depth = 0; base !== undefined && depth < MOST_BASES; depth++) {
    const { id, endOrdinal } = base
    base = undefined
    const file = /^[\w-]+$/.test(id) ? await findRollout(path, id) : undefined
    if (file === undefined) {
      log.reject(1, `what came before the fork is in the rollout ${id}, which is missing`)
      break
    }
    const own = createReadingLog()
    const reader = createCodexReader(own)
    try {
      await readLines(file, options, (text, line) => {
        if (text.trim() === '') return
        const value = parseJson(text)
        if (value === undefined) own.reject(line, 'not valid JSON')
        else if (Number(looseOf(value).ordinal ?? line - 1) < endOrdinal) reader.read(value, line)
      })
    } catch (error) {
      if (!TranscriptError.isInstance(error)) throw error
      own.reject(error.line ?? 1, error.message)
    }
    const read = reader.finish()
    items = [...read.items.map((item) => ({ ...item, line: 1 })), ...items]
    for (const { line, reason } of own.malformed) log.reject(1, `${basename(file)}, line ${line}: ${reason}`)
    base = read.base
  }
  return items
}

async function findRollout(path: string, id: string): Promise<string | undefined> {
  const names = `rollout-*${id}.jsonl*`
  let folder = dirname(path)
  while (!/^(?:archived_)?sessions$/.test(basename(folder)) && dirname(folder) !== folder)
    folder = dirname(folder)
  const isHome = dirname(folder) !== folder
  const cwd = isHome ? dirname(folder) : dirname(path)
  const patterns = isHome ? [`sessions/**/${names}`, `archived_sessions/**/${names}`] : [names]
  for await (const found of glob(patterns, { cwd })) return join(cwd, found)
  return undefined
}
