import { StoreError } from '../errors/store-error.ts'
import type { StoredEvent } from '../store/decision-store.ts'
import type { BatchRows } from './batch-rows.ts'

/**
 * Number of messages after a batch.
 *
 * @param count Their number before it.
 * @param unknown The events of `rows.unknown`.
 * @throws StoreError `STORE_CONFLICT` when the batch does not follow on them, or when another worker took some of them
 * back and the writer does not know it.
 */
export function countAfter(count: number, rows: BatchRows, unknown: readonly StoredEvent[]): number {
  if (unknown.some(({ event }) => event.type === 'withdrawn' && event.session === rows.session))
    throw conflict('messages were taken back by another worker', count)
  const { replaceFrom = count, sources, artifacts, jobs, summary } = rows
  if (replaceFrom > count) throw conflict(`message ${replaceFrom} is to be replaced`, count)
  const [first] = sources
  if (first !== undefined && first.message !== replaceFrom)
    throw conflict(`message ${first.message} is written where message ${replaceFrom} comes next`, count)
  const after = replaceFrom + sources.length
  const touch = artifacts.find(({ message }) => message >= after)
  if (touch !== undefined) throw conflict(`a file was touched in message ${touch.message}`, count)
  const job = jobs.find(({ to }) => to > after)
  if (job !== undefined) throw conflict(`a model is to read until message ${job.to - 1}`, count)
  if (summary && summary.messages > after)
    throw conflict(`a summary stands for ${summary.messages} messages`, count)
  return after
}

function conflict(what: string, count: number): StoreError {
  return new StoreError(
    'STORE_CONFLICT',
    `${what}, but the store has ${count} messages of the session; read it again and write what follows`,
  )
}
