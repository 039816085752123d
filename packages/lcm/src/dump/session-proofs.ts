import { StoreConflictError } from '../errors/store-error.ts'
import { countLive } from '../history/replaced-ranges.ts'
import type { DumpRecord } from '../store/dump-record.ts'

type SessionRecord = Omit<Extract<DumpRecord, { type: 'session' }>, 'type'>

/**
 * Compares the lengths of two states of a session: 1 when `given` goes on behind `known`, -1 when it is behind, 0
 * when they are equally long.
 *
 * @throws StoreConflictError when neither can continue the other.
 */
export function compareStates(known: SessionRecord, given: SessionRecord): -1 | 0 | 1 {
  const steps = (['nextSeq', 'nextSummary', 'version'] as const).map((size) =>
    Math.sign(given[size] - known[size]),
  )
  const order = steps.includes(1) ? 1 : steps.includes(-1) ? -1 : 0
  const [shorter, longer] = order === 1 ? [known.replaced, given.replaced] : [given.replaced, known.replaced]
  const covered = shorter.every(({ first, last }) => countLive(longer, first, last) === 0)
  const settled = order !== 0 || rangesText(known) === rangesText(given)
  const sameOrigin = known.createdAt === given.createdAt && originText(known) === originText(given)
  if ((order === 1 && steps.includes(-1)) || !covered || !settled || !sameOrigin)
    throw stateConflict(known.key)
  return order
}

function originText({ parent }: SessionRecord): string {
  return JSON.stringify([parent?.key, parent?.seq, parent?.summary])
}

function rangesText({ replaced }: SessionRecord): string {
  return JSON.stringify(replaced.map(({ first, last }) => [first, last]))
}

/** The part of a record on which two states of a session must agree, forgotten content or not. */
export function recordProof(record: DumpRecord): string {
  if (record.type === 'message') {
    const { seq, role, hostId, at, tokens, hash } = record
    return JSON.stringify([seq, role, hostId, at, tokens, hash])
  }
  if (record.type === 'summary') {
    const { number, children, tokens, sourceTokens, at, from, to, hash } = record
    return JSON.stringify([number, children, tokens, sourceTokens, at, from, to, hash])
  }
  if (record.type === 'session') return ''
  const { version, reason, nextSeq, at, summaries } = record
  return JSON.stringify([version, reason, nextSeq, at, summaries])
}

/** The error for a session that is there and is another one. */
export function stateConflict(key: string): StoreConflictError {
  return new StoreConflictError(
    `there is a session ${key} already with something else in it; import into another store`,
  )
}
