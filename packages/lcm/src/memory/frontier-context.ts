import type { FrontierContext } from '../history/check-frontier.ts'
import type { SummaryNode } from '../store/summary-node.ts'
import { messageAt, nextSeq, type SessionState, summaryAt } from './session-state.ts'

/** What a frontier of a session is checked against. */
export function frontierContext(state: SessionState): FrontierContext<SummaryNode> {
  return {
    nextSeq: nextSeq(state),
    replaced: state.replaced,
    roleOf: (seq) => messageAt(state, seq)?.role,
    find: (number) => summaryAt(state, number),
  }
}
