import { equalValues, isInstruction, type Message } from '@palimpsest/core'
import { noteKind } from './token-kinds.ts'
import { isVersion, type TranscriptIndex } from './transcript-index.ts'

/** Where a message of a request stands in the transcript; null for what an engine wrote. */
export type Place = { readonly seq: number; readonly exact: boolean } | null

/**
 * Finds the places of messages in the transcript. A request is in the transcript's order and ends where it ends: the end
 * is matched backwards, what stands in front of a summary forwards, and what is left by its call or its text.
 *
 * @param list the end of a request.
 * @param from the first place that it may begin at: what stands before it has the others.
 */
export function alignRequest(
  list: readonly Message[],
  from: number,
  transcript: Pick<TranscriptIndex, 'messages' | 'instructions' | 'find'>,
): Place[] {
  const { messages, instructions } = transcript
  if (from === 0 && isInstruction(list[0])) {
    // A request has one system prompt, whatever the transcript begins with, and an engine may have put something behind it.
    const isOwn = instructions === 1 && equalValues(messages[0], list[0])
    const rest = alignBehind(list.slice(1), instructions, transcript)
    return [isOwn ? { seq: 0, exact: true } : null, ...rest]
  }
  return alignBehind(list, from, transcript)
}

function alignBehind(
  list: readonly Message[],
  from: number,
  transcript: Pick<TranscriptIndex, 'messages' | 'find'>,
): Place[] {
  const { messages } = transcript
  const places: Place[] = Array.from(list, () => null)
  let next = messages.length - 1
  /** How many messages at the beginning of the list are the transcript's own; undefined while the end goes on. */
  let head: number | undefined
  for (let index = list.length - 1; index >= (head ?? 0); index--) {
    const message = list[index] as Message
    const isNote = noteKind(message, list[index + 1]) !== undefined
    const found = matchAt(message, isNote, next >= from ? messages[next] : undefined)
    if (found !== undefined) {
      places[index] = { seq: next--, exact: found.exact }
      continue
    }
    head ??= commonBeginning(list.slice(0, index), messages.slice(from, next + 1))
    if (index < head || isNote) continue
    const place = transcript.find(message, next)
    if (place === undefined || place.seq < from + head) continue
    places[index] = place
    next = place.seq - 1
  }
  for (let index = 0; index < (head ?? 0); index++) places[index] = { seq: from + index, exact: true }
  return places
}

function matchAt(
  message: Message,
  isNote: boolean,
  said: Message | undefined,
): { readonly exact: boolean } | undefined {
  if (said === undefined) return undefined
  if (equalValues(said, message)) return { exact: true }
  return !isNote && isVersion(message, said) ? { exact: false } : undefined
}

function commonBeginning(list: readonly Message[], messages: readonly Message[]): number {
  let length = 0
  while (length < list.length && length < messages.length && equalValues(list[length], messages[length]))
    length++
  return length
}
