import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ReadTranscriptOptions, readTranscript, type Transcript } from '../../src/index.ts'

export function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url))
}

/** Gives `use` a file of this content in a directory that is gone afterwards. */
export async function withFile<T>(
  content: string | Uint8Array,
  use: (path: string) => Promise<T>,
  name = 'session.jsonl',
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'palimpsest-transcripts-'))
  try {
    const path = join(directory, name)
    await writeFile(path, content)
    return await use(path)
  } finally {
    await rm(directory, { recursive: true })
  }
}

/** Strings are lines as they are; everything else is written as JSON. */
export function toLines(records: readonly unknown[]): string {
  return records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record))).join('\n')
}

export function readRecords(
  records: readonly unknown[],
  options?: ReadTranscriptOptions,
): Promise<Transcript> {
  return withFile(toLines(records), (path) => readTranscript(path, options))
}

/** A short form of a conversation: what was said by whom, calls and what they were answered with. */
export function outline({ entries }: Transcript): string[] {
  return entries.map(({ message }) => {
    const text = typeof message.content === 'string' ? message.content : JSON.stringify(message.content)
    if (message.role === 'tool') return `tool ${message.tool_call_id}: ${text}`
    const calls = message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : []
    return `${message.role}: ${[text, ...calls].filter((part) => part !== 'null').join(' ')}`
  })
}

export function skipped({ skipped }: Transcript): Record<string, number> {
  return Object.fromEntries(skipped.map(({ reason, count }) => [reason, count]))
}
