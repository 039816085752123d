import { messageRoom } from '@palimpsest/core'
import type { CompactionWriter } from './compaction-writer.ts'
import type { ContextLedger } from './context-ledger.ts'
import type { LcmSettings } from './options.ts'
import { renderContext } from './render-context.ts'

/** Of a leaf, what must be there to be summarised for a call to the model to be worth it. */
const LEAST_SHARE = 0.5

export interface PrepareInput {
  readonly ledger: ContextLedger
  readonly writer: CompactionWriter
  readonly settings: LcmSettings
  /** Prompt size from which a compaction is due, in tokens. */
  readonly thresholdTokens: number
  /** What the prompt costs now, in tokens. */
  readonly promptTokens: number
  readonly signal: AbortSignal
}

/**
 * Writes summaries of what would leave the context at the next compaction, and puts them in force; the host's list shows
 * them after that compaction. True when there are some.
 */
export async function prepareSummaries(input: PrepareInput): Promise<boolean> {
  const { ledger, writer, settings, thresholdTokens, promptTokens, signal } = input
  await ledger.load()
  const { window, epoch } = ledger
  const leading = window.leading.map(({ message }) => message)
  const result = settings.large_result_tokens
  const summaries = Number.POSITIVE_INFINITY
  const { messages } = renderContext({ leading, window, result, summaries, inFlight: true })
  const { tokens } = writer
  const room = messageRoom({ thresholdTokens, messages, tokens, currentTokens: promptTokens })
  const plan = writer.plan(window, room, leading)
  const leaf = Math.min(settings.leaf_chunk_tokens, plan.limits.available * LEAST_SHARE)
  if (plan.leavingTokens < leaf * LEAST_SHARE || writer.isCooling()) return false
  const isAdopted = await writer.underLease({ signal, must: false }, async (lease) => {
    const written = await writer.write({ window, plan, signal, must: false, force: false })
    if (written.nodes === null) return false
    await ledger.adopt(epoch, written.nodes, written.created, lease)
    return ledger.epoch === epoch
  })
  return isAdopted === true
}
