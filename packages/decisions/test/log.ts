import type { SaidEvent, Scope, Statement, Withdrawal } from '../src/log/decision-event.ts'
import { decisionId, eventId } from '../src/log/ids.ts'
import { makeSource, type SourceMessage } from '../src/log/source.ts'

export const SCOPE: Scope = 'session:s'

/** Messages of a conversation, the user's first and then in turn; a text that begins with `A:` is the assistant's. */
export function said(...texts: readonly string[]): SourceMessage[] {
  let turn = 0
  return texts.map((given, seq) => {
    const isAssistants = given.startsWith('A:')
    if (!isAssistants) turn++
    return { seq, turn, role: isAssistants ? 'assistant' : 'user', text: given.replace(/^A:\s*/, '') }
  })
}

/** The user chooses a database with all words of a message. */
export function asserted(message: SourceMessage, given: Partial<Statement> = {}): SaidEvent {
  const source = makeSource({ message, start: 0, end: message.text.length }, 's')
  const statement: Statement = {
    kind: 'choice',
    category: 'decisions',
    subject: 'database',
    value: message.text,
    l0: message.text,
    ...given,
  }
  const event = {
    type: 'asserted',
    decision: decisionId(SCOPE, statement, source),
    scope: SCOPE,
    at: 1,
    source,
    authority: 'stated',
    by: 'model',
    statement,
  } as const
  return { ...event, id: eventId(event) }
}

export function withdrawn(first: number, last: number): Withdrawal {
  return { type: 'withdrawn', id: `e ${first} ${last}`, scope: SCOPE, at: 2, session: 's', first, last }
}
