import type { TokenCounter } from '@palimpsest/core'
import type { DecisionSet } from '../log/decision.ts'
import type { EntryList } from './entry-list.ts'
import type { TouchedFiles } from './touched-files.ts'

/** The material of a block. */
export interface RenderInput {
  readonly decisions: DecisionSet
  /** The changes that the calls of the session made to files; none leaves the part about files out. */
  readonly touched: TouchedFiles
  /** The session that reads: turns of other sessions are not named. */
  readonly session: string
  readonly tokens: TokenCounter
  readonly budgetTokens: number
  /** The question of the user: raises the worth of entries on its subject. */
  readonly query?: string
}

export interface RenderedBlock {
  /** Empty when there is nothing to say, or no room to say it. */
  readonly text: string
  readonly tokens: number
  /** The lines that were shown of each decision, by identifier. */
  readonly lines: ReadonlyMap<string, string>
  /** Decisions on record by identifier or count only: those that held at that version of the list. Absent: nothing more. */
  readonly onRecord?: OnRecord
}

export interface OnRecord {
  readonly entries: EntryList
  readonly version: number
  /** Number of the list's changes by then. */
  readonly changes: number
}

/** Counts lines with their ends; each text once. */
export function countOnce(tokens: TokenCounter): (line: string) => number {
  const known = new Map<string, number>()
  return (line) => {
    const count = known.get(line) ?? tokens.countText(`${line}\n`)
    known.set(line, count)
    return count
  }
}

/** Attempts with less room, before nothing is said at all. */
const MAX_ATTEMPTS = 8

/**
 * A text that is planned by the counts of its lines, and counted as a whole: where a tokenizer makes more of the whole than of
 * its parts, it is planned again with less room.
 */
export function fitText(
  tokens: TokenCounter,
  budgetTokens: number,
  plan: (budget: number) => Pick<RenderedBlock, 'text' | 'lines'> | undefined,
): RenderedBlock {
  let budget = budgetTokens
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const planned = plan(budget)
    if (planned === undefined || planned.text === '') break
    const count = tokens.countText(planned.text)
    if (count <= budgetTokens) return { ...planned, tokens: count }
    budget -= (count - budgetTokens) * 2 ** attempt
  }
  return { text: '', tokens: 0, lines: new Map() }
}
