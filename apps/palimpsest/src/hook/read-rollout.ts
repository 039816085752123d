import { lstat } from 'node:fs/promises'
import { type Message, messageText } from '@palimpsest/core'
import { isRecordedUser, readTranscript } from '@palimpsest/transcripts'
import { isOwnUser } from '../home-folder.ts'
import { FROM_THE_HOST } from '../sessions/session-start.ts'

export interface Compacted {
  readonly messages: readonly Message[]
  readonly summary: string
  readonly isAdded: boolean
}

const NEWEST = 1_000

/**
 * Reads what Codex's last compaction removed.
 *
 * @param options `isResumed`: only messages before the last compaction count; otherwise it may not be written yet.
 * `mark`: the first words of the hook's own text.
 * @returns Undefined if nothing was compacted.
 */
export async function readRollout(
  path: string,
  { isResumed, mark }: { readonly isResumed: boolean; readonly mark: string },
): Promise<Compacted | undefined> {
  const facts = await lstat(path)
  if (!facts.isFile()) throw new Error('it is not a file')
  if (!isOwnUser(facts)) throw new Error("it is another user's file")
  const { entries, nativeCompactions } = await readTranscript(path)
  const last = nativeCompactions.at(-1)
  if (isResumed && last === undefined) return undefined
  const messages = entries.map(({ message }) => message)
  const isKnown = last !== undefined && (isResumed || last.beforeEntry === messages.length)
  const read = isKnown ? messages.slice(0, last.beforeEntry) : messages
  const said = read.filter(
    (message) =>
      message.role === 'assistant' || (isRecordedUser(message) && !FROM_THE_HOST.test(messageText(message))),
  )
  const later = messages.slice(last?.beforeEntry)
  return {
    messages: said.length > NEWEST ? [...said.slice(0, 1), ...said.slice(-NEWEST)] : said,
    summary: isKnown ? (last.summary ?? '') : '',
    isAdded: isKnown && later.some((message) => messageText(message).includes(mark)),
  }
}
