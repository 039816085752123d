import { type Message, redactSecrets, type TokenCounter } from '@palimpsest/core'
import { redactMessage } from '@palimpsest/core/summarizer'
import { analyzeMessage } from './analyze-message.ts'
import { identifierAppendix } from './identifiers/identifier-appendix.ts'
import { createIdentifierMemory } from './identifiers/identifier-memory.ts'
import { summarizeExtractively } from './summarize-extractively.ts'
import { oneLine } from './text/one-line.ts'

/** Of the room, what the list of identifiers may take. */
const NAMES_SHARE = 0.5
/** A message of the user stands in a summary when its first so many characters do. */
const BEGINNING = 60

/** The input of {@link quoteLost}. */
export interface LostInput {
  /** The messages that a summary took the place of, oldest first. Never changed. */
  readonly messages: readonly Message[]
  /** The summary: what stands in it is not quoted again. Empty where it is not known yet. */
  readonly summary: string
  /** Hard bound of the result, in tokens of `tokens`. */
  readonly maxTokens: number
  readonly tokens: TokenCounter
}

/**
 * What a summary by another hand has lost: the user's messages that are not in it, lines that relate names, and names that
 * were in use, secrets hidden. Quoted, never concluded. Deterministic; empty when nothing is lost.
 */
export function quoteLost({ messages, summary, maxTokens, tokens }: LostInput): string {
  const covered = oneLine(summary)
  const hidden = messages.map((message) => redactMessage(message))
  const memory = createIdentifierMemory()
  memory.add(hidden, 0)
  const lost = hidden.filter((message) => {
    const { said } = analyzeMessage(message)
    return message.role !== 'user' || !covered.includes(said.slice(0, BEGINNING))
  })
  const identifierTokens = Math.floor(maxTokens * NAMES_SHARE)
  const input = { memory, tokens }
  const excerpts = summarizeExtractively({
    ...input,
    messages: lost,
    maxTokens: maxTokens - identifierTokens,
  })
  const identifiers = identifierAppendix({
    ...input,
    messages: hidden,
    covered: `${summary}\n${excerpts}`,
    scope: 'conversation',
    maxTokens: identifierTokens - 1,
  })
  return redactSecrets([excerpts, identifiers].filter((part) => part !== '').join('\n\n'))
}
