import {
  compactedResult,
  defineContextEngine,
  type EngineDefinition,
  isBridge,
  isInstruction,
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
          const isSaid = (message: Message) =>
            !isSummary(message) && !isBridge(message) && !isInstruction(message)
          const saidIn = (list: readonly Message[]) => list.filter(isSaid).length
          const head = messages.slice(0, first)
          const tail = messages.slice(first + replaced)
          const gone = saidIn(messages.slice(first, first + replaced)) - (request === undefined ? 0 : 1)
          return compactedResult({
            before: messages,
            after: placeSummary({
              head,
              summary: made.parts.map((part) => texts[part] ?? '').join('\n\n'),
              request: request === undefined ? undefined : messages[request],
              tail,
            }),
            tokens,
            reason: 'summarised',
            summary: `summarised ${gone}, kept ${saidIn(head)} first${request === undefined ? '' : ', the question'}, ${saidIn(tail)} last`,
          })
        },
        details: () => ({ summaries_written: asked }),
      }
    },
  }) as EngineDefinition
}
