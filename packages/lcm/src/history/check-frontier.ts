import { StoreError } from '../errors/store-error.ts'
import type { SeqRange, SummaryNode } from '../store/lcm-session.ts'
import { countLive, nextLive } from './replaced-ranges.ts'

const INSTRUCTION_ROLES: ReadonlySet<unknown> = new Set(['system', 'developer'])

/** True for the roles of a system prompt, as a store knows them: core's `isInstruction` needs the whole message. */
export function isInstructionRole(role: unknown): boolean {
  return INSTRUCTION_ROLES.has(role)
}

export type Cover = Pick<SummaryNode, 'first' | 'last' | 'messages'>

/** The rows of a session, and of what it shares, that a write is checked against. */
export interface KnownRows {
  /**
   * The role of a message; undefined when there is none of that number. Asked of the messages from the first one on that
   * are not replaced, up to one that is no instruction, and only when the input lists summaries.
   */
  roleOf(seq: number): string | undefined
  /** The range of a summary; undefined when there is none of that number. Asked of summaries that the input names. */
  coverOf(number: number): Cover | undefined
}

/**
 * Refuses a list of summaries that is not one unbroken run of live messages from the first non-instruction on. It
 * looks at bounds and counts, not at messages.
 *
 * @param session The session once the frontier is its own.
 * @throws StoreError `INVALID_FRONTIER`
 */
export function checkFrontier(
  summaries: readonly number[],
  session: { readonly nextSeq: number; readonly replaced: readonly SeqRange[] },
  rows: KnownRows,
): void {
  if (summaries.length === 0) return
  const { nextSeq, replaced } = session
  let expected = nextLive(replaced, 0)
  while (expected < nextSeq && isInstructionRole(rows.roleOf(expected)))
    expected = nextLive(replaced, expected + 1)
  for (const number of summaries) {
    const cover = rows.coverOf(number)
    if (cover === undefined) throw invalid(`there is no s${number}`)
    const { first, last, messages } = cover
    if (first !== expected) throw invalid(`s${number} begins at m${first}, but m${expected} is next`)
    if (last < first || last >= nextSeq) throw invalid(`s${number} ends at m${last}, which is not there`)
    if (countLive(replaced, first, last) !== messages || nextLive(replaced, last) !== last)
      throw invalid(`s${number} does not cover what m${first} to m${last} hold now`)
    expected = nextLive(replaced, last + 1)
  }
}

/**
 * Refuses new summaries whose numbers do not continue the session's, or whose children are not there.
 *
 * @param next The number of the session's next summary.
 * @param isThere Whether the session has a summary of a number below `next`.
 * @throws StoreError `INVALID_FRONTIER`
 */
export function checkNewSummaries(
  create: readonly Pick<SummaryNode, 'number' | 'children'>[],
  next: number,
  isThere: (number: number) => boolean,
): void {
  for (const [index, { number, children }] of create.entries()) {
    if (number !== next + index)
      throw invalid(`the next summary has the number ${next + index}, not ${number}`)
    for (const child of children)
      if (!(Number.isInteger(child) && child < number && (child >= next || isThere(child))))
        throw invalid(`s${number} condenses s${child}, which is not there before it`)
  }
}

function invalid(reason: string): StoreError {
  return new StoreError('INVALID_FRONTIER', `${reason}; a frontier covers an unbroken run of messages`)
}
