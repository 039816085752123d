import type { CompletionModel, TokenCounter } from '@palimpsest/core'
import { createRandom } from '../workload/random.ts'
import { createVocabulary } from '../workload/vocabulary.ts'

/** What a model was asked and answered, in tokens. */
export interface ModelUse {
  readonly calls: number
  readonly input: number
  readonly output: number
}

/** A model that writes summaries as long as it is asked for, none like another, and counts what it reads and writes. */
export interface SummaryWriter extends CompletionModel {
  /** Summaries. */
  readonly summaries: ModelUse
  /** Whatever else it was asked for: reading turns for decisions. It finds nothing, so that rules alone decide. */
  readonly rest: ModelUse
}

/** How engines say how long a summary may be. */
const LENGTH = /(?:no more than|to) (\d+) tokens/g
/** What models use of the length that they are told to aim at. */
const USED = 0.8
const TOKENS_OF_WORD = 1.45

export function createSummaryWriter(tokens: TokenCounter, seed: number): SummaryWriter {
  const vocabulary = createVocabulary(createRandom(seed), 4000)
  const uses = { summaries: { calls: 0, input: 0, output: 0 }, rest: { calls: 0, input: 0, output: 0 } }
  return {
    name: 'writer',
    get summaries() {
      return { ...uses.summaries }
    },
    get rest() {
      return { ...uses.rest }
    },
    async complete({ system = '', prompt }) {
      const isSummary = !system.includes('JSON')
      const asked = Number([...prompt.slice(-3000).matchAll(LENGTH)].at(-1)?.[1] ?? 0)
      const words = Math.ceil((asked * USED) / TOKENS_OF_WORD)
      const text = isSummary
        ? `## Progress\n${vocabulary.words(words)}`
        : '{"candidates": [], "verdicts": []}'
      const use = isSummary ? uses.summaries : uses.rest
      use.calls++
      use.input += tokens.countText(system) + tokens.countText(prompt)
      use.output += tokens.countText(text)
      return { text, finishReason: 'stop' }
    },
  }
}
