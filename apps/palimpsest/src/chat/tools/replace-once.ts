import { lineAt } from '@palimpsest/core'
import { ToolFault } from './tool.ts'

/** Characters of a line in an error, and places that are counted. */
const SHOWN_CHARACTERS = 200
const MAX_PLACES = 1_000

/**
 * The text with the one place replaced at which `oldText` stands. Line breaks are those of the text: a model that writes
 * plain ones for a file with CRLF is understood.
 *
 * @param shown the file's name, for errors.
 * @throws ToolFault when it stands nowhere or at several places.
 */
export function replaceOnce(text: string, oldText: string, newText: string, shown: string): string {
  const usesCrlf = text.includes('\r\n') && !/(?<!\r)\n/.test(text)
  const [old, replacement] = usesCrlf ? [withCrlf(oldText), withCrlf(newText)] : [oldText, newText]
  if (old === replacement)
    throw new ToolFault('old_text and new_text are the same: there is nothing to change')
  const first = text.indexOf(old)
  if (first === -1) throw notFound(text, oldText, shown)
  const places = placesOf(text, old, first)
  if (places.length > 1) {
    const lines = places.slice(0, 10).map((at) => lineAt(text, at))
    const more = places.length > lines.length ? ', …' : ''
    const times = places.length === MAX_PLACES ? `${MAX_PLACES} times or more` : `${places.length} times`
    throw new ToolFault(
      `old_text stands ${times} in ${shown} (lines ${lines.join(', ')}${more}); give more of the lines around the one you mean`,
    )
  }
  return text.slice(0, first) + replacement + text.slice(first + old.length)
}

function withCrlf(text: string): string {
  return text.replace(/\r?\n/g, '\r\n')
}

function placesOf(text: string, old: string, first: number): number[] {
  const places: number[] = []
  // Overlapping places count: each of them could be meant.
  for (let at = first; at !== -1 && places.length < MAX_PLACES; at = text.indexOf(old, at + 1))
    places.push(at)
  return places
}

/** Says where the file has something alike: most often only the white space differs. */
function notFound(text: string, oldText: string, shown: string): ToolFault {
  const wanted =
    oldText
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ?? ''
  const nearest = nearestLine(text.split('\n'), wanted)
  if (nearest === undefined)
    return new ToolFault(`old_text is not in ${shown}; read it and copy the lines exactly`)
  const line = nearest.text.replace(/\r$/, '').slice(0, SHOWN_CHARACTERS)
  const why = nearest.text.trim() === wanted ? 'white space or a line after it differs' : 'the nearest line'
  return new ToolFault(
    `old_text is not in ${shown}; line ${nearest.number} (${why}) is ${JSON.stringify(line)}; read it and copy the lines exactly`,
  )
}

/** The line that shares most words with the wanted one; undefined when none shares half of them. */
function nearestLine(
  lines: readonly string[],
  wanted: string,
): { readonly number: number; readonly text: string } | undefined {
  const words = new Set(wanted.match(/\w+/g) ?? [])
  let best: { readonly number: number; readonly text: string; readonly shared: number } | undefined
  for (const [index, text] of lines.entries()) {
    const isSame = text.trim() === wanted
    const shared = new Set((text.match(/\w+/g) ?? []).filter((word) => words.has(word))).size
    const score = isSame ? Infinity : shared
    if (score > (best?.shared ?? Math.max(0, words.size / 2 - 1)))
      best = { number: index + 1, text, shared: score }
  }
  return best
}
