import { countMessages } from '@palimpsest/core'
import { type BrokenEngine, broken } from './broken-engine.ts'

/** Mistakes with what is shown for one request, and with old tool results. */
export const brokenSelections: readonly BrokenEngine[] = [
  broken('makes room for a request by leaving out its beginning', 'P12', {
    parts: (_, { tokens }) => ({
      async selectContext({ messages, budgetTokens }) {
        const selected = [...messages]
        while (selected.length > 1 && countMessages(tokens, selected) > budgetTokens) selected.shift()
        return selected.length < messages.length ? { messages: selected } : null
      },
    }),
  }),
  broken('drops old tool results instead of shortening them', 'P12', {
    parts: () => ({
      pruneToolResults: async (messages) =>
        messages.filter(({ role }, index) => role !== 'tool' || index >= messages.length - 8),
    }),
  }),
]
