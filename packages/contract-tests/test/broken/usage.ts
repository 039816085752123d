import { type BrokenEngine, broken } from './broken-engine.ts'

/** Mistakes with what a provider reported. */
export const brokenUsage: readonly BrokenEngine[] = [
  broken('takes the prompt for all that a response cost', 'C06', {
    members: (engine) => ({
      updateFromResponse: (usage) => engine.updateFromResponse({ ...usage, totalTokens: usage.promptTokens }),
    }),
  }),
  broken('keeps usage as it comes, NaN included', 'C07', {
    parts(parts) {
      let prompt = 0
      return {
        updateFromResponse(usage) {
          prompt = usage.promptTokens
        },
        get lastPromptTokens() {
          return prompt
        },
        async onSessionReset() {
          prompt = 0
          await parts.onSessionReset?.()
        },
      }
    },
  }),
  broken('adds up the usage of all responses', 'C06', {
    members: (engine) => ({
      updateFromResponse: (usage) =>
        engine.updateFromResponse({
          promptTokens: engine.lastPromptTokens + usage.promptTokens,
          completionTokens: engine.lastCompletionTokens + usage.completionTokens,
          totalTokens: engine.lastTotalTokens + usage.totalTokens,
        }),
    }),
  }),
]
