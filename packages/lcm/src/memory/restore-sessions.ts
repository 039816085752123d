import type { DumpRecord } from '../store/dump-record.ts'
import type { SessionRef } from '../store/lcm-store.ts'
import {
  type OwnRecord,
  planRecords,
  planRestore,
  type RestoredSession,
  type RestoreStep,
  restoreSteps,
  storedRange,
} from '../store-kit/plan-restore.ts'
import { createSessionState, knownRows, type SessionState, writePlan } from './session-state.ts'

interface RestoreTarget {
  find(ref: Required<SessionRef>): SessionState | undefined
  put(state: SessionState): void
  remove(state: SessionState): void
}

/** Reads all records before the first is written, and takes back what was written when one is refused. */
export async function restoreSessions(
  records: AsyncIterable<DumpRecord>,
  target: RestoreTarget,
): Promise<{ sessions: number; messages: number }> {
  const steps: RestoreStep[] = []
  for await (const step of restoreSteps(records)) steps.push(step)
  const undo: (() => void)[] = []
  try {
    return writeSteps(steps, target, undo)
  } catch (error) {
    for (const step of undo.reverse()) step()
    throw error
  }
}

function writeSteps(steps: readonly RestoreStep[], target: RestoreTarget, undo: (() => void)[]) {
  const written = { sessions: 0, messages: 0 }
  let current: { readonly state: SessionState; restored: RestoredSession } | undefined
  for (const step of steps) {
    if (step.begins !== undefined) {
      const { principal, parent } = step.begins
      const known = target.find(step.begins)
      const origin = parent && target.find({ principal, key: parent.key })
      const restored = planRestore(step.begins, known?.session, origin?.session)
      const state = known ?? createSessionState(restored.session, origin)
      undo.push(known === undefined ? () => target.remove(state) : undoOf(known))
      if (known === undefined) target.put(state)
      if (restored.goesOn) written.sessions++
      current = { state, restored }
    } else if (current !== undefined) {
      const { state, restored } = current
      const range = storedRange(restored.session, step.records)
      const stored = range === undefined ? [] : recordsOf(state, range.type, range.first, range.last)
      const plan = planRecords(restored.session, step.records, stored, knownRows(state))
      if (restored.goesOn) writePlan(state, plan)
      current.restored = { ...restored, session: plan.session }
      written.messages += plan.messages.length
    }
  }
  return written
}

function undoOf(state: SessionState): () => void {
  const { session, messages, summaries, frontiers } = state
  const lengths = [messages, summaries, frontiers].map((rows) => ({ rows, length: rows.length }))
  return () => {
    state.session = session
    for (const { rows, length } of lengths) rows.length = length
  }
}

/** Own rows of a session between two numbers, both inclusive, as records. */
export function recordsOf(
  { session, messages, summaries, frontiers }: SessionState,
  type: OwnRecord['type'],
  first: number,
  last: number,
): OwnRecord[] {
  if (type === 'message') {
    const base = session.parent?.seq ?? 0
    return messages
      .slice(first - base, last + 1 - base)
      .map(({ text: _, ...message }) => ({ type, ...message }))
  }
  if (type === 'summary') {
    const base = session.parent?.summary ?? 1
    return summaries.slice(first - base, last + 1 - base).map((node) => ({ type, ...node }))
  }
  return frontiers.slice(first, last + 1).map((frontier) => ({ type, ...frontier }))
}
