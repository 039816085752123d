import type { DecisionSessionInfo, DecisionStore } from '@palimpsest/decisions'
import { copyEvents } from './copy-events.ts'
import { copySession, isSameSession } from './copy-session.ts'

/** Something that is not the same at both ends. */
export interface CopyDifference {
  readonly principal: string
  readonly session?: string
  readonly reason: string
}

export interface CopiedDecisions {
  /** Sessions and events that are the same at both ends now, and the messages of those sessions. */
  readonly sessions: number
  readonly messages: number
  readonly events: number
  readonly written: { readonly messages: number; readonly events: number }
  readonly differences: readonly CopyDifference[]
}

/**
 * Copies sessions into another store, and the log of their principals, and compares both ends. What is there is
 * continued or left as it is; whenever a copy ends, another one goes on.
 *
 * @param infos What the store lists.
 * @param onMessages Is told how many messages are done with.
 */
export async function copyDecisions(
  from: DecisionStore,
  to: DecisionStore,
  infos: readonly DecisionSessionInfo[],
  onMessages: (done: number) => void,
): Promise<CopiedDecisions> {
  const done = { sessions: 0, messages: 0, events: 0 }
  const written = { messages: 0, events: 0 }
  const differences: CopyDifference[] = []
  let seen = 0
  for (const [principal, sessions] of Map.groupBy(infos, (info) => info.principal)) {
    for (const info of sessions) {
      const { key, createdAt, lastAt, messages } = info
      const source = await from.find(info)
      if (source === null) continue
      const target = await to.session(info, createdAt)
      written.messages += await copySession(source, target, lastAt)
      if (await isSameSession(source, target)) {
        done.sessions++
        done.messages += messages
      } else
        differences.push({
          ...{ principal, session: key },
          reason: 'another session of that name is there, or one of both has gone on',
        })
      seen += messages
      onMessages(seen)
    }
    const { events, added, different } = await copyEvents(from, to, principal, sessions)
    done.events += events - different.length
    written.events += added
    for (const id of different)
      differences.push({ principal, reason: `the event ${id} is another one there` })
  }
  return { ...done, written, differences }
}
