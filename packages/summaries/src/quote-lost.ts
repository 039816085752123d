import { type Message, redactMessage, redactSecrets, type TokenCounter } from '@palimpsest/core'
import { addToFrame, EMPTY_FRAME, renderFrame } from './frame.ts'
import { oneLine } from './text.ts'

export interface LostInput {
  /** The messages that a summary took the place of, oldest first. Never changed. */
  readonly messages: readonly Message[]
  /** The summary: what is in it is not quoted again. Empty where it is not known yet. */
  readonly summary: string
  /** The room, in tokens that are counted carefully: too many rather than too few. Default: 1,900. */
  readonly maxTokens?: number
}

/** Fewer than 2,000 of a tokenizer, with some words around them. */
const MOST_TOKENS = 1_900
/** A message of the user is in a summary when its first so many characters are. */
const BEGINNING = 60
const CHARACTERS_PER_TOKEN = 3

/** Counts too many rather than too few: a hook has no time to load a tokenizer. */
const careful: TokenCounter = {
  countText(text) {
    const plain = text.match(/[ -~\s]/g)?.length ?? 0
    return Math.ceil(plain / CHARACTERS_PER_TOKEN) + 2 * (text.length - plain)
  },
  countMessage: () => 0,
  countTools: () => 0,
}

/**
 * What a summary by another hand has lost, secrets hidden: the user's rules and messages that are not in it, the project's rules, and
 * the files that calls changed. Deterministic; empty when nothing is lost.
 */
export function quoteLost({ messages, summary, maxTokens = MOST_TOKENS }: LostInput): string {
  const covered = oneLine(summary)
  const isLost = (words: string) => !covered.includes(words.slice(0, BEGINNING))
  const frame = addToFrame(EMPTY_FRAME, messages.map(redactMessage))
  const lost = { ...frame, rules: frame.rules.filter(isLost), said: frame.said.filter(isLost) }
  return redactSecrets(renderFrame(lost, { maxTokens, said: maxTokens, tokens: careful }))
}
