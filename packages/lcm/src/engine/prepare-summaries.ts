import { type EngineHost, inSlices, messageRoom, type SerialQueue } from '@palimpsest/core'
import type { Compaction } from '@palimpsest/core/summarizer'
import type { CompactionWriter } from './compaction-writer.ts'
import type { ContextLedger } from './context-ledger.ts'
import type { LcmSettings } from './options.ts'
import { renderContext, renderContextAhead } from './render-context.ts'

/** Of a leaf, what must be there to be summarised for a call to the model to be worth it. */
const LEAST_SHARE = 0.5

/** Summaries that are written between turns, before a compaction is due. */
interface SummariesAhead {
  /** Some are in force that the host's list does not show yet. */
  readonly isReady: boolean
  readonly isWriting: boolean
  /** Whether there were some ready; they count as shown from now on. */
  takeReady(): boolean
  /** Begins to write when the prompt is large enough and a model is there. */
  start(promptTokens: number): void
  stop(): Promise<void>
}

interface AheadInput extends Pick<PrepareInput, 'ledger' | 'writer' | 'settings'> {
  readonly host: EngineHost
  readonly compaction: Compaction
  readonly queue: SerialQueue
}

export function createSummariesAhead(input: AheadInput): SummariesAhead {
  const { host, compaction, queue, ledger, writer, settings } = input
  const background = createBackground(queue)
  let isReady = false
  return {
    get isReady() {
      return isReady
    },
    get isWriting() {
      return background.isBusy
    },
    takeReady() {
      const wasReady = isReady
      isReady = false
      return wasReady
    },
    start(promptTokens) {
      if (host.model === undefined || settings.soft_threshold === 0) return
      if (promptTokens < compaction.share(settings.soft_threshold)) return
      background.start((signal) =>
        prepareSummaries(
          {
            ...{ ledger, writer, settings, signal },
            thresholdTokens: compaction.thresholdTokens,
            promptTokens: isReady ? undefined : promptTokens,
          },
          () => {
            isReady = true
          },
        ),
      )
    },
    stop: background.stop,
  }
}

interface PrepareInput {
  readonly ledger: ContextLedger
  readonly writer: CompactionWriter
  readonly settings: LcmSettings
  /** Prompt size from which a compaction is due, in tokens. */
  readonly thresholdTokens: number
  /**
   * The size of the prompt now, in tokens. Undefined when it does not show summaries in force: it says nothing then
   * about what the host adds to the context.
   */
  readonly promptTokens: number | undefined
  readonly signal: AbortSignal
}

/**
 * Writes summaries of what would leave the context at the next compaction, one at a time, and puts each in force at
 * once: finished ones count, whatever stops this. The host's list shows them after that compaction.
 *
 * @param onAdopted Called for each that is in force.
 */
async function prepareSummaries(input: PrepareInput, onAdopted: () => void): Promise<void> {
  const { ledger, writer, settings, thresholdTokens, promptTokens, signal } = input
  await ledger.load()
  const { window, epoch } = ledger
  const leading = window.leading.map(({ message }) => message)
  const result = settings.large_result_tokens
  const { tokens } = writer
  const { limits } = await inSlices(writer.plan(window, thresholdTokens, leading))
  const summaries = { maxTokens: limits.summaries, tokens }
  const shown = { leading, result, summaries, inFlight: true }
  const { messages } = renderContext({ ...shown, window })
  const room = messageRoom({ thresholdTokens, messages, tokens, currentTokens: promptTokens })
  const plan = await inSlices(writer.plan(window, room, leading))
  const leaf = Math.min(settings.leaf_chunk_tokens, plan.limits.available * LEAST_SHARE)
  if (plan.leavingTokens < leaf * LEAST_SHARE || writer.isCooling()) return
  const { version } = window
  await writer.underLease({ signal, must: false, version }, async (lease) => {
    let { blocks } = plan
    while (blocks.length > 0 || writer.isCrowded(ledger.window.nodes, plan)) {
      if (ledger.epoch !== epoch) return
      const next = { window: ledger.window, epoch, plan: { ...plan, blocks }, most: 1 }
      const { nodes, created, failure } = await writer.write({ ...next, signal, must: false, force: false })
      if (nodes === null || created.length === 0) return
      const failed = await ledger.adopt(epoch, nodes, created, lease)
      if (ledger.epoch !== epoch) return
      onAdopted()
      if (failure !== undefined || failed !== undefined) break
      if (created.some(({ depth }) => depth === 0)) blocks = blocks.slice(1)
    }
    // Showing summaries takes reading them. It is done here, so that a host that gets the list with them need not wait.
    await renderContextAhead({ ...shown, window: ledger.window })
  })
}

/** Work that goes on between turns, one piece at a time. */
interface Background {
  readonly isBusy: boolean
  /** Starts a piece, unless one is under way. What it throws is dropped: the next compaction does it again. */
  start(work: (signal: AbortSignal) => Promise<void>): void
  stop(): Promise<void>
}

/** `enqueue` keeps the work apart from other work on the same session. */
function createBackground(enqueue: SerialQueue): Background {
  let controller: AbortController | undefined
  let running: Promise<void> | undefined
  /** The piece itself: an abort takes it out of the queue before it has given back what it held. */
  let piece: Promise<void> | undefined
  return {
    get isBusy() {
      return running !== undefined
    },
    start(work) {
      if (running !== undefined) return
      controller = new AbortController()
      const { signal } = controller
      const begin = () => {
        piece = work(signal)
        return piece
      }
      running = enqueue(begin, signal)
        .catch(() => {})
        .finally(() => {
          running = undefined
        })
    },
    async stop() {
      controller?.abort(new Error('the work in the background was stopped'))
      await running
      await piece?.catch(() => {})
    },
  }
}
