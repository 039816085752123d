import { keptResult } from '../engine/compress-results.ts'
import { errorText } from '../errors/error-text.ts'
import { checkCompression } from '../laws/check-compression.ts'
import { checkProjection } from '../laws/check-projection.ts'
import type { Violation } from '../laws/violation.ts'
import type { CompressResult } from '../spec/v1/compress-result.ts'
import type { Message } from '../spec/v1/message.ts'
import type { TokenCounter } from '../spec/v1/token-counter.ts'
import { abortable } from './abortable.ts'
import type { EngineGuard } from './engine-guard.ts'
import { createPause } from './pause.ts'
import { readCompressResult } from './read-compress-result.ts'
import { originsOf } from './read-origins.ts'
import type { TracedMessages } from './trace-origins.ts'

export interface CompactInput {
  readonly engineName: string
  readonly guard: EngineGuard
  readonly tokens: TokenCounter
  readonly transcript: readonly Message[]
  readonly projection: TracedMessages
  readonly propose: () => Promise<CompressResult>
  readonly signal: AbortSignal | undefined
}

export interface Compacted {
  /** A proposal that broke a law is `aborted`, with a warning. */
  readonly result: CompressResult
  /** The frozen new projection; undefined when there is none. */
  readonly projection?: TracedMessages
  readonly violations: readonly Violation[]
}

/**
 * Asks the engine for a compaction and takes the answer only if the laws hold for it. An engine that throws
 * or returns something else costs the compaction, not the turn. An abort rejects with the signal's reason and
 * changes nothing.
 */
export async function compactProjection(input: CompactInput): Promise<Compacted> {
  const { engineName, guard, tokens, transcript, projection, propose, signal } = input
  const refuse = (code: string, message: string, result?: CompressResult): CompressResult =>
    keptResult('aborted', code, projection.messages, tokens, [...(result?.warnings ?? []), { code, message }])

  const pause = createPause()
  let result: CompressResult
  try {
    result = readCompressResult(await abortable(propose(), signal), projection.messages, tokens)
  } catch (error) {
    signal?.throwIfAborted()
    const message = `the engine "${engineName}" failed to compact and everything was kept: ${errorText(error)}`
    return { result: refuse('engine-failed', message), violations: [] }
  }
  if (result.outcome !== 'compacted') return { result, violations: [] }
  await pause()
  const broken = checkProjection(result.messages, transcript, { before: projection.messages })
  await pause()
  // A value that is no sequence of messages cannot be counted either.
  const violations = broken.length > 0 ? broken : checkCompression(projection.messages, result, tokens)
  const [first] = violations
  await pause()
  if (first === undefined) {
    const { messages, origins: told } = result
    const read = { engineName, guard, transcript, before: projection, after: messages, told }
    const origins = await originsOf(read)
    return { result: { ...result, origins }, projection: { messages, origins }, violations }
  }
  const message = `a compaction by "${engineName}" broke law ${first.law} (${first.code} at message ${first.index}: ${first.message}) and was not used`
  return { result: refuse('law-violation', message, result), violations }
}
