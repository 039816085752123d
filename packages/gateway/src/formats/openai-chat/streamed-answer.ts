import { isObject } from '@palimpsest/core'
import { parseJson } from '../../parse-json.ts'
import { type StreamedAnswer, StreamedError } from '../wire-format.ts'
import { createStreamRound, type StreamRound, type StreamRoundInput } from './stream-round.ts'
import { sumUsage } from './sum-usage.ts'
import { toRequestMessage } from './to-request-message.ts'

/** What ends a stream. */
const DONE = '[DONE]'

export function createStreamedAnswer(input: Omit<StreamRoundInput, 'before'>): StreamedAnswer {
  const begin = (before?: StreamRound) => createStreamRound({ ...input, before: before?.seen })
  let round = begin()
  let isOver = false
  return {
    beginRound() {
      round = begin(round)
      isOver = false
    },
    take(event) {
      isOver = event === DONE
      const chunk = isOver ? undefined : parseJson(event)
      if (!isObject(chunk)) return []
      if (chunk.error !== undefined && chunk.error !== null) throw new StreamedError(JSON.stringify(chunk))
      return round.take(chunk).map((visible) => JSON.stringify(visible))
    },
    get message() {
      return toRequestMessage(round.message)
    },
    get usage() {
      return round.usage
    },
    get isFinished() {
      return round.isFinished
    },
    get isOver() {
      return isOver
    },
    end: (usages) => [...round.end(sumUsage(usages)).map((chunk) => JSON.stringify(chunk)), DONE],
  }
}
