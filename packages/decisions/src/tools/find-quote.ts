import type { Span } from '../candidates/candidate.ts'
import type { SourceMessage } from '../candidates/source-message.ts'
import type { Choice } from '../log/decision-event.ts'
import { type ReadQuote, readQuote, settles } from '../quotes/read-quote.ts'

/** Where a quote stands with the clause around it, and who said it. */
export interface FoundQuote extends Span, ReadQuote {
  readonly role: SourceMessage['role']
}

/**
 * Where a quote was said last: word for word, but for white space and the case of letters. What the user said comes before what
 * the assistant did, and where it was stated or refused before where it was pasted or asked. Undefined when it was not said.
 */
export function findQuote(
  messages: readonly SourceMessage[],
  quote: string,
  choice?: Pick<Choice, 'slot' | 'choice'>,
): FoundQuote | undefined {
  const said = (role: SourceMessage['role']): FoundQuote | undefined => {
    let found: FoundQuote | undefined
    for (let index = messages.length - 1; index >= 0; index--) {
      const message = messages[index]
      const read = message?.role === role ? readQuote(message, quote, choice) : undefined
      if (message === undefined || read === undefined) continue
      found ??= { ...read, message: message.message, role }
      if (settles(read)) return { ...read, message: message.message, role }
    }
    return found
  }
  return said('user') ?? said('assistant')
}
