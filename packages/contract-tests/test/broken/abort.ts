import { redactSecrets } from '@palimpsest/core'
import { writeSummary } from '../reference/write-summary.ts'
import { type BrokenEngine, broken } from './broken-engine.ts'

/** Mistakes with calls that are aborted, or made at the same time. */
export const brokenAborts: readonly BrokenEngine[] = [
  broken('ignores the signal', 'C48 C49', {
    members: (engine) => ({ compress: ({ signal: _, ...call }) => engine.compress(call) }),
    limitMs: 300,
  }),
  broken(
    'never lets compress() settle',
    'C02 C04 C15 C16 C17 C18 C19 C20 C21 C22 C23 C24 C25 C26 C27 C28 C29 C30 C31 C32 C33 C34 C35 C36 C37 C38 C39 C40 C41 C42 C43 C44 C45 C46 C47 C50 C51 C52 C53 C54 C55 C56 C69 C70 C72 C73 C74 C75 C77 C78 C79 C80 C82 C83 L01 L02 L03 L04 L05 L06 L07 L08 L09 L10 L11 P01 P02 P03 P04 P05 P06 P07 P08 P09 P10 P11 P12 P13 P14 P15',
    {
      parts: () => ({ compress: () => new Promise(() => {}) }),
      limitMs: 20,
    },
  ),
  broken('fails when two compactions overlap', 'C50 P13', {
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
