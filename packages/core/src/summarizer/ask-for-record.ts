import { ModelError } from '../errors/model-error.ts'
import { redactSecrets } from '../redaction/redact-secrets.ts'
import { abortable } from '../session/abortable.ts'
import type { Completion, CompletionModel } from '../spec/v1/completion-model.ts'
import { withoutThinking } from './without-thinking.ts'

/** A heading with something below it. */
const HAS_SECTION = /^#{1,3} .+\n\s*(?!#)\S/m

export interface RecordRequest {
  readonly model: CompletionModel
  readonly system: string
  readonly prompt: string
  readonly signal: AbortSignal | undefined
}

/**
 * Asks a model for a record in sections with headings: redacted, without the thinking before it. No output limit is
 * sent, because a record that is cut off is a failure. An answer that is no record must not replace a conversation:
 * then it rejects with a `ModelError`, and on abort with the signal's reason.
 */
export async function askForRecord({ model, system, prompt, signal }: RecordRequest): Promise<string> {
  const answer = model.complete({ system, prompt, ...(signal && { signal }) })
  // A model that ignores its signal must not hold up what waits behind this call.
  return readRecord(await abortable(answer, signal))
}

function readRecord({ text, finishReason }: Completion): string {
  if (finishReason === 'length')
    throw new ModelError('truncated', 'the summary was cut off at the output limit')
  if (finishReason === 'content-filter')
    throw new ModelError('blocked', 'the summary was blocked by a filter')
  if (typeof text !== 'string')
    throw new ModelError('unknown', 'the summariser answered with something that is not text')
  const record = redactSecrets(withoutThinking(text)).trim()
  if (record === '') throw new ModelError('empty', 'the summary is empty')
  if (record.includes('</conversation>') || !HAS_SECTION.test(record))
    throw new ModelError('unknown', 'the summariser did not answer with a record in sections')
  return record
}
