import type { DecisionEvent, DecisionSessionInfo, DecisionStore } from '@palimpsest/decisions'

export interface CopiedEvents {
  readonly events: number
  /** Those that the other store did not have. */
  readonly added: number
  /** Identifiers of those that are another thing there. */
  readonly different: readonly string[]
}

/**
 * Brings the whole log of a principal to another store, in its order. An event that is there is left as it is; then both
 * logs are compared.
 *
 * @param sessions Those of the principal, at least one. They are in the other store.
 */
export async function copyEvents(
  from: DecisionStore,
  to: DecisionStore,
  principal: string,
  sessions: readonly DecisionSessionInfo[],
): Promise<CopiedEvents> {
  const scopes = await from.scopes(principal)
  const read = async (store: DecisionStore): Promise<ReadonlyMap<string, DecisionEvent>> =>
    new Map((await store.events({ principal, scopes })).map(({ event }) => [event.id, event]))
  const events = await read(from)
  const before = await read(to)
  const missing = [...events.values()].filter(({ id }) => !before.has(id))
  for (const { info, run } of runsOf(missing, sessions)) {
    const session = await to.session(info, info.lastAt)
    await session.commit({ events: run }, info.lastAt)
  }
  const after = await read(to)
  const different = [...events].filter(
    ([id, event]) => JSON.stringify(event) !== JSON.stringify(after.get(id)),
  )
  return { events: events.size, added: missing.length, different: different.map(([id]) => id) }
}

interface Run {
  readonly info: DecisionSessionInfo
  readonly run: DecisionEvent[]
}

/**
 * Events in their order, with the session that they are written through: the one that they were read in. What was
 * imported may name one that was never here; its events go through the first one, which counts them then.
 */
function runsOf(events: readonly DecisionEvent[], sessions: readonly DecisionSessionInfo[]): Run[] {
  const known = new Map(sessions.map((info) => [info.key, info]))
  const runs: Run[] = []
  for (const event of events) {
    const key = event.type === 'withdrawn' ? event.session : event.source.session
    const info = known.get(key) ?? sessions[0]
    const last = runs.at(-1)
    if (info === undefined) continue
    if (last?.info === info) last.run.push(event)
    else runs.push({ info, run: [event] })
  }
  return runs
}
