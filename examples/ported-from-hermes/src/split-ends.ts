import {
  findLastUser,
  isBridge,
  isInstruction,
  isSummary,
  type Message,
  toolTransactions,
} from '@palimpsest/core'
import type { KeepEndsOptions } from './options.ts'

export interface Ends {
  readonly head: readonly Message[]
  /** The messages that are left out, an earlier summary among them. */
  readonly middle: readonly Message[]
  readonly tail: readonly Message[]
}

/**
 * The two ends of a conversation. A call and its results are never cut apart: a group that does not fit into the head
 * as a whole is left to the middle, and one that reaches into the tail belongs to it. The user's last message stays,
 * even when everything behind it is longer than the tail.
 */
export function splitEnds(
  messages: readonly Message[],
  { protect_first_n, protect_last_n }: Required<Pick<KeepEndsOptions, 'protect_first_n' | 'protect_last_n'>>,
): Ends {
  const system = isInstruction(messages[0]) ? 1 : 0
  const groups = toolTransactions(messages)
  // The summary of an earlier compaction is not the beginning of the conversation.
  const told = messages.findIndex((message) => isSummary(message) || isBridge(message))
  const headLimit = Math.min(system + protect_first_n, told === -1 ? messages.length : told)
  const headEnd = groups.findLast(({ end }) => end <= headLimit)?.end ?? 0
  const tailFrom = messages.length - protect_last_n
  const tailStart = Math.max(headEnd, groups.find(({ end }) => end > tailFrom)?.start ?? messages.length)
  const question = findLastUser(messages)
  const isBetween = question >= headEnd && question < tailStart
  return {
    head: messages.slice(0, headEnd),
    middle: messages.slice(headEnd, tailStart).filter((_, at) => !isBetween || headEnd + at !== question),
    tail: [...(isBetween ? messages.slice(question, question + 1) : []), ...messages.slice(tailStart)],
  }
}
