import type { DumpRecord } from '../store/dump-record.ts'
import { nextSeq, nextSummary, type SessionState } from './session-state.ts'

/** What a session holds of its own, as records. */
export function* dumpSession(state: SessionState): Generator<DumpRecord> {
  const { principal, key, createdAt, parent, replaced } = state
  yield {
    type: 'session',
    ...{ principal, key, createdAt },
    ...(parent === undefined
      ? {}
      : { parent: { key: parent.state.key, seq: parent.seq, summary: parent.summary } }),
    ...{ nextSeq: nextSeq(state), nextSummary: nextSummary(state) },
    replaced: replaced.map(({ first, last }) => ({ first, last })),
  }
  for (const { text: _, ...message } of state.messages) yield { type: 'message', ...message }
  for (const node of state.summaries) yield { type: 'summary', ...node }
  for (const version of state.versions) yield { type: 'frontier', ...version }
}
