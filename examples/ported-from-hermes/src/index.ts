import {
  compactedResult,
  defineContextEngine,
  type EngineDefinition,
  isBridge,
  isSummary,
  keptResult,
  placeSummary,
  readMessages,
  thresholdTokens,
} from '@palimpsest/core'
import { describeTurns } from './describe-turns.ts'
import { type KeepEndsOptions, readOptions } from './options.ts'
import { splitEnds } from './split-ends.ts'

/** Keeps the beginning and the end of a conversation, and says in a line for each turn what stood between them. */
const keepEnds: EngineDefinition<KeepEndsOptions> = defineContextEngine({
  name: 'keep-ends',
  apiVersion: 1,
  description: 'Keeps the first and the last messages, and a line for each turn between them (no model)',
  create(options: KeepEndsOptions, { tokens, maxOutputTokens, ...host }) {
    const { threshold, ...ends } = readOptions(options)
    let { contextLength } = host
    const limit = () => thresholdTokens({ contextLength, maxOutputTokens, threshold })

    return {
      get thresholdTokens() {
        return limit()
      },
      updateModel(update) {
        contextLength = update.contextLength
      },
      shouldCompress: ({ promptTokens = 0 } = {}) => promptTokens >= limit(),
      async compress({ messages: before }) {
        const { head, middle, tail } = splitEnds(readMessages(before), ends)
        if (middle.every((message) => isSummary(message) || isBridge(message)))
          return keptResult('unchanged', 'nothing-between-the-ends', before, tokens)
        const summary = describeTurns(middle).join('\n')
        const after = placeSummary({ head, summary, tail })
        return compactedResult({ before, after, tokens, reason: 'middle-left-out' })
      },
    }
  },
})

export default keepEnds
export type { KeepEndsOptions } from './options.ts'
