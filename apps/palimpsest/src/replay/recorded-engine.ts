import {
  compactedResult,
  defineContextEngine,
  type EngineDefinition,
  isBridge,
  isSummary,
  keptResult,
  type Message,
  placeSummary,
} from '@palimpsest/core'

export interface RecordedRun {
  readonly texts: readonly string[]
  readonly compactions: readonly RecordedCompaction[]
}

interface RecordedCompaction {
  readonly said: number
  readonly first: number
  readonly replaced: number
  readonly request?: number
  readonly asked: { readonly count: number; readonly read: number; readonly written: number }
  readonly parts: readonly number[]
}

export const RECORDED_ENGINE = 'compressor'

const THRESHOLD = 0.5

export function recordedEngine({ texts, compactions }: RecordedRun): EngineDefinition {
  return defineContextEngine({
    name: RECORDED_ENGINE,
    apiVersion: 1,
    description: 'The compressor as it was recorded on the bundled session',
    create(_, { tokens, contextLength }) {
      let [said, next] = [0, 0]
      const asked = { count: 0, read: 0, tokens: 0 }
      return {
        thresholdTokens: contextLength * THRESHOLD,
        async ingest({ messages, from }) {
          said = from + messages.length
        },
        shouldCompress: () => said >= (compactions[next]?.said ?? Number.POSITIVE_INFINITY),
        async compress({ messages }) {
          const made = compactions[next]
          if (made === undefined || said < made.said)
            return keptResult('unchanged', 'not-recorded', messages, tokens)
          next++
          asked.count += made.asked.count
          asked.read += made.asked.read
          asked.tokens += made.asked.written
          const { first, replaced, request } = made
          const isOwn = (message: Message) => !isSummary(message) && !isBridge(message)
          const gone = messages.slice(first, first + replaced).filter(isOwn).length
          const tail = messages.slice(first + replaced)
          const kept = gone - (request === undefined ? 0 : 1)
          return compactedResult({
            before: messages,
            after: placeSummary({
              head: messages.slice(0, first),
              summary: made.parts.map((part) => texts[part] ?? '').join('\n\n'),
              request: request === undefined ? undefined : messages[request],
              tail,
            }),
            tokens,
            reason: 'summarised',
            summary: `${kept} messages summarised, ${messages.length - replaced + gone - kept} kept word for word`,
          })
        },
        details: () => ({ summaries_written: asked }),
      }
    },
  }) as EngineDefinition
}
