import type { CompletionModel, TokenCounter } from '@palimpsest/core'
import { createRandom, createVocabulary } from './vocabulary.ts'

export type ModelUse = { readonly calls: number; readonly input: number; readonly output: number }

interface SummaryWriter extends CompletionModel {
  readonly use: ModelUse
}

/** The length that an engine requests, in words unlikely to end a conversation. */
const LENGTH = /(?:has room for|with at most|Use \d+ to) (\d+) tokens/g
const UNASKED = 1000
const USED = 0.8
const TOKENS_OF_WORD = 1.45

export function createSummaryWriter(tokens: TokenCounter, seed: number): SummaryWriter {
  const vocabulary = createVocabulary(createRandom(seed), 4000)
  const use = { calls: 0, input: 0, output: 0 }
  return {
    name: 'writer',
    use,
    async complete({ system = '', prompt }) {
      const words = Math.ceil((askedLength(prompt) * USED) / TOKENS_OF_WORD)
      const text = system.includes('JSON')
        ? '{"candidates": [], "verdicts": []}'
        : `## Progress\n${vocabulary.words(words)}`
      use.calls++
      use.input += tokens.countText(system) + tokens.countText(prompt)
      use.output += tokens.countText(text)
      return { text, finishReason: 'stop' }
    },
  }
}

function askedLength(prompt: string): number {
  return Number([...prompt.slice(-3000).matchAll(LENGTH)].at(-1)?.[1] ?? UNASKED)
}
