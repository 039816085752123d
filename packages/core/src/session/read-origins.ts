import { equalValues } from '../messages/equal-values.ts'
import { isObject, looseOf } from '../messages/loose.ts'
import type { Message } from '../spec/v1/message.ts'
import type { MessageRange, Origin } from '../spec/v1/origin.ts'
import type { EngineGuard } from './engine-guard.ts'
import { inSlices } from './pause.ts'
import { type TracedMessages, traceOriginsSliced } from './trace-origins.ts'

interface OriginsInput {
  readonly engineName: string
  readonly guard: EngineGuard
  readonly transcript: readonly Message[]
  readonly before: TracedMessages
  readonly after: readonly Message[]
  readonly told: unknown
}

/** The origins that an engine told, or those found by comparison; what it told wrongly is a warning. */
export async function originsOf({
  engineName,
  guard,
  transcript,
  before,
  after,
  told,
}: OriginsInput): Promise<readonly Origin[]> {
  const read = () => (told === undefined ? undefined : readOrigins(told, after, transcript))
  const known = guard.call('origins', undefined, read)
  return known ?? inSlices(traceOriginsSliced(before, after, engineName))
}

/**
 * The session's own copy of the origins that an engine told or a host kept, one for each message.
 *
 * @throws TypeError naming the first that is not true of the transcript.
 */
export function readOrigins(
  value: unknown,
  messages: readonly Message[],
  transcript: readonly Message[],
): readonly Origin[] {
  if (!Array.isArray(value) || value.length !== messages.length)
    throw new TypeError(`origins must be a list with one entry for each of the ${messages.length} messages`)
  return Array.from(value, (entry: unknown, index): Origin => {
    const origin = readOrigin(entry, transcript.length)
    if (origin === undefined) throw new TypeError(`origins[${index}] names no place in the transcript`)
    if (origin.from !== 'transcript' || !origin.whole) return origin
    if (equalValues(transcript[origin.index], messages[index])) return origin
    throw new TypeError(`origins[${index}] says that message ${origin.index} is shown whole, and it is not`)
  })
}

function readOrigin(value: unknown, length: number): Origin | undefined {
  if (!isObject(value)) return undefined
  const { from, index, whole, of, by } = looseOf(value)
  if (from === 'transcript' && isIndex(index, length) && typeof whole === 'boolean')
    return { from, index, whole }
  if (from === 'note' && typeof by === 'string') return { from, by }
  if (from !== 'summary' || !Array.isArray(of)) return undefined
  const ranges = of.map((range) => readRange(range, length))
  return ranges.every((range) => range !== undefined) ? { from, of: ranges } : undefined
}

function readRange(value: unknown, length: number): MessageRange | undefined {
  if (!isObject(value)) return undefined
  const { first, last } = looseOf(value)
  return isIndex(first, length) && isIndex(last, length) && first <= last ? { first, last } : undefined
}

function isIndex(value: unknown, length: number): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < length
}
