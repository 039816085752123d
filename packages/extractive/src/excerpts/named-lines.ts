import { extractIdentifiers } from '../identifiers/extract-identifiers.ts'
import { oneLine } from '../text/one-line.ts'
import { textWindows } from '../text/text-windows.ts'

/** A line that relates names to each other. */
export interface NamedLine {
  /** `call`: a line of what the assistant passed to a tool. */
  readonly by: 'assistant' | 'call'
  readonly text: string
  readonly names: readonly string[]
}

/** Characters of a line: a shorter one says nothing, a longer one is not quoted. */
const LEAST = 15
const MOST = 300
/** A list behind a colon stays whole up to this many characters. */
const MOST_OF_LIST = 600
/** Names in a line that say something of each other. */
const LEAST_NAMES = 2
/** Characters of one text that are looked at. */
const MOST_OF_TEXT = 64 * 1024
const LIST_ITEM = /^\s*(?:[-*•]|\d{1,2}[.)])\s+\S/

/** The lines of what an assistant says, and of what it passes to tools, that name at least two things. */
export function namedLines(said: string, passed: readonly string[]): NamedLine[] {
  return [...withNames(said, 'assistant'), ...passed.flatMap((text) => withNames(text, 'call'))]
}

function withNames(text: string, by: NamedLine['by']): NamedLine[] {
  return linesOf(text).flatMap((line) => {
    const names = extractIdentifiers(line).map(({ text: name }) => name)
    return names.length < LEAST_NAMES ? [] : [{ by, text: line, names }]
  })
}

/** Lines, a list together with the line above it that ends in a colon. */
function linesOf(text: string): string[] {
  const lines: string[] = []
  for (const part of textWindows(text, MOST_OF_TEXT)) {
    const raw = part.split('\n')
    for (let at = 0; at < raw.length; at++) {
      const line = raw[at] ?? ''
      const end = line.trimEnd().endsWith(':') ? endOfList(raw, at + 1) : at + 1
      const whole = end === at + 1 ? '' : raw.slice(at, end).map(oneLine).join(' ')
      if (whole !== '' && whole.length <= MOST_OF_LIST) {
        lines.push(whole)
        at = end - 1
      } else if (line.length >= LEAST && line.length <= MOST) lines.push(oneLine(line))
    }
  }
  return lines.filter(({ length }) => length >= LEAST)
}

/** Index behind the items that begin at a line; blank lines between them belong to the list. */
function endOfList(lines: readonly string[], start: number): number {
  let end = start
  for (let at = start; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (LIST_ITEM.test(line)) end = at + 1
    else if (line.trim() !== '') break
  }
  return end
}
