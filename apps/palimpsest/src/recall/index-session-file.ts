import {
  looseOf,
  type Message,
  roughTokenCounter,
  type Store,
  type StoredSession,
  type ToolCall,
  toolCallsOf,
} from '@palimpsest/core'
import {
  readTranscript,
  type Transcript,
  type TranscriptEntry,
  TranscriptError,
} from '@palimpsest/transcripts'
import { earliestTime } from '../stores/recording-time.ts'
import { liveMessages, storeRecording } from '../stores/store-recording.ts'
import type { IndexedFile } from './index-file.ts'
import { recallable } from './redacting-store.ts'
import { isHalfWritten, sessionSource } from './session-source.ts'

/** Messages at the end that are read again, because later lines may still change them. */
const OPEN_MESSAGES = 3
const UNREAD = new Set<string>(['TRANSCRIPT_UNREADABLE', 'TRANSCRIPT_NOT_FOUND'])
const WRITING_TIME = 60_000
const OWN_TOOL = /(?:^|_)lcm_(?:grep|describe|expand)$/

/**
 * Updates a session from its file, with secrets redacted. Only appended lines are read; a rewritten file is read
 * completely, and removed messages are deleted from the store. It can be interrupted and continued.
 *
 * @param isOver Asked between batches if the rest should wait.
 */
export async function indexSessionFile(
  file: IndexedFile,
  store: Store,
  { isOver, branches }: { readonly isOver: () => boolean; readonly branches: 'last' | 'all' },
): Promise<IndexedFile> {
  const source = sessionSource(file)
  const facts = await source.facts()
  const begins = { resumeAt: 0, resumeSeq: 0 }
  let isGrown = file.resumeAt > 0 && file.mark === (await source.markOf(file.resumeAt))
  let from = isGrown ? { resumeAt: file.resumeAt, resumeSeq: file.resumeSeq } : begins
  let recording = await readFrom(file.path, from.resumeAt, branches)
  // An agent that compacts may write old lines again, so only the whole file shows which are new.
  if (isGrown && goesBack(recording.entries)) {
    isGrown = false
    from = begins
    recording = await readFrom(file.path, 0, branches)
  }
  const { entries, waitingSince = Number.POSITIVE_INFINITY } = recording
  const began = earliestTime(recording) ?? Math.floor(facts.modifiedAt)
  const session = await store.session({ key: file.key }, began)
  const stored = await storeRecording({
    ...{ session, entries, tokens: roughTokenCounter, at: began, isOver },
    ...{ from: from.resumeSeq, replacesAll: true },
  })
  if (isOver() && stored.known < entries.length) return file
  const seqs: number[] = []
  for await (const { seq } of liveMessages(session, from.resumeSeq)) seqs.push(seq)
  // The file was truncated, so later messages are gone.
  const lost = seqs[entries.length]
  if (lost !== undefined) {
    const { nextSeq } = await session.head()
    await session.append({ nextSeq, messages: [], at: Date.now(), replaceFrom: lost })
  }
  if (stored.replaced > 0 || stored.further > 0) await forgetReplaced(session, from.resumeSeq)
  const unread = (await unreadOf(file.path, recording, facts.modifiedAt)) || (isGrown ? file.unread : '')
  const whole = { ...file, ...from, ...facts, unread }
  const parting = partingLines(entries)
  const at = entries.findLastIndex(
    ({ message: { role }, line }, index) =>
      index <= entries.length - OPEN_MESSAGES &&
      role !== 'tool' &&
      line <= waitingSince &&
      parting.has(index),
  )
  const [entry, seq] = [entries[at], seqs[at]]
  if (entry === undefined || seq === undefined) return isGrown ? whole : { ...whole, mark: '' }
  const resumeAt = await source.placeOf(entry.line, from.resumeAt)
  return { ...whole, resumeAt, resumeSeq: seq, mark: await source.markOf(resumeAt) }
}

/** Places at which line order and message order agree: a prompt may be elsewhere in the file. */
function partingLines(entries: readonly TranscriptEntry[]): ReadonlySet<number> {
  const places = new Set<number>()
  let most = 0
  for (const [index, { line }] of entries.entries()) {
    if (line > most) places.add(index)
    most = Math.max(most, line)
  }
  let least = Number.POSITIVE_INFINITY
  for (const [index, { line }] of [...entries.entries()].reverse()) {
    if (least < line) places.delete(index)
    least = Math.min(least, line)
  }
  return places
}

function goesBack(entries: readonly TranscriptEntry[]): boolean {
  const [{ timestamp: first } = {}] = entries
  return first !== undefined && entries.some(({ timestamp }) => timestamp !== undefined && timestamp < first)
}

async function unreadOf(
  path: string,
  { entries, malformed }: Recording,
  modifiedAt: number,
): Promise<string> {
  if (malformed.length === 0) return ''
  const lastLine = entries.reduce((last, { line }) => Math.max(last, line), 0)
  const isWriting = Date.now() - modifiedAt < WRITING_TIME && (await isHalfWritten(path))
  const [first, ...others] = malformed.filter(({ line }) => !(isWriting && line > lastLine))
  if (first === undefined) return ''
  const more = others.length > 0 ? `, and ${others.length} more` : ''
  return first.line === 0 ? first.reason : `line ${first.line}: ${first.reason}${more}`
}

type Recording = Pick<Transcript, 'entries' | 'malformed' | 'startedAt' | 'waitingSince'>

async function readFrom(path: string, from: number, branches: 'last' | 'all'): Promise<Recording> {
  try {
    const { entries, ...transcript } = await readTranscript(path, { from, branches, whole: true })
    // A host repeats its reminders and the prompt; the end of a file does not show which are new.
    const own = entries.filter(
      ({ line, message }) => !isReminder(message) && (from === 0 || (line > 1 && message.role !== 'system')),
    )
    const shown = withoutEchoes(own).map((entry) => ({ ...entry, message: recallable(entry.message) }))
    return { ...transcript, entries: shown }
  } catch (error) {
    // The file may be readable next time.
    if (!TranscriptError.isInstance(error) || UNREAD.has(error.code)) throw error
    // An empty session, or another kind of file.
    const malformed = error.code === 'TRANSCRIPT_EMPTY' ? [] : [{ line: 0, reason: error.message }]
    return { entries: [], malformed }
  }
}

function isReminder({ role, providerData }: Message): boolean {
  const { recordedRole } = looseOf(providerData?.transcript)
  return role === 'user' && (recordedRole === 'system' || recordedRole === 'developer')
}

/** Removes the content of earlier searches, which a search would find again; their calls stay. */
function withoutEchoes(entries: readonly TranscriptEntry[]): TranscriptEntry[] {
  const own = new Set<string>()
  return entries.map((entry) => {
    const { message } = entry
    if (message.role === 'tool' && own.has(message.tool_call_id))
      return { ...entry, message: { ...message, content: '[an answer of recall]' } }
    const calls = toolCallsOf(message).map((call): ToolCall => {
      if (call.type !== 'function' || !OWN_TOOL.test(call.function.name)) return call
      own.add(call.id)
      return { ...call, function: { ...call.function, arguments: '{}' } }
    })
    if (message.role !== 'assistant' || !calls.some(({ id }) => own.has(id))) return entry
    return { ...entry, message: { ...message, tool_calls: calls } }
  })
}

async function forgetReplaced(session: StoredSession, from: number): Promise<void> {
  const { replaced } = await session.head()
  for (const { first, last } of replaced)
    if (last >= from)
      await session.forget({
        ...{ first: Math.max(first, from), last },
        ...{ reason: 'its file was rewritten', at: Date.now() },
      })
}
