import { redactSecrets } from '@palimpsest/core'
import { writeSummary } from '../reference/write-summary.ts'
import { type BrokenEngine, broken } from './broken-engine.ts'

/** Mistakes with calls that are aborted, or made at the same time. */
export const brokenAborts: readonly BrokenEngine[] = [
  broken('ignores the signal', 'C48 C49', {
    members: (engine) => ({ compress: ({ signal: _, ...call }) => engine.compress(call) }),
    caseTimeoutMs: 5_000,
  }),
  broken('fails when two compactions overlap', 'C50', {
    parts(parts) {
      let isBusy = false
      return {
        async compress(call) {
          if (isBusy) throw new Error('busy')
          isBusy = true
          try {
            return await parts.compress(call)
          } finally {
            isBusy = false
          }
        },
      }
    },
  }),
  broken('remembers the earlier summary for all sessions together', 'C51 C53', {
    steps: () => ({
      async writeSummary(input) {
        const written = await writeSummary({ ...input, previous: everybodysSummary })
        everybodysSummary = written.text
        return written
      },
    }),
  }),
  broken('remembers texts for all sessions together, by how they begin and how long they are', 'C51', {
    steps: () => ({
      redact(text) {
        const key = `${text.slice(0, 80)} ${text.length}`
        const known = everybodysTexts.get(key) ?? redactSecrets(text)
        everybodysTexts.set(key, known)
        return known
      },
    }),
  }),
]

const everybodysTexts = new Map<string, string>()
let everybodysSummary = ''
