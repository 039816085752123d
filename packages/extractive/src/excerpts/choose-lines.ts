import type { TokenCounter } from '@palimpsest/core'
import type { IdentifierMemory } from '../identifiers/identifier-memory.ts'
import { excerptLine, type QuotedLine } from './excerpt.ts'

/** A quoted line that competes for room. */
export interface Line extends QuotedLine {
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

/** Lines that are ranked first: the most that usually fit. */
const FIRST_RANKED = 2_000

/** Lines with their worth, those first that are worth most. */
export interface RankedLines {
  readonly best: readonly Line[]
  /** Worth less than each of them, in no order. */
  readonly others: readonly ScoredLine[]
}

interface ScoredLine {
  readonly line: Line
  readonly score: number
}

/** Lines by how much they name of what is likely to be needed, for their length. */
export function rankLines(candidates: readonly Line[], memory: IdentifierMemory): RankedLines {
  const worth = ({ excerpt, names, age, weight }: Line): number => {
    let need = 0
    for (const name of names) need += memory.worthOf(name) ?? 0
    return (need * weight) / (excerpt.text.length / CHARACTERS + 2) / Math.max(1, age) ** AGE_POWER
  }
  const scored = candidates.map((line) => ({ line, score: worth(line) }))
  // Sorting bare numbers costs little beside sorting what they belong to.
  const scores = Float64Array.from(scored, ({ score }) => score).sort()
  const bound = scores[scores.length - FIRST_RANKED] ?? Number.NEGATIVE_INFINITY
  return {
    best: ranked(scored.filter(({ score }) => score > bound)),
    others: scored.filter(({ score }) => !(score > bound)),
  }
}

const ranked = (lines: ScoredLine[]): Line[] =>
  lines.sort((a, b) => b.score - a.score).map(({ line }) => line)

/** The lines that are worth most within `room` tokens, each text once. */
export function chooseLines({ best, others }: RankedLines, room: number, tokens: TokenCounter): Line[] {
  const chosen: Line[] = []
  const said = new Set<string>()
  let left = room
  const isTooLong = ({ excerpt }: Line) => excerpt.text.length > left * MOST_CHARACTERS
  const choose = (lines: readonly Line[]): void => {
    for (const line of lines) {
      const { text } = line.excerpt
      if (said.has(text) || isTooLong(line)) continue
      const cost = tokens.countText(excerptLine(line.excerpt)) + 1
      if (cost > left) continue
      left -= cost
      chosen.push(line)
      said.add(text)
    }
  }
  choose(best)
  choose(ranked(others.filter(({ line }) => !isTooLong(line))))
  return chosen
}
