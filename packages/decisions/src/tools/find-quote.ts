import type { Span } from '../candidates/candidate.ts'
import type { SourceMessage } from '../candidates/source-message.ts'
import { escapePattern } from './escape-pattern.ts'

/** Where a quote stands, and who said it. */
export interface FoundQuote extends Span {
  readonly role: SourceMessage['role']
  /** The words as they stand there. */
  readonly text: string
}

/**
 * Where a quote was said last: word for word, but for white space and the case of letters. What the user said comes before what
 * the assistant did. Undefined when nobody said it.
 */
export function findQuote(messages: readonly SourceMessage[], quote: string): FoundQuote | undefined {
  const words = quote.trim().split(/\s+/).map(escapePattern)
  const pattern = new RegExp(words.join('\\s+'), 'iu')
  const said = (wanted: SourceMessage['role']): FoundQuote | undefined => {
    for (let index = messages.length - 1; index >= 0; index--) {
      const message = messages[index]
      const match = message?.role === wanted ? pattern.exec(message.text) : null
      if (message === undefined || match === null) continue
      const { index: start } = match
      return { message: message.message, role: wanted, start, end: start + match[0].length, text: match[0] }
    }
    return undefined
  }
  return said('user') ?? said('assistant')
}
