import { equal } from 'node:assert/strict'
import { errorText, PalimpsestError } from '@palimpsest/core'
import {
  AT,
  refusalOf,
  type SuiteCase,
  type SuiteHarness,
  type SuiteTarget,
  texts,
} from '@palimpsest/sqlite-kit/store-suite'
import type { SaidEvent, Scope, Statement, Withdrawal } from '../log/decision-event.ts'
import { decisionId, eventId, withdrawalId } from '../log/ids.ts'
import { hashText, makeSource, type SourceMessage } from '../log/source.ts'
import type { DecisionSession, DecisionStore, ExtractionJob } from '../store/decision-store.ts'

/** One promise of the interface. */
export type StoreCase = SuiteCase<DecisionStore>
/** A store as its author hands it to the suite. */
export type StoreTarget = SuiteTarget<DecisionStore>
export type StoreHarness = SuiteHarness<DecisionStore>

export { AT, texts }

export const PROJECT: Scope = 'project:shop'

/** A message; each second one is the assistant's. */
export function message(index: number, text = `message ${index}`): SourceMessage {
  const role = index % 2 === 0 ? 'user' : 'assistant'
  return { message: index, turn: Math.floor(index / 2) + 1, role, text, hash: hashText(`${role} ${text}`) }
}

/** Messages from an index on. */
export function messages(from: number, ...texts: readonly string[]): SourceMessage[] {
  return texts.map((text, offset) => message(from + offset, text))
}

/** A new session of the default principal in which these texts were said. */
export async function talk(
  store: DecisionStore,
  key: string,
  ...texts: readonly string[]
): Promise<DecisionSession> {
  const session = await store.session({ key }, AT)
  if (texts.length > 0) await session.commit({ sources: messages(0, ...texts) }, AT)
  return session
}

/** An event: all text of a message is the value of a subject; the user states it, the assistant proposes it. */
export function asserted(
  session: string,
  said: SourceMessage,
  given: { readonly scope?: Scope; readonly statement?: Partial<Statement> } = {},
): SaidEvent & { readonly statement: Statement } {
  const { scope = PROJECT } = given
  const source = makeSource({ message: said, start: 0, end: said.text.length }, { session, edition: 0 })
  const statement: Statement = {
    ...{ kind: 'choice', category: 'decisions', subject: 'database', value: said.text, l0: said.text },
    ...given.statement,
  }
  const isUsers = said.role === 'user'
  const event = {
    ...{
      decision: decisionId(scope, statement, source),
      scope,
      at: AT,
      source,
      by: 'model' as const,
      statement,
    },
    ...{ type: isUsers ? ('asserted' as const) : ('proposed' as const) },
    authority: isUsers ? ('stated' as const) : ('proposed' as const),
  }
  return { ...event, id: eventId(event) }
}

/** Events of one session, one of each message. */
export function assertions(session: string, from: number, ...texts: readonly string[]): SaidEvent[] {
  return messages(from, ...texts).map((said) => asserted(session, said))
}

export function withdrawn(session: string, from: number, edition: number): Withdrawal {
  const id = withdrawalId({ scope: PROJECT, session, from, edition })
  return { type: 'withdrawn', id, scope: PROJECT, at: AT, session, from, edition }
}

export function job(session: string, from: number, to: number, edition = 0): ExtractionJob {
  return { id: `j ${session} ${from}-${to} ${edition}`, from, to, version: 1, attempts: 0 }
}

/** The call must reject with an error of this code. */
export async function refuses(call: () => Promise<unknown>, code: string, what: string): Promise<void> {
  const error = await refusalOf(call, what)
  equal(PalimpsestError.isInstance(error) ? error.code : errorText(error), code, `the error for ${what}`)
}

/** Everything that a session answers about itself: to see that a refused call changed nothing. */
export async function sessionState(session: DecisionSession): Promise<unknown> {
  const [count, jobsEnd] = [await session.count(), await session.jobsEnd()]
  return { count, jobsEnd, sources: await session.sources(), jobs: await session.pendingJobs() }
}

/** Everything that a store answers. */
export async function storeState(store: DecisionStore): Promise<unknown> {
  const list = await store.list()
  const sessions: unknown[] = []
  for (const info of list) {
    const session = await store.find(info)
    sessions.push({ info, state: session && (await sessionState(session)) })
  }
  const logs: unknown[] = []
  for (const principal of new Set(list.map((info) => info.principal))) {
    const scopes = await store.scopes(principal)
    logs.push({ principal, scopes, events: await store.events({ principal, scopes }) })
  }
  return { sessions, logs }
}
