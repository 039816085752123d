import type { Decision } from '../log/decision.ts'
import { normalValue } from '../log/normal-text.ts'
import type { Source } from '../log/source.ts'
import { claimant } from './claim.ts'
import { l1Clauses } from './l1-clauses.ts'
import { lineText } from './line-text.ts'
import { turnText } from './provenance.ts'

/** Places that are quoted for one decision. */
const MAX_QUOTES = 3
const QUOTE_TOKENS = 28
/** Room of the text that was written for a decision and its merges, and of one clause of it. */
const WRITTEN_TOKENS = 220
const CLAUSE_TOKENS = 110
/** Sources that are looked at: a decision that was confirmed a thousand times has said it all by then. */
const READ_SOURCES = 50
/** The beginning of the tag of a line: a clause that has one would look like a line of the record. */
const TAG =
  /\[(?=\s*(?:user|accepted|verified|imported|contested|given up|proposed|said by|raised by|not confirmed)\b)/gi

/**
 * The detail that L1 adds to a line, a list of Markdown: the clauses that were written, by the decision and by its merges; where none
 * were, the sentences that the decision was read from, each once and in their order, with their turns. Empty when
 * there is nothing to add.
 */
export function decisionDetail(decision: Decision, session: string): string {
  const written = writtenLines(decision)
  const isWritten = new Set(decision.merged.flatMap(({ l1, source }) => (l1 === undefined ? [] : source)))
  const quoted = decision.sources.filter((source) => !isWritten.has(source)).slice(0, READ_SOURCES)
  const quotes = decision.l1 === undefined ? quotesOf(quoted, decision, session) : ''
  const isList = quotes !== '' || written.length > 1
  return [quotes, ...written.map((line) => (isList ? `- ${line}` : line))].filter(Boolean).join('\n  ')
}

/** The clauses of L1 that were written, a line each, none of which can be taken for one of the record. */
export function writtenLines(decision: Decision): string[] {
  const lines: string[] = []
  let room = WRITTEN_TOKENS
  for (const { text, note } of l1Clauses(decision)) {
    const line = lineText(text, Math.min(CLAUSE_TOKENS, room)).replace(TAG, '(')
    // A token has about four characters.
    room -= Math.ceil(line.length / 4)
    if (line !== '') lines.push(`${line}${note === undefined ? '' : ` (${note})`}`)
    if (room <= 0) break
  }
  return lines
}

function quotesOf(sources: readonly Source[], { merged, status }: Decision, session: string): string {
  const claims = new Set(
    merged.flatMap(({ authority, source }) =>
      authority === 'proposed' && status !== 'proposed' ? [source] : [],
    ),
  )
  return distinct(sources)
    .slice(0, MAX_QUOTES)
    .map((source) => {
      const who = claims.has(source) ? `${claimant(source)}, ` : ''
      return `"${lineText(source.quote, QUOTE_TOKENS)}" (${who}${turnText(source, session)})`
    })
    .join('; ')
}

/** Sources whose words another one does not have, too. */
function distinct(sources: readonly Source[]): Source[] {
  const said = sources
    .map((source) => ({ source, words: normalValue(source.quote.slice(0, QUOTE_TOKENS * 8)) }))
    .filter(({ words }) => words !== '')
  return said
    .filter(
      ({ words }, place) =>
        !said.some((other, at) => (other.words === words ? at < place : other.words.includes(words))),
    )
    .map(({ source }) => source)
}
