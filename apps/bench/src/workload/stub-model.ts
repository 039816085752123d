import type { CompletionModel } from '@palimpsest/core'

/** A summariser that answers at once with the same text, and remembers what it was shown. */
export interface StubModel extends CompletionModel {
  readonly prompts: readonly string[]
}

/** About 1,500 tokens that hold none of the planted facts: what is measured is structure, not a model. */
export const SUMMARY = [
  '## Goal',
  '## Progress',
  '### Done',
  '## Key Decisions',
  '## Relevant Files',
  '## Next Steps',
]
  .map(
    (heading) =>
      `${heading}\n${'- Work on the conversation went on as planned and its outcome was noted here.\n'.repeat(15)}`,
  )
  .join('\n')

/** `summary`: what it answers. */
export function createStubModel(summary = SUMMARY): StubModel {
  const prompts: string[] = []
  return {
    name: 'stub',
    prompts,
    async complete({ prompt }) {
      // Reading one character puts a concatenated text together, which is the caller's cost and not the model's.
      prompts.push(prompt.charAt(0) === '' ? '' : prompt)
      return { text: summary, finishReason: 'stop' }
    },
  }
}
