import type { DumpRecord } from '../store/dump-record.ts'
import { nextSeq, nextSummary, type SessionState } from './session-state.ts'

/** What a session holds of its own, as records. */
export function* dumpSession(state: SessionState): Generator<DumpRecord> {
  yield sessionRecord(state)
  for (const { text: _, ...message } of state.messages) yield { type: 'message', ...message }
  for (const node of state.summaries) yield { type: 'summary', ...node }
  for (const version of state.versions) yield { type: 'frontier', ...version }
}

/** The first record of a session. */
export function sessionRecord(state: SessionState): Extract<DumpRecord, { type: 'session' }> {
  const { principal, key, createdAt, parent, replaced, versions } = state
  return {
    type: 'session',
    ...{ principal, key, createdAt },
    ...(parent && { parent: { key: parent.state.key, seq: parent.seq, summary: parent.summary } }),
    ...{ nextSeq: nextSeq(state), nextSummary: nextSummary(state), version: versions.length - 1 },
    replaced: replaced.map(({ first, last }) => ({ first, last })),
  }
}
