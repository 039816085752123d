import { type Message, messageText, type TokenCounter } from '@palimpsest/core'
import type { RecordedSession } from '../sessions/recorded-session.ts'
import { contextQueries, wordsIn } from './context-queries.ts'
import { identifiersOf } from './identifiers.ts'
import { passedIn, textOf } from './message-text.ts'
import { MOST_CALLS } from './scripted-search.ts'
import { createSightings, type Sightings } from './sightings.ts'

/** A message's use of an identifier that was seen before and is not near. */
export interface Reference {
  /** Index of the message. */
  readonly message: number
  readonly role: 'assistant' | 'user'
  readonly identifier: string
  /** Tokens of the messages between this one and the last that showed the identifier. */
  readonly distance: number
  /** Searches by the words around it. */
  readonly contextQueries: readonly string[]
}

/** A session with what its messages use and show. */
export interface SessionReading {
  readonly session: RecordedSession
  /** Tokens of each message. */
  readonly sizes: readonly number[]
  /** What each message uses; nothing for those that neither a user nor the model wrote. */
  readonly uses: readonly ReadonlySet<string>[]
  readonly identifiers: ReadonlySet<string>
  /** Index of the first message that shows an identifier. */
  readonly firstSeen: ReadonlyMap<string, number>
  /** In order; each message and identifier once. */
  readonly references: readonly Reference[]
  readonly sightings: Sightings
}

export interface ReadingInput {
  readonly session: RecordedSession
  readonly tokens: TokenCounter
  /** References count when more tokens than this lie between. */
  readonly beyond: number
}

/**
 * Reads a session: what each user or assistant message uses, and how far back that was last seen. Any message counts as
 * seeing an identifier, tool results and arguments of calls too, so what a tool reads again is near. A raw end of the
 * transcript of `beyond` tokens holds none of the references.
 */
export function readForRecall({ session, tokens, beyond }: ReadingInput): SessionReading {
  const { messages } = session
  const uses = messages.map(usedBy)
  const identifiers = new Set(uses.flatMap((used) => [...used]))
  const sightings = createSightings(identifiers, messages)
  const sizes = messages.map((message) => tokens.countMessage(message))
  const references: Reference[] = []
  const firstSeen = new Map<string, number>()
  /** Tokens from the beginning to the end of the last message that showed an identifier. */
  const lastEnd = new Map<string, number>()
  const messagesWith = new Map<string, number>()
  const count = (word: string): number => messagesWith.get(word) ?? 0
  let start = 0
  for (const [index, message] of messages.entries()) {
    const { role } = message
    const text = textOf(message)
    for (const identifier of uses[index] ?? []) {
      const distance = start - (lastEnd.get(identifier) ?? start)
      if (distance <= beyond || (role !== 'assistant' && role !== 'user')) continue
      const queries = contextQueries({ text, identifier, count }, MOST_CALLS)
      references.push({ message: index, role, identifier, distance, contextQueries: queries })
    }
    start += sizes[index] ?? 0
    for (const identifier of sightings.in(message).keys()) {
      lastEnd.set(identifier, start)
      if (!firstSeen.has(identifier)) firstSeen.set(identifier, index)
    }
    for (const word of new Set(wordsIn(text))) messagesWith.set(word, count(word) + 1)
  }
  return { session, sizes, uses, identifiers, firstSeen, references, sightings }
}

function usedBy(message: Message): Set<string> {
  const { role } = message
  return role === 'user' || role === 'assistant'
    ? identifiersOf(messageText(message), passedIn(message))
    : new Set()
}
