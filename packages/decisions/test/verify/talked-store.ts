import type { SourceMessage } from '../../src/candidates/source-message.ts'
import type { DecisionEvent, SaidEvent } from '../../src/log/decision-event.ts'
import { eventId } from '../../src/log/ids.ts'
import { createMemoryDecisionStore } from '../../src/memory/create-memory-store.ts'
import type { DecisionSession, DecisionStore, StoredEvent } from '../../src/store/decision-store.ts'
import {
  AT,
  asserted,
  job,
  message,
  messages,
  talk,
  texts,
  touch,
  withdrawn,
} from '../../src/store-tests/harness/talk.ts'

/** An event about the decision of another one, said in a message. */
export function about(
  begun: SaidEvent,
  said: SourceMessage,
  type: 'accepted' | 'reaffirmed' | 'retracted' | { readonly supersededBy: string },
  session = begun.source.session,
): SaidEvent {
  const { id: _, choice: __, ...base } = { ...asserted(session, said), decision: begun.decision }
  const event =
    typeof type === 'string' ? { ...base, type } : { ...base, ...type, type: 'superseded' as const }
  return { ...event, id: eventId(event) }
}

/**
 * A store that is sound: two sessions of one principal and one of another; decisions that were superseded, accepted and
 * retracted; messages that were taken back and said otherwise; and an event that came with an import.
 */
export async function talkedStore(): Promise<DecisionStore> {
  const store = createMemoryDecisionStore()
  const session = await talk(store, 'a', ...texts(6))
  const [first, second, third] = [0, 2, 4].map((index) => asserted('a', message(index, `text ${index}`)))
  if (first === undefined || second === undefined || third === undefined) throw new Error('three events')
  const events = [
    ...[first, second, third],
    about(first, message(2, 'text 2'), { supersededBy: second.decision }),
    about(second, message(3, 'text 3'), 'accepted'),
    about(third, message(5, 'text 5'), 'retracted'),
  ]
  await session.commit({ events, artifacts: [touch(1)], jobs: [job('a', 0, 4)] }, AT)
  await session.commit(
    {
      replaceFrom: 4,
      sources: messages(4, 'said otherwise'),
      events: [withdrawn('a', 4, 0), asserted('a', message(4, 'said otherwise'), { edition: 1 })],
      summary: { messages: 2, prefixHash: 'x', text: 'y' },
    },
    AT,
  )
  const other = await talk(store, 'b', ...texts(2))
  const imported = { ...asserted('elsewhere', message(70, 'imported text')), by: 'import' } as const
  await other.commit({ events: [about(second, message(0, 'text 0'), 'reaffirmed', 'b'), imported] }, AT)
  const theirs = await store.session({ principal: 'you', key: 'a' }, AT)
  await theirs.commit({ sources: messages(0, 'theirs'), events: [asserted('a', message(0, 'theirs'))] }, AT)
  return store
}

/** What a damage does to the answers of a store; null takes something away. */
export interface Damage {
  readonly event?: (stored: StoredEvent) => DecisionEvent | null
  readonly source?: (source: SourceMessage) => SourceMessage | null
  readonly session?: (session: DecisionSession) => Partial<DecisionSession>
  readonly store?: Partial<DecisionStore>
}

/** The same store, but its answers about the default principal are damaged. */
export function damaged(store: DecisionStore, damage: Damage): DecisionStore {
  const change = <T, R>(
    rows: readonly T[],
    each: ((row: T) => R | null) | undefined,
    keep: (row: T, changed: R) => T,
  ) =>
    each === undefined
      ? rows
      : rows.flatMap((row) => {
          const changed = each(row)
          return changed === null ? [] : [keep(row, changed)]
        })
  const isMine = (principal = 'local') => principal === 'local'
  return {
    ...store,
    events: async (query) => {
      const rows = await store.events(query)
      return isMine(query.principal) ? change(rows, damage.event, ({ seq }, event) => ({ seq, event })) : rows
    },
    find: async (ref) => {
      const session = await store.find(ref)
      if (session === null || !isMine(ref.principal) || ref.key !== 'a') return session
      const sources: DecisionSession['sources'] = async (range) =>
        change(await session.sources(range), damage.source, (_, changed) => changed)
      return { ...session, sources, ...damage.session?.(session) }
    },
    ...damage.store,
  }
}
