import type { Origin } from '@palimpsest/core'
import { type BrokenEngine, broken } from './broken-engine.ts'

/** Mistakes with what is said of where messages come from. */
export const brokenOrigins: readonly BrokenEngine[] = [
  broken('takes its summary for a message of the host', 'P12', {
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
  broken('takes a message that it is shown in another form for what was said', 'C67 C68', {
    keeps: true,
    parts: ({ compress, ingest }) => ({
      async compress(call) {
        for (const [at, origin] of (call.origins ?? []).entries()) {
          if (origin.from !== 'transcript' || origin.whole) continue
          await ingest?.({ messages: call.messages.slice(at), from: origin.index })
          break
        }
        return compress(call)
      },
    }),
  }),
]
