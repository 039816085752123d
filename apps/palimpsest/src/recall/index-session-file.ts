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

/** Messages at the end that are read again: what follows may still change them, such as the results of their calls. */
const OPEN_MESSAGES = 3
/** Codes of errors about a file of which nothing was read: the next look may find that it can be. */
const UNREAD = new Set<string>(['TRANSCRIPT_UNREADABLE', 'TRANSCRIPT_NOT_FOUND'])
/** An agent that writes a line may have written half of it, in milliseconds. */
const WRITING_TIME = 60_000
/** The tools of recall, behind what hosts put before a name. */
const OWN_TOOL = /(?:^|_)lcm_(?:grep|describe|expand)$/

/**
 * Brings a session in line with its file, with secrets hidden. Only what was appended is read; a file that was rewritten
 * is read anew, and what it lost is deleted from the store. Whenever it ends, the next time goes on.
 *
 * @param isOver asked between batches whether to leave the rest for another time.
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
  // An agent that compacts may write old lines again: only the whole file tells which they are.
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
  // The file was cut: what comes after its end is not in it any more.
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

/** The places whose line parts the messages as their order does: a prompt may be elsewhere in the file. */
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

/** Why a part of it was not read. */
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
    // A host writes its reminders, and the prompt, again and again: which of them are new, the end of a file does not say.
    const own = entries.filter(
      ({ line, message }) => !isReminder(message) && (from === 0 || (line > 1 && message.role !== 'system')),
    )
    const shown = withoutEchoes(own).map((entry) => ({ ...entry, message: recallable(entry.message) }))
    return { ...transcript, entries: shown }
  } catch (error) {
    // The next look may find that it can be read.
    if (!TranscriptError.isInstance(error) || UNREAD.has(error.code)) throw error
    // A session in which nothing was said yet, or something else than a session.
    const malformed = error.code === 'TRANSCRIPT_EMPTY' ? [] : [{ line: 0, reason: error.message }]
    return { entries: [], malformed }
  }
}

/** A later system message becomes a user message. */
function isReminder({ role, providerData }: Message): boolean {
  const { recordedRole } = looseOf(providerData?.transcript)
  return role === 'user' && (recordedRole === 'system' || recordedRole === 'developer')
}

/** A search would find earlier searches and their answers: their calls stay, without what was searched for and found. */
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
