import type { Decision } from '../log/decision.ts'
import { normalValue } from '../log/normal-text.ts'
import type { Source } from '../log/source.ts'
import { lineText } from './line-text.ts'
import { turnText } from './provenance.ts'

/** Places that are quoted for one decision. */
const MAX_QUOTES = 3
const QUOTE_TOKENS = 28
const WRITTEN_TOKENS = 110
/** Sources that are looked at: a decision that was confirmed a thousand times has said it all by then. */
const READ_SOURCES = 50

/**
 * What L1 adds to a line: the clauses that the decision was read from, each once and in their order, with their turns.
 * A text that was stored with the decision takes their place. Empty when there is nothing to add.
 */
export function decisionDetail({ l1, sources }: Decision, session: string): string {
  const written = lineText(l1 ?? '', WRITTEN_TOKENS)
  if (written !== '') return written
  return distinct(sources.slice(0, READ_SOURCES))
    .slice(0, MAX_QUOTES)
    .map((source) => `"${lineText(source.quote, QUOTE_TOKENS)}" (${turnText(source, session)})`)
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
