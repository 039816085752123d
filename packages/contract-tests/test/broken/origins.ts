import { isSummary } from '@palimpsest/core'
import { type BrokenEngine, broken } from './broken-engine.ts'

/** Mistakes with the ids of messages. */
export const brokenOrigins: readonly BrokenEngine[] = [
  broken('gives its summary the id of a message of the host', 'P12', {
    parts: ({ compress }) => ({
      async compress(call) {
        const result = await compress(call)
        const id = call.messages.find(({ role }) => role === 'assistant')?.id
        const messages = result.messages.map((message) =>
          isSummary(message) && id !== undefined ? { ...message, id } : message,
        )
        return { ...result, messages }
      },
    }),
  }),
]
