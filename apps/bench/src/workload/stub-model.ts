import type { CompletionModel } from '@palimpsest/core'

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

export function createStubModel(): CompletionModel {
  return {
    name: 'stub',
    async complete({ prompt }) {
      // Reading one character puts a concatenated text together, which is the caller's cost and not the model's.
      prompt.charAt(0)
      return { text: SUMMARY, finishReason: 'stop' }
    },
  }
}
