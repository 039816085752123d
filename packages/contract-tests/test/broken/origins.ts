import type { Origin } from '@palimpsest/core'
import { type BrokenEngine, broken } from './broken-engine.ts'

/** Mistakes with what is said of where messages come from. */
export const brokenOrigins: readonly BrokenEngine[] = [
  broken('takes its summary for a message of the host', 'C80 P12', {
    parts: ({ compress }) => ({
      async compress(call) {
        const result = await compress(call)
        const origins = result.messages.map(
          (_, index): Origin => ({ from: 'transcript', index, whole: true }),
        )
        return { ...result, origins }
      },
    }),
  }),
]
