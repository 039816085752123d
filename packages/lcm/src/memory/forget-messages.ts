import type { Forgotten, SeqRange } from '../store/lcm-session.ts'
import { planForget } from '../store-kit/plan-write.ts'
import {
  firstSeq,
  freezeNode,
  messageAt,
  ownerOf,
  type SessionState,
  summaryAt,
  writePlan,
} from './session-state.ts'

/** A forgotten range of one session's own messages. */
interface ForgottenRun {
  readonly owner: SessionState
  readonly first: number
  readonly last: number
}

/**
 * Deletes the content of messages, and of all summaries whose ranges hold one of them, in every session that shares
 * them, forks and parents included. Each of these sessions gets a new version, by which a live writer notices.
 */
export function forgetMessages(
  state: SessionState,
  states: Iterable<SessionState>,
  input: SeqRange & { readonly reason: string; readonly at: number },
): Forgotten {
  const tombstone = Object.freeze({ at: input.at, reason: input.reason })
  const first = Math.max(0, input.first)
  const last = Math.min(input.last, state.session.nextSeq - 1)
  let messages = 0
  const runs: ForgottenRun[] = []
  for (let seq = first; seq <= last; seq++) {
    const owner = ownerOf(state, seq)
    const row = messageAt(state, seq)
    if (row === undefined) continue
    const run = runs.at(-1)
    if (run?.owner === owner) runs[runs.length - 1] = { ...run, last: seq }
    else runs.push({ owner, first: seq, last: seq })
    if (row.forgotten !== undefined) continue
    const { session } = owner
    owner.session = { ...session, characters: session.characters - row.json.length }
    owner.messages[seq - firstSeq(owner)] = Object.freeze({
      ...row,
      json: '',
      text: '',
      forgotten: tombstone,
    })
    messages++
  }

  const summaries: number[] = []
  const sharing: SessionState[] = []
  let changed = messages > 0
  for (const session of states) {
    const shared = runs.map((run) => sharedPart(session, run)).filter((range) => range !== undefined)
    if (shared.length > 0) sharing.push(session)
    for (const [index, node] of session.summaries.entries()) {
      if (node.forgotten !== undefined) continue
      if (!shared.some((range) => range.first <= node.last && node.first <= range.last)) continue
      if (summaryAt(state, node.number) === node) summaries.push(node.number)
      changed = true
      session.summaries[index] = freezeNode({ ...node, text: '', forgotten: tombstone })
    }
  }
  if (changed)
    for (const session of sharing) {
      const summaries = session.frontiers.at(-1)?.summaries ?? []
      writePlan(session, planForget(session.session, { at: input.at, summaries }))
    }
  return { messages, summaries: summaries.sort((left, right) => left - right) }
}

/** The part of a run that a session shares with the run's owner; undefined when there is none. */
function sharedPart(session: SessionState, { owner, first, last }: ForgottenRun): SeqRange | undefined {
  let end = last
  let state = session
  while (state !== owner) {
    if (state.parent === undefined) return undefined
    end = Math.min(end, firstSeq(state) - 1)
    state = state.parent
  }
  return first <= end ? { first, last: end } : undefined
}
