import { isInstruction, type Message, roughTokenCounter } from '@palimpsest/core'
import { StoreError } from '../errors/store-error.ts'
import { frontierAt, versionsOf } from '../history/frontier-history.ts'
import type { Frontier, LcmSession, MessageQuery, StoredMessage } from '../store/lcm-session.ts'
import { storedMessages } from './load-window.ts'
import { LCM_DEFAULTS } from './options.ts'
import { renderContext } from './render-context.ts'
import { fromStored, isUserTurn, type WindowMessage } from './window.ts'

/** The context of a session as a model saw it, every summary with its text. */
export interface ShownContext {
  /** Version of the frontier that was in force. */
  readonly version: number
  /** Numbers of the summaries that stand in it. */
  readonly summaries: readonly number[]
  readonly messages: readonly Message[]
  /** For each of them its number in the session; null for what the engine wrote. */
  readonly seqs: readonly (number | null)[]
}

/** The moment that is meant: when a message was the last one, or when a version of the frontier came to be. */
export type ContextMoment = { readonly message: number } | { readonly version: number }

/**
 * The active context of a session now, or at a moment. A message that was replaced by two edits, the later of which
 * reaches further back, counts as gone from the first of them on.
 *
 * @throws StoreError `NOT_FOUND` when there is no such message or version.
 */
export async function showContext(session: LcmSession, moment?: ContextMoment): Promise<ShownContext> {
  const { version, nodes, last, edited } = await frontierOf(session, moment)
  const shown: WindowMessage[] = []
  const covered = nodes.at(-1)?.last ?? -1
  const isShown = ({ seq, replaced }: StoredMessage) => !replaced || seq >= edited
  const read = async function* (range: Omit<MessageQuery, 'limit'>) {
    for await (const message of storedMessages(session, { ...range, includeReplaced: true }))
      if (isShown(message)) yield fromStored(message)
  }
  const leading: WindowMessage[] = []
  for await (const message of read({ last })) {
    if (!isInstruction(message.message)) break
    leading.push(message)
  }
  const first = Math.max(covered, leading.at(-1)?.seq ?? -1) + 1
  for await (const message of read({ first, last })) shown.push(message)
  let request: WindowMessage | undefined
  if (!shown.some(isUserTurn))
    for await (const message of read({ last: Math.min(covered, last), order: 'newest' })) {
      if (!isUserTurn(message)) continue
      request = message
      break
    }
  const context = renderContext({
    leading: leading.map(({ message }) => message),
    window: {
      ...{ nextSeq: last + 1, nextSummary: 0, version, replaced: [], leading, nodes, tail: shown },
      ...(request && { request }),
    },
    result: LCM_DEFAULTS.large_result_tokens,
    summaries: {
      records: Number.POSITIVE_INFINITY,
      summaries: Number.POSITIVE_INFINITY,
      tokens: roughTokenCounter,
    },
    inFlight: true,
  })
  return { version, summaries: nodes.map(({ number }) => number), ...context }
}

/** `last`: the last message then. `edited`: what was replaced and is older than this was gone by then. */
async function frontierOf(
  session: LcmSession,
  moment: ContextMoment | undefined,
): Promise<Frontier & { readonly last: number; readonly edited: number }> {
  const { nextSeq } = await session.head()
  if (moment === undefined) return { ...(await session.frontier()), last: nextSeq - 1, edited: nextSeq }
  if ('message' in moment) {
    const { message: last } = moment
    if (last >= nextSeq)
      throw new StoreError('NOT_FOUND', `there is no m${last}; messages go from m0 to m${nextSeq - 1}`)
    const edited = await lastEdit(session, (edit) => edit.nextSeq <= last)
    return { ...(await frontierAt(session, last)), last, edited }
  }
  const frontier = await session.frontier(moment.version)
  for await (const version of versionsOf(session)) {
    if (version.version !== moment.version) continue
    const edited = await lastEdit(session, (edit) => edit.version <= moment.version)
    return { ...frontier, last: version.nextSeq - 1, edited }
  }
  throw new StoreError('NOT_FOUND', `there is no version ${moment.version} of ${session.key}`)
}

/** Where the newest of the chosen edits begins; 0 without one. */
async function lastEdit(
  session: LcmSession,
  isMeant: (version: { readonly version: number; readonly nextSeq: number }) => boolean,
): Promise<number> {
  for await (const version of versionsOf(session))
    if (version.reason === 'edit' && isMeant(version)) return version.nextSeq
  return 0
}
