import type { TokenCounter } from '@palimpsest/core'
import { cutToTokens, sliceText } from './cut-text.ts'

const OPENING = 'Written without a model: how each message began, and the names in them.'
const NAMES = 'Names: '
const WORD = /[\w@./:-]+/g
/** Longer words are data. In characters. */
const LONGEST_NAME = 200
const LINE_CHARACTERS = 120
/** Characters of a token of the shortest texts that counters know. */
const CHARACTERS_PER_TOKEN = 3

export interface ExtractInput {
  /** The text of an earlier summary. */
  readonly previous: string
  /** The messages, as text, without secrets. */
  readonly texts: readonly string[]
  readonly maxTokens: number
  readonly tokens: TokenCounter
}

/** A summary that needs no model: all names first, then as many of the newest lines as there is room for. */
export function extractSummary({ previous, texts, maxTokens, tokens }: ExtractInput): string {
  const room = maxTokens * CHARACTERS_PER_TOKEN
  const names = new Set([previous, ...texts].flatMap(namesIn))
  const earlier = previous.split('\n').filter((line) => line !== OPENING && !line.startsWith(NAMES))
  const lines = [...earlier, ...texts.map((text) => sliceText(text, 0, LINE_CHARACTERS).replace(/\s+/g, ' '))]
  const namesLine = NAMES + fitting([...names], room / 2, ' ')
  const shown = fitting(lines.reverse(), room - namesLine.length - OPENING.length, '\n')
  return cutToTokens([OPENING, namesLine, ...shown.split('\n').reverse()].join('\n'), maxTokens, tokens)
}

/** Words with a digit or a slash in them: paths, numbers of errors, commits, versions. */
function namesIn(text: string): string[] {
  const words = text.match(WORD) ?? []
  return words
    .filter((word) => word.length <= LONGEST_NAME && /[\d/]/.test(word))
    .map((word) => word.replace(/[.:/-]+$/, ''))
}

/** The first of the pieces that fit, joined. */
function fitting(pieces: readonly string[], room: number, separator: string): string {
  let text = ''
  for (const piece of pieces) {
    if (text.length + piece.length + 1 > room) break
    text += (text === '' ? '' : separator) + piece
  }
  return text
}
