import { type Message, messageText, toolCallInput, toolCallsOf } from '@palimpsest/core'
import type { Item, Subject } from './dialogue.ts'

/** Characters on either side of a value in which its subject, or its correction, must stand. */
export const BESIDE = 240

/** What stands around a value. */
export interface Passage {
  readonly text: string
  /** Index of the text that the value stands in, and of its first character there. */
  readonly of: number
  readonly at: number
}

/** What a model reads of a prompt, one text for each message. */
export function promptTexts(messages: readonly Message[]): string[] {
  return messages.map((message) =>
    [messageText(message), ...toolCallsOf(message).map(toolCallInput)].join('\n'),
  )
}

/**
 * True when a text holds an item: its value as a whole word, and a word of its subject beside it. The value alone could be
 * about anything.
 */
export function holdsItem(texts: readonly string[], item: Pick<Item, 'subject' | 'value'>): boolean {
  return lastPlace(texts, item) !== undefined
}

/** Where a text holds an item for the last time. */
export function lastPlace(
  texts: readonly string[],
  { subject, value }: Pick<Item, 'subject' | 'value'>,
): Passage | undefined {
  return passages(texts, value).findLast(({ text }) => isAbout(text, subject))
}

/** True when a value that was corrected stands with its subject, and the value that holds is not beside it. */
export function showsStale(texts: readonly string[], { subject, value, wrong }: Item): boolean {
  if (wrong === undefined) return false
  return passages(texts, wrong.value).some(({ text }) => isAbout(text, subject) && !holdsWord(text, value))
}

/**
 * True when a corrected item is presented as it is now: the last place of the prompt where the subject stands with the old value
 * or with the one that holds shows the one that holds, itself or beside the old one. What stands last is what a reader
 * of a conversation takes to be true.
 */
export function showsCurrent(texts: readonly string[], { subject, value, wrong }: Item): boolean {
  const values = wrong === undefined ? [value] : [value, wrong.value]
  const last = values
    .flatMap((each) => lastPlace(texts, { subject, value: each }) ?? [])
    .reduce<Passage | undefined>((a, b) => (a !== undefined && isBefore(b, a) ? a : b), undefined)
  return last !== undefined && holdsWord(last.text, value)
}

/** What stands around each occurrence of a value as a whole word, in order. */
export function passages(texts: readonly string[], value: string): Passage[] {
  return texts.flatMap((text, of) => {
    if (!text.includes(value)) return []
    return [...text.matchAll(wholeWord(value))].map(({ index: at }) => ({
      text: text.slice(Math.max(0, at - BESIDE), at + value.length + BESIDE),
      of,
      at,
    }))
  })
}

/** True for a text with a word of the subject. */
export function isAbout(text: string, subject: Subject): boolean {
  const words = plain(text)
  return subject.some((part) => words.includes(plain(part)))
}

/** Names may be written with hyphens or underscores. */
export const plain = (text: string): string => text.toLowerCase().replace(/[\s_-]+/g, ' ')

/** The number of titles that stand in a prompt. */
export function countTitles(texts: readonly string[], titles: readonly string[]): number {
  const read = texts.map(plain)
  return titles.filter((title) => read.some((text) => text.includes(plain(title)))).length
}

const isBefore = (a: Passage, b: Passage): boolean => a.of < b.of || (a.of === b.of && a.at < b.at)

const holdsWord = (text: string, value: string): boolean => text.search(wholeWord(value)) !== -1

function wholeWord(value: string): RegExp {
  const escaped = value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, 'gu')
}

/** The answer of a tool as a model reads it: JSON hides quotes and line ends behind backslashes. */
export function readableText(json: string): string {
  return json.replace(/\\n/g, '\n').replace(/\\(["\\/])/g, '$1')
}
