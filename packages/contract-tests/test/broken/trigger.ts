import { type BrokenEngine, broken } from './broken-engine.ts'

/** Mistakes in when an engine asks to be called. */
export const brokenTriggers: readonly BrokenEngine[] = [
  broken('says yes a little before its threshold', 'C10', {
    members: (engine) => ({
      shouldCompress: ({ promptTokens = engine.lastPromptTokens } = {}) =>
        promptTokens >= engine.thresholdTokens - 1,
    }),
  }),
  broken('says no exactly at its threshold', 'C11 C12', {
    members: (engine) => ({
      shouldCompress: ({ promptTokens = engine.lastPromptTokens } = {}) =>
        promptTokens > engine.thresholdTokens,
    }),
  }),
  broken('goes by the last response, whatever it is asked', 'C11 C12', {
    members: (engine) => ({ shouldCompress: () => engine.lastPromptTokens >= engine.thresholdTokens }),
  }),
  broken('says yes once and no when it is asked again', 'C13', {
    members(engine) {
      let wasAsked = false
      return {
        shouldCompress(input) {
          const isDue = engine.shouldCompress(input) && !wasAsked
          wasAsked ||= isDue
          return isDue
        },
      }
    },
  }),
  broken('lets a prompt take what is reserved for the answer', 'C76', {
    members: (engine) => {
      const threshold = () => Math.floor(engine.contextLength * 0.95)
      return {
        get thresholdTokens() {
          return threshold()
        },
        shouldCompress: ({ promptTokens = engine.lastPromptTokens } = {}) => promptTokens >= threshold(),
      }
    },
  }),
  broken('reads the length of a content that is not there', 'L06 P12', {
    parts: () => ({
      shouldCompressPreflight: (messages) =>
        messages.some(({ content }) => (content as string).length > 100_000),
    }),
  }),
]
