import { openSync } from 'node:fs'
import { join } from 'node:path'
import { writeSummary } from '../reference/write-summary.ts'
import { type BrokenEngine, broken } from './broken-engine.ts'

/** Mistakes between the first call of an engine and the last. */
export const brokenLifecycles: readonly BrokenEngine[] = [
  broken('keeps what stood in its summary when the session is reset', 'C53', {
    steps() {
      let last = ''
      return {
        async writeSummary(input) {
          const written = await writeSummary({ ...input, previous: input.previous || last })
          last = written.text
          return written
        },
      }
    },
  }),
  broken('keeps the messages of a session that is reset', 'C53', {
    keeps: true,
    parts: () => ({ async onSessionReset() {} }),
  }),
  broken('fails when it is disposed of twice', 'C54', {
    members(engine) {
      let isDisposed = false
      return {
        async dispose() {
          if (isDisposed) throw new Error('disposed of already')
          isDisposed = true
          await engine.dispose()
        },
      }
    },
  }),
  broken('fails after dispose() with an error that has no code', 'C55', {
    members(engine) {
      let isDisposed = false
      return {
        async compress(call) {
          if (isDisposed) throw new TypeError('Cannot read properties of null')
          return engine.compress(call)
        },
        dispose() {
          isDisposed = true
          return engine.dispose()
        },
      }
    },
  }),
  broken('leaves a timer running', 'C56', {
    parts: () => ({
      async onTurnComplete() {
        setTimeout(() => {}, 3_000)
      },
    }),
  }),
  broken('leaves a file open', 'C56', {
    parts: (_, { storage }) => ({
      async onTurnComplete() {
        openSync(join(storage, 'turns'), 'a')
      },
    }),
  }),
  broken('keeps its threshold when the model changes', 'C57 C76', {
    members: ({ thresholdTokens }) => ({ thresholdTokens }),
  }),
  broken('has a status that is more than full', 'C69', {
    members: (engine) => ({
      status: () => ({
        ...engine.status(),
        usagePercent: (engine.lastPromptTokens / engine.contextLength) * 100,
      }),
    }),
  }),
  broken('takes misspelt options', 'C71', { takesAnyOption: true }),
]
