import type { StoredSession } from '@palimpsest/core'
import { isSecured } from '../stores/store-place.ts'
import type { OpenedStore, StoreFlags } from '../stores/with-store.ts'
import { UsageError } from '../usage-error.ts'
import { printable } from './printable.ts'

export interface SessionFlags extends StoreFlags {
  readonly session?: string
}

const NAMED_SESSIONS = 10

/** @param advice what else a person can write when there are several sessions. */
export async function chooseSession(
  opened: OpenedStore,
  key: string | undefined,
  advice = '',
): Promise<StoredSession> {
  const { store, principal, place } = opened
  if (key !== undefined) {
    const session = await store.find({ principal, key })
    if (session !== null) return session
    throw new UsageError(
      `there is no session "${printable(key)}" in ${place.name}; ${await knownSessions(opened)}`,
    )
  }
  const [first, second] = await store.list({ principal, limit: 2 })
  const session = first !== undefined && second === undefined ? await store.find(first) : null
  if (session !== null) return session
  if (first === undefined) throw new UsageError(`${place.name}: ${await knownSessions(opened)}`)
  throw new UsageError(`name the session with --session${advice}; ${await knownSessions(opened)}`)
}

export async function assertPrincipal(opened: OpenedStore): Promise<void> {
  const [own] = await opened.store.list({ principal: opened.principal, limit: 1 })
  if (own === undefined) throw new UsageError(`${opened.place.name}: ${await knownSessions(opened)}`)
}

async function knownSessions({ store, place, principal }: OpenedStore): Promise<string> {
  const own = await store.list({ principal, limit: NAMED_SESSIONS + 1 })
  if (own.length > 0) return `there are: ${names(own.map(({ key }) => key))}`
  const none = `the principal "${printable(principal)}" has no session`
  const others = await store.list({ limit: NAMED_SESSIONS + 1 })
  if (others.length === 0) return isSecured(place) ? none : 'the store has no session yet'
  const principals = [...new Set(others.map((info) => info.principal))]
  return `${none}; --principal may be: ${names(principals)}`
}

function names(list: readonly string[]): string {
  const shown = list.slice(0, NAMED_SESSIONS).map(printable)
  return [...shown, ...(list.length > shown.length ? ['…'] : [])].join(', ')
}

/** Row security hides others' rows, which would make a sound store look damaged; only the tables' owner may go on. */
export async function assertSeesAll({ store, place }: OpenedStore): Promise<void> {
  if (!isSecured(place) || (await store.list({ limit: 1 })).length > 0) return
  throw new UsageError(
    `${place.name} shows this user no session: with store.row_security only the owner of the tables sees those of all ` +
      'principals; connect as the owner, or look at one with --principal',
  )
}
