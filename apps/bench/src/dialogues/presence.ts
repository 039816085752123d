import { type Message, messageText, toolCallInput, toolCallsOf } from '@palimpsest/core'
import type { Item } from './dialogue.ts'

/** Characters on either side of a value in which its subject, or its correction, must stand. */
export const BESIDE = 240

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
export function holdsItem(texts: readonly string[], item: Item): boolean {
  return passages(texts, item.value).some((passage) => isAbout(passage, item))
}

/** True when a value that was corrected stands with its subject, and the value that holds is not beside it. */
export function showsStale(texts: readonly string[], item: Item): boolean {
  const { wrong } = item
  if (wrong === undefined) return false
  return passages(texts, wrong.value).some(
    (passage) => isAbout(passage, item) && !wholeWord(item.value).test(passage),
  )
}

/** What stands around each occurrence of a value. */
function passages(texts: readonly string[], value: string): string[] {
  const word = wholeWord(value)
  return texts.flatMap((text) => {
    if (!text.includes(value)) return []
    const all = new RegExp(word.source, 'gu')
    return [...text.matchAll(all)].map(({ index }) =>
      text.slice(Math.max(0, index - BESIDE), index + value.length + BESIDE),
    )
  })
}

function isAbout(passage: string, { subject }: Item): boolean {
  const words = plain(passage)
  return subject.some((part) => words.includes(plain(part)))
}

/** Names may be written with hyphens or underscores. */
const plain = (text: string): string => text.toLowerCase().replace(/[\s_-]+/g, ' ')

function wholeWord(value: string): RegExp {
  const escaped = value.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, 'u')
}

/** How many of some names stand in a prompt. */
export function countNames(texts: readonly string[], names: readonly string[]): number {
  return names.filter((name) => texts.some((text) => text.includes(name))).length
}
