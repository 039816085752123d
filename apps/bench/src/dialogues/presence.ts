import { type Message, messageText, toolCallInput, toolCallsOf } from '@palimpsest/core'
import { indexOfName, placesOf } from '../recall/whole-word.ts'
import type { Item, Subject } from './dialogue.ts'

/** Characters on either side of a value in which its subject, or its correction, must stand. */
export const BESIDE = 240

interface Passage {
  readonly text: string
  /** Index of the text that the value stands in, and of its first character there. */
  readonly of: number
  readonly at: number
}

/** The texts of a prompt, one for each message. */
export function promptTexts(messages: readonly Message[]): string[] {
  return messages.map((message) =>
    [messageText(message), ...toolCallsOf(message).map(toolCallInput)].join('\n'),
  )
}

/** Whether a text holds an item's value beside a word of its subject: alone it could be about anything. */
export function holdsItem(texts: readonly string[], item: Pick<Item, 'subject' | 'value'>): boolean {
  return lastPlace(texts, item) !== undefined
}

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

/** Whether the last place where the subject stands with the old or the right value shows the right one. */
export function showsCurrent(texts: readonly string[], { subject, value, wrong }: Item): boolean {
  const values = wrong === undefined ? [value] : [value, wrong.value]
  const last = values
    .flatMap((each) => lastPlace(texts, { subject, value: each }) ?? [])
    .reduce<Passage | undefined>((a, b) => (a !== undefined && isBefore(b, a) ? a : b), undefined)
  return last !== undefined && holdsWord(last.text, value)
}

export function passages(texts: readonly string[], value: string): Passage[] {
  return texts.flatMap((text, of) =>
    placesOf(text, value).map((at) => ({
      text: text.slice(Math.max(0, at - BESIDE), at + value.length + BESIDE),
      of,
      at,
    })),
  )
}

export function isAbout(text: string, subject: Subject): boolean {
  const words = plain(text)
  return subject.some((part) => words.includes(plain(part)))
}

const plain = (text: string): string => text.toLowerCase().replace(/[\s_-]+/g, ' ')

export function countTitles(texts: readonly string[], titles: readonly string[]): number {
  const read = texts.map(plain)
  return titles.filter((title) => read.some((text) => text.includes(plain(title)))).length
}

const isBefore = (a: Passage, b: Passage): boolean => a.of < b.of || (a.of === b.of && a.at < b.at)

const holdsWord = (text: string, value: string): boolean => indexOfName(text, value) >= 0

/** The answer of a tool as a model reads it: JSON hides quotes and line ends behind backslashes. */
export function readableText(json: string): string {
  return json.replace(/\\n/g, '\n').replace(/\\(["\\/])/g, '$1')
}
