import { StoreConflictError } from '../errors/store-conflict-error.ts'
import { countLive } from '../history/replaced-ranges.ts'
import type { DumpRecord } from '../store/dump-record.ts'

type RecordOf<Type extends DumpRecord['type']> = Omit<Extract<DumpRecord, { type: Type }>, 'type'>

/**
 * How far a session goes in one of two states of it, against the other: 1 when `given` goes on behind `known`, -1 when
 * it is behind, 0 when both are equally long.
 *
 * @throws StoreConflictError when neither can continue the other.
 */
export function compareStates(known: RecordOf<'session'>, given: RecordOf<'session'>): -1 | 0 | 1 {
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

function originText({ parent }: RecordOf<'session'>): string {
  return JSON.stringify([parent?.key, parent?.seq, parent?.summary])
}

function rangesText({ replaced }: RecordOf<'session'>): string {
  return JSON.stringify(replaced.map(({ first, last }) => [first, last]))
}

/** What two states of a session must agree on in a message. One of them may have forgotten its content. */
export function messageProof({
  seq,
  role,
  hostId,
  at,
  tokens,
  hash,
}: Omit<RecordOf<'message'>, 'json'>): string {
  return JSON.stringify([seq, role, hostId, at, tokens, hash])
}

/** The same for a summary. */
export function summaryProof(node: Omit<RecordOf<'summary'>, 'text'>): string {
  const { number, children, tokens, sourceTokens, at, from, to, hash } = node
  return JSON.stringify([number, children, tokens, sourceTokens, at, from, to, hash])
}

/** The same for a version of the frontier. */
export function frontierProof({ version, reason, nextSeq, at, summaries }: RecordOf<'frontier'>): string {
  return JSON.stringify([version, reason, nextSeq, at, summaries])
}

/** The error for a session that is there and is another one. */
export function stateConflict(key: string): StoreConflictError {
  return new StoreConflictError(
    `there is a session ${key} already with something else in it; import into another store`,
  )
}
