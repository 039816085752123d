import { abortable, type EngineHost, messageRoom, type SerialQueue, type Warning } from '@palimpsest/core'
import type { Compaction } from '@palimpsest/summaries'
import type { CompactedWindow } from './compact-window.ts'
import { storeWarning, writeWarnings } from './compaction-report.ts'
import type { CompactionWriter } from './compaction-writer.ts'
import type { FrontierKeeper } from './frontier-keeper.ts'
import type { LcmSettings } from './options.ts'
import { renderContext } from './render-context.ts'

/** Share of a leaf that must exist before the model is asked for it. */
const LEAST_SHARE = 0.5

interface SummariesAhead {
  readonly isReady: boolean
  readonly isWriting: boolean
  takeReady(): boolean
  takeWarnings(): Warning[]
  start(promptTokens: number): void
  finish(signal: AbortSignal | undefined): Promise<void>
  stop(): Promise<void>
}

const MOST_WAIT = 60_000

interface AheadInput extends Pick<PrepareInput, 'keeper' | 'writer' | 'settings'> {
  readonly host: EngineHost
  readonly compaction: Compaction
  readonly queue: SerialQueue
}

export function createSummariesAhead(input: AheadInput): SummariesAhead {
  const { host, compaction, queue, keeper, writer, settings } = input
  let warnings: Warning[] = []
  const background = createBackground(queue, (error) => warnings.push(storeWarning(error)))
  let isReady = false
  let isLast = false
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
    takeWarnings() {
      const taken = warnings
      warnings = []
      return taken
    },
    start(promptTokens) {
      if (host.model === undefined || settings.soft_threshold === 0) return
      if (promptTokens < compaction.share(settings.soft_threshold)) return
      isLast = false
      background.start((signal) =>
        prepareSummaries(
          {
            ...{ keeper, writer, settings, signal },
            thresholdTokens: compaction.thresholdTokens,
            promptTokens: isReady ? undefined : promptTokens,
          },
          {
            adopted: () => {
              isReady = true
              return !isLast
            },
            failed: (written) => warnings.push(...writeWarnings(written, writer.modelName)),
          },
        ),
      )
    },
    async finish(signal) {
      isLast = true
      await abortable(background.settled(MOST_WAIT), signal)
      await background.stop()
    },
    stop: background.stop,
  }
}

interface PrepareInput {
  readonly keeper: FrontierKeeper
  readonly writer: CompactionWriter
  readonly settings: LcmSettings
  readonly thresholdTokens: number
  /**
   * Current size of the prompt, in tokens. Undefined if the prompt lacks committed summaries, because its size is then
   * unrelated to the context.
   */
  readonly promptTokens: number | undefined
  readonly signal: AbortSignal
}

/**
 * Writes summaries ahead of the next compaction, one at a time, and commits each at once. The host's list shows them
 * after that compaction.
 *
 * @param report `adopted`: one was committed; returns whether to go on. `failed`: the failure, for warnings.
 */
async function prepareSummaries(
  input: PrepareInput,
  report: { adopted(): boolean; failed(written: CompactedWindow): void },
): Promise<void> {
  const { keeper, writer, settings, thresholdTokens, promptTokens, signal } = input
  await keeper.sync()
  if (keeper.isBehind) return
  const window = keeper.window()
  const { epoch } = keeper
  const leading = window.leading.map(({ message }) => message)
  const result = settings.large_result_tokens
  const { tokens } = writer
  const { limits } = writer.plan(window, thresholdTokens, leading)
  const summaries = { records: limits.records, summaries: limits.summaries, tokens }
  const shown = { leading, result, summaries, inFlight: true }
  const { messages } = renderContext({ ...shown, window })
  const room = messageRoom({ thresholdTokens, messages, tokens, currentTokens: promptTokens })
  const plan = writer.plan(window, room, leading)
  const leaf = Math.min(settings.leaf_chunk_tokens, plan.limits.available * LEAST_SHARE)
  if (plan.leavingTokens < leaf * LEAST_SHARE || writer.isCooling()) return
  let { blocks } = plan
  for (;;) {
    const { nextSummary } = keeper
    const window = keeper.window()
    if (keeper.epoch !== epoch || (blocks.length === 0 && !writer.isCrowded(window.summaries, plan))) return
    const next = { window, nextSummary, plan: { ...plan, blocks }, most: 1 }
    const written = await writer.write({ ...next, signal, must: false, force: false })
    const { summaries, created, failure } = written
    report.failed(written)
    if (summaries === null || created.length === 0) return
    const failed = await keeper.adopt(epoch, summaries, created)
    if (keeper.epoch !== epoch) return
    const goesOn = report.adopted()
    if (failure !== undefined || failed !== undefined || !goesOn) return
    if (created.some(({ depth }) => depth === 0)) blocks = blocks.slice(1)
  }
}

interface Background {
  readonly isBusy: boolean
  start(work: (signal: AbortSignal) => Promise<void>): void
  settled(most: number): Promise<void>
  stop(): Promise<void>
}

function createBackground(enqueue: SerialQueue, failed: (error: unknown) => void): Background {
  let controller: AbortController | undefined
  let running: Promise<void> | undefined
  /** The task itself is awaited: an abort removes it from the queue before it has released what it held. */
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
        .catch((error: unknown) => {
          if (!signal.aborted) failed(error)
        })
        .finally(() => {
          running = undefined
        })
    },
    async settled(most) {
      let timer: ReturnType<typeof setTimeout> | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, most)
      })
      await Promise.race([running, late])
      clearTimeout(timer)
    },
    async stop() {
      controller?.abort(new Error('the work in the background was stopped'))
      await running
      await piece?.catch(() => {})
    },
  }
}
