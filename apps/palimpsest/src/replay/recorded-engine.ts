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

/** Compactions of the bundled session, in their order, as `record-demo.ts` of the bench writes them. */
export interface RecordedRun {
  /** Paragraphs of the summaries. */
  readonly texts: readonly string[]
  readonly compactions: readonly RecordedCompaction[]
}

interface RecordedCompaction {
  /** Messages of the transcript at that time. */
  readonly said: number
  /** Messages that stay before the summary. */
  readonly first: number
  /** Messages after them that the summary replaces. */
  readonly replaced: number
  /** Index of the one among them that stays: the request under work. */
  readonly request?: number
  /** What its summarising model was asked and wrote, in tokens of our counter. */
  readonly asked: { readonly count: number; readonly read: number; readonly written: number }
  /** Indexes in `texts`. */
  readonly parts: readonly number[]
}

export const RECORDED_ENGINE = 'compressor'

/** As the compressor had it. */
const THRESHOLD = 0.5

/** The compressor as it once ran: it makes the recorded compactions again, and asks no model. */
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
