import { atOnce, type Message, redactMessage, redactSecrets, type TokenCounter } from '@palimpsest/core'
import { addToFrame, EMPTY_FRAME, renderFrame } from './frame.ts'
import { oneLine } from './text.ts'

export interface LostInput {
  readonly messages: readonly Message[]
  /** The summary; its content is not quoted again. Empty if unknown. */
  readonly summary: string
  /** The room in tokens, counted conservatively. Default: 1,900. */
  readonly maxTokens?: number
}

/** The text around it makes up the rest of 2,000 tokens. */
const MOST_TOKENS = 1_900
/** A user's message counts as present if this many of its first characters are in the summary. */
const BEGINNING = 60
const CHARACTERS_PER_TOKEN = 3

/** Overestimates: a hook has no time to load a tokenizer. */
const careful: TokenCounter = {
  countText(text) {
    const plain = text.match(/[ -~\s]/g)?.length ?? 0
    return Math.ceil(plain / CHARACTERS_PER_TOKEN) + 2 * (text.length - plain)
  },
  countMessage: () => 0,
  countTools: () => 0,
}

/**
 * Finds losses in another program's summary: missing rules and messages of the user, the project's rules, and changed
 * files. Redacted and deterministic; empty if nothing is lost.
 */
export function quoteLost({ messages, summary, maxTokens = MOST_TOKENS }: LostInput): string {
  const covered = oneLine(summary)
  const isLost = (words: string) => !covered.includes(words.slice(0, BEGINNING))
  const frame = atOnce(addToFrame(EMPTY_FRAME, messages.map(redactMessage)))
  const lost = { ...frame, rules: frame.rules.filter(isLost), said: frame.said.filter(isLost) }
  return redactSecrets(renderFrame(lost, { maxTokens, said: maxTokens, tokens: careful }))
}
