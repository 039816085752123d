import type { TokenCounter } from '@palimpsest/core'
import type { IdentifierMemory } from '../identifiers/identifier-memory.ts'
import { countedText } from '../text/counted-text.ts'
import { type Excerpt, excerptLine } from './excerpt.ts'

/** A quoted line that competes for room. */
export interface Line {
  readonly excerpt: Excerpt
  /** Place among all lines of the conversation. */
  readonly order: number
  readonly names: readonly string[]
  /** Messages since it was said. */
  readonly age: number
  /** A factor on its worth. */
  readonly weight: number
}

/** Characters of a token, about: for lines that are only ranked. */
const CHARACTERS = 4
/** A line is worth its age to this power less. */
const AGE_POWER = 0.3
/** A token has this many characters at most, about: what is longer than the room is not counted. */
const MOST_CHARACTERS = 8

/** The lines that name most of what is likely to be needed for their length, within `room` tokens, each text once. */
export function chooseLines(
  candidates: readonly Line[],
  memory: IdentifierMemory,
  room: number,
  tokens: TokenCounter,
): Line[] {
  const worth = ({ excerpt, names, age, weight }: Line): number => {
    let need = 0
    for (const name of names) need += memory.worthOf(name) ?? 0
    return (need * weight) / (excerpt.text.length / CHARACTERS + 2) / Math.max(1, age) ** AGE_POWER
  }
  const ranked = candidates.map((line) => ({ line, score: worth(line) })).sort((a, b) => b.score - a.score)
  const chosen: Line[] = []
  const said = new Set<string>()
  let left = room
  for (const { line } of ranked) {
    const { text } = line.excerpt
    if (said.has(text) || text.length > left * MOST_CHARACTERS) continue
    const cost = countedText(tokens, excerptLine(line.excerpt)) + 1
    if (cost > left) continue
    left -= cost
    chosen.push(line)
    said.add(text)
  }
  return chosen
}
