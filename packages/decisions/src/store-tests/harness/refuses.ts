import { equal } from 'node:assert/strict'
import { errorText, PalimpsestError } from '@palimpsest/core'
import { refusalOf } from '@palimpsest/sqlite-kit/store-suite'
import type { DecisionSession, DecisionStore } from '../../store/decision-store.ts'

/** The call must reject with an error of this code. */
export async function refuses(call: () => Promise<unknown>, code: string, what: string): Promise<void> {
  const error = await refusalOf(call, what)
  equal(PalimpsestError.isInstance(error) ? error.code : errorText(error), code, `the error for ${what}`)
}

/** Everything that a session answers about itself: to see that a refused call changed nothing. */
export async function sessionState(session: DecisionSession): Promise<unknown> {
  return {
    count: await session.count(),
    sources: await session.sources(),
    artifacts: await session.artifacts(),
    jobs: await session.pendingJobs(),
    summary: await session.summary(),
  }
}

/** Everything that a store answers. */
export async function storeState(store: DecisionStore): Promise<unknown> {
  const list = await store.list()
  const sessions = []
  const logs = []
  for (const info of list) {
    const session = await store.find(info)
    sessions.push({ info, state: session && (await sessionState(session)) })
  }
  for (const principal of new Set(list.map((info) => info.principal))) {
    const scopes = await store.scopes(principal)
    logs.push({ principal, scopes, events: await store.events({ principal, scopes }) })
  }
  return { sessions, logs }
}
