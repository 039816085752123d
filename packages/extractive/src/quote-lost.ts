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
  /** The room, in tokens that are counted carefully: too many rather than too few. Default: 1,900. */
  readonly maxTokens?: number
}

/** Fewer than 2,000 of a tokenizer, with some words around them. */
const MOST_TOKENS = 1_900
/** Characters of a token where names are dense. */
const CHARACTERS_PER_TOKEN = 3

const count = (text: string): number => {
  const plain = text.match(/[ -~\s]/g)?.length ?? 0
  return Math.ceil(plain / CHARACTERS_PER_TOKEN) + 2 * (text.length - plain)
}
/** Counts too many rather than too few: a hook has no time to load a tokenizer. */
const careful: TokenCounter = { countText: count, countMessage: () => 0, countTools: () => 0 }

/**
 * The parts that a summary by another hand has lost: the user's messages that are not in it, lines that relate names, and names that
 * were in use, secrets hidden, by default in fewer than 2,000 tokens. Quoted, never concluded. Deterministic; empty when nothing is lost.
 */
export function quoteLost({ messages, summary, maxTokens = MOST_TOKENS }: LostInput): string {
  const covered = oneLine(summary)
  const hidden = messages.map((message) => redactMessage(message))
  const memory = createIdentifierMemory()
  memory.add(hidden, 0)
  const lost = hidden.filter(
    (message) =>
      message.role !== 'user' || !covered.includes(analyzeMessage(message).said.slice(0, BEGINNING)),
  )
  const identifierTokens = Math.floor(maxTokens * NAMES_SHARE)
  const input = { memory, tokens: careful }
  const excerpts = summarizeExtractively({
    ...input,
    messages: lost,
    maxTokens: maxTokens - identifierTokens,
    identifierTokens,
  })
  const identifiers = identifierAppendix({
    ...input,
    messages: hidden,
    covered: `${summary}\n${excerpts}`,
    scope: 'conversation',
    maxTokens: Math.min(identifierTokens, maxTokens - careful.countText(excerpts)) - 1,
  })
  return redactSecrets([excerpts, identifiers].filter((part) => part !== '').join('\n\n'))
}
