import { type Message, roughTokenCounter, type StoredSession, type Summary } from '@palimpsest/core'
import { StoreError } from '@palimpsest/store'
import { frontierAt, frontierSummaries, versionsOf } from '../history/frontier-history.ts'
import { LCM_DEFAULTS } from './options.ts'
import { renderContext } from './render-context.ts'
import { fromStored, windowOf } from './window.ts'

/** The context of a session as a model saw it, with the full text of every summary. */
export interface ShownContext {
  readonly version: number
  readonly summaries: readonly number[]
  readonly messages: readonly Message[]
  /** The number of each message in the session; null for messages of the engine. */
  readonly seqs: readonly (number | null)[]
}

/** A point in time: when a message was the last one, or when a frontier version was made. */
export type ContextMoment = { readonly message: number } | { readonly version: number }

/**
 * The active context of a session, now or at a given moment. A message replaced by two edits, of which the later one
 * reaches further back, counts as replaced by the first.
 *
 * @throws StoreError `NOT_FOUND` if the message or version does not exist.
 */
export async function showContext(session: StoredSession, moment?: ContextMoment): Promise<ShownContext> {
  const { version, summaries, last, edited } = await stateAt(session, moment)
  const all = (await session.messages({ last, includeReplaced: true })).filter(
    ({ seq, replaced }) => !replaced || seq >= edited,
  )
  const begin = all.findIndex(({ role }) => !isInstructionRole(role))
  // A later system prompt that was replaced is stored with the conversation.
  const shown = all.filter(({ role, replaced }, at) => at < begin || !replaced || !isInstructionRole(role))
  const window = windowOf(shown.map(fromStored), summaries)
  const context = renderContext({
    leading: window.leading.map(({ message }) => message),
    window,
    result: LCM_DEFAULTS.large_result_tokens,
    summaries: { records: Infinity, summaries: Infinity, tokens: roughTokenCounter },
    inFlight: true,
  })
  return { version, summaries: summaries.map(({ number }) => number), ...context }
}

function isInstructionRole(role: string): boolean {
  return role === 'system' || role === 'developer'
}

interface State {
  readonly version: number
  readonly summaries: readonly Summary[]
  readonly last: number
  readonly edited: number
}

async function stateAt(session: StoredSession, moment: ContextMoment | undefined): Promise<State> {
  const { nextSeq, version } = await session.head()
  if (moment === undefined) {
    const summaries = await frontierSummaries(session, version)
    return { version, summaries, last: nextSeq - 1, edited: nextSeq }
  }
  if ('message' in moment) {
    const { message: last } = moment
    if (last >= nextSeq)
      throw new StoreError('NOT_FOUND', `there is no m${last}; messages go from m0 to m${nextSeq - 1}`)
    const edited = await lastEdit(session, (edit) => edit.nextSeq <= last)
    return { ...(await frontierAt(session, last)), last, edited }
  }
  const frontier = await session.frontier(moment.version)
  return {
    version: moment.version,
    summaries: await session.summaries(frontier.summaries),
    last: frontier.nextSeq - 1,
    edited: await lastEdit(session, (edit) => edit.version <= moment.version),
  }
}

async function lastEdit(
  session: StoredSession,
  isMeant: (version: { readonly version: number; readonly nextSeq: number }) => boolean,
): Promise<number> {
  for await (const version of versionsOf(session))
    if (version.reason === 'edit' && isMeant(version)) return version.nextSeq
  return 0
}
