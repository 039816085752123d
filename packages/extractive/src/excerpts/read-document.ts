import { type Message, messageText, toolCallInput, toolCallsOf } from '@palimpsest/core'
import { oneLine } from '../text/one-line.ts'
import { shorten } from '../text/shorten.ts'
import { callLabel } from '../tools/tool-call.ts'
import type { Line } from './choose-lines.ts'

/** A longer message of the user says itself what is to be done, in characters. */
const MOST_OF_POINTING = 600
/** Characters of a document that are looked at. */
const MOST_OF_DOCUMENT = 64 * 1024
/** Fewer items are no list of points. */
const LEAST_ITEMS = 2
/** An item is cut to the first of these lengths with which the whole list fits, in characters. */
const ITEM_LENGTHS = [Number.POSITIVE_INFINITY, 160, 80, 40, 20]

const WORD = /[\p{L}\p{N}][\p{L}\p{N}._-]*/gu
/** A file name, a number, an abbreviation. */
const POINTS = /\p{N}|\p{L}\.\p{L}|^\p{Lu}{3,}$/u
/** A diff has more spaces behind the sign, and a comment in code an odd number before it. */
const ITEM = /^(?: {2}|\t)*(?:[-*•]|\d{1,3}[.)]) [\p{L}\p{N}[`"'*_(<@#]/u
const HEADING = /^#{1,6} |:\s*$/
const LINE_NUMBER = /^\s{0,8}\d{1,6}[→\t]/

/** Words of a short message that can name a ticket, a plan or another document, in lower case. */
export function pointersIn(text: string): readonly string[] {
  if (text.length > MOST_OF_POINTING) return []
  const words = (text.match(WORD) ?? []).map((word) => word.replace(/(?<![._-])[._-]+$/, ''))
  return [...new Set(words.filter((word) => POINTS.test(word)).map((word) => word.toLowerCase()))]
}

/**
 * The list of points of a document that an assistant's call has read, on one line behind the name of the call: undefined when the
 * call names none of the pointers, or when the result is no such list.
 */
export function readDocument(
  result: Message,
  owner: Message | undefined,
  pointers: readonly string[],
): string | undefined {
  if (result.role !== 'tool' || owner === undefined || pointers.length === 0) return undefined
  const call = toolCallsOf(owner).find((one) => one?.id === result.tool_call_id)
  if (call === undefined) return undefined
  const input = toolCallInput(call).toLowerCase()
  // Most calls name nothing of it: their words are not looked at.
  const held = pointers.filter((pointer) => input.includes(pointer))
  if (held.length === 0) return undefined
  const words = new Set((input.match(WORD) ?? []).flatMap(parts))
  if (!held.some((pointer) => words.has(pointer))) return undefined
  const points = pointsOf(messageText(result).slice(0, MOST_OF_DOCUMENT))
  return points === undefined ? undefined : `${callLabel(call)}: ${points}`
}

/** The line of a document, and shorter forms of it, in which each point is cut. */
export function documentForms(line: Line): Line[] {
  const points = line.excerpt.text.split(/ (?=(?:[-*•]|\d{1,3}[.)]) )/)
  return ITEM_LENGTHS.map((most) => {
    const text = points.map((point) => shorten(point, most)).join(' ')
    return { ...line, excerpt: { ...line.excerpt, text } }
  })
}

/** A word, and what it is made of where dots or hyphens join it: `12.md` names 12. */
function parts(word: string): string[] {
  return [word.replace(/(?<![._-])[._-]+$/, ''), ...word.split(/[._-]/)]
}

/** The title, the items, and the lines right above the items of each list. */
function pointsOf(text: string): string | undefined {
  const lines = text.split('\n').map((line) => line.replace(LINE_NUMBER, '').trimEnd())
  if (lines.filter((line) => ITEM.test(line)).length < LEAST_ITEMS) return undefined
  const title = lines.findIndex((line) => line !== '')
  let isItem = false
  const kept = lines.filter((line, index) => {
    // A line right below an item goes on with it.
    isItem = ITEM.test(line) || (isItem && line !== '' && !HEADING.test(line))
    return isItem || (HEADING.test(line) && (index === title || leadsToItem(lines, index)))
  })
  return oneLine(kept.join(' '))
}

function leadsToItem(lines: readonly string[], index: number): boolean {
  return ITEM.test(lines[index + 1] || lines[index + 2] || '')
}
