import { StoreConflictError } from '../errors/store-conflict-error.ts'
import { StoreError } from '../errors/store-error.ts'
import { countLive, nextLive } from '../history/replaced-ranges.ts'
import type { CommitInput, SeqRange } from '../store/lcm-session.ts'
import type { SummaryNode } from '../store/summary-node.ts'
import {
  currentVersion,
  messageAt,
  nextSeq,
  nextSummary,
  type SessionState,
  summaryAt,
} from './session-state.ts'

/** Finds a summary by its number. */
type FindSummary = (number: number) => SummaryNode | undefined

/**
 * Refuses a commit that was planned on something else than what is there, or whose lease is lost.
 *
 * @throws StoreConflictError
 */
export function checkVersion(state: SessionState, version: number): void {
  const current = currentVersion(state).version
  if (current !== version)
    throw new StoreConflictError(
      `the frontier is at version ${current}, not ${version}: another writer was faster; read it again`,
    )
}

/** @throws StoreConflictError */
export function checkLease(state: SessionState, { lease }: CommitInput): void {
  if (lease === undefined) return
  if (state.lease?.token !== lease.token || state.lease.holder !== lease.holder)
    throw new StoreConflictError(`the lease ${lease.token} of ${lease.holder} is lost; acquire it again`)
}

/**
 * Refuses new summaries whose numbers do not continue the session's, or whose children are not there before them.
 *
 * @throws StoreError `INVALID_FRONTIER`
 */
export function checkNewSummaries(state: SessionState, create: readonly SummaryNode[]): void {
  const first = nextSummary(state)
  for (const [index, { number, children }] of create.entries()) {
    if (number !== first + index)
      throw invalid(`the next summary has the number ${first + index}, not ${number}`)
    const missing = children.find((child) => child >= first + index || !known(state, create, child))
    if (missing !== undefined) throw invalid(`s${number} condenses s${missing}, which is not there before it`)
  }
}

function known(state: SessionState, create: readonly SummaryNode[], number: number): boolean {
  return create[number - nextSummary(state)] !== undefined || summaryAt(state, number) !== undefined
}

/**
 * Refuses a list of summaries that is not one unbroken run of live messages from the first one that is no instruction.
 *
 * @throws StoreError `INVALID_FRONTIER`
 */
export function checkFrontier(
  state: SessionState,
  summaries: readonly number[],
  find: FindSummary,
  replaced: readonly SeqRange[] = state.replaced,
): void {
  if (summaries.length === 0) return
  let expected = firstCoverable(state, replaced)
  for (const number of summaries) {
    const node = find(number)
    if (node === undefined) throw invalid(`there is no s${number}`)
    const { first, last, messages } = node
    if (first !== expected) throw invalid(`s${number} begins at m${first}, but m${expected} is next`)
    if (last < first || last >= nextSeq(state))
      throw invalid(`s${number} ends at m${last}, which is not there`)
    if (countLive(replaced, first, last) !== messages || nextLive(replaced, last) !== last)
      throw invalid(`s${number} does not cover what m${first} to m${last} hold now`)
    expected = nextLive(replaced, last + 1)
  }
}

/** The first live message that is no leading instruction: where every frontier begins. */
function firstCoverable(state: SessionState, replaced: readonly SeqRange[]): number {
  let seq = nextLive(replaced, 0)
  while (INSTRUCTION_ROLES.has(messageAt(state, seq)?.role ?? '')) seq = nextLive(replaced, seq + 1)
  return seq
}

const INSTRUCTION_ROLES: ReadonlySet<string> = new Set(['system', 'developer'])

function invalid(reason: string): StoreError {
  return new StoreError('INVALID_FRONTIER', `${reason}; a frontier covers an unbroken run of messages`)
}
