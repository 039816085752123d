import { StoreError } from '../errors/store-error.ts'
import type { SeqRange } from '../store/lcm-session.ts'
import type { SummaryNode } from '../store/summary-node.ts'
import { isInstructionRole } from './instruction-role.ts'
import { countLive, nextLive } from './replaced-ranges.ts'

/** What a frontier needs to know of a summary. */
export type Cover = Pick<SummaryNode, 'first' | 'last' | 'messages'>

/** The session as it will be when the frontier is its own. */
export interface FrontierContext<Node extends Cover> {
  readonly nextSeq: number
  readonly replaced: readonly SeqRange[]
  /** The role of a message; undefined when there is none of that number. */
  roleOf(seq: number): string | undefined
  /** A summary; undefined when there is none of that number. */
  find(number: number): Node | undefined
}

/**
 * Refuses a list of summaries that is not one unbroken run of live messages from the first one that is no
 * instruction. It looks at bounds and counts, not at the messages.
 *
 * @returns The summaries.
 * @throws StoreError `INVALID_FRONTIER`
 */
export function checkFrontier<Node extends Cover>(
  summaries: readonly number[],
  context: FrontierContext<Node>,
): Node[] {
  if (summaries.length === 0) return []
  const { nextSeq, replaced } = context
  let expected = firstCoverable(context)
  return summaries.map((number) => {
    const node = context.find(number)
    if (node === undefined) throw invalid(`there is no s${number}`)
    const { first, last, messages } = node
    if (first !== expected) throw invalid(`s${number} begins at m${first}, but m${expected} is next`)
    if (last < first || last >= nextSeq) throw invalid(`s${number} ends at m${last}, which is not there`)
    if (countLive(replaced, first, last) !== messages || nextLive(replaced, last) !== last)
      throw invalid(`s${number} does not cover what m${first} to m${last} hold now`)
    expected = nextLive(replaced, last + 1)
    return node
  })
}

/**
 * Refuses new summaries whose numbers do not continue the session's, or whose children are not there before them.
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

/** The first live message that is no leading instruction: where every frontier begins. */
function firstCoverable({ replaced, roleOf }: Pick<FrontierContext<Cover>, 'replaced' | 'roleOf'>): number {
  let seq = nextLive(replaced, 0)
  while (isInstructionRole(roleOf(seq))) seq = nextLive(replaced, seq + 1)
  return seq
}

function invalid(reason: string): StoreError {
  return new StoreError('INVALID_FRONTIER', `${reason}; a frontier covers an unbroken run of messages`)
}
