import { isBridge, isInstruction, type Message, readMessages, readSummary } from '@palimpsest/core'
import { type IndexEntry, joinRanges, parseIndex } from './left-out-index.ts'

/** A projection taken apart. */
export interface ContextWindow {
  /** The system prompt, if there is one. */
  readonly head: readonly Message[]
  /** The index of earlier compactions; undefined before the first. */
  readonly index: readonly IndexEntry[] | undefined
  /** The messages that are shown verbatim. */
  readonly body: readonly Message[]
  /** The number in the conversation of each message of the body. The first message of all is 1. */
  readonly numbers: readonly number[]
}

/**
 * Takes the messages of a call apart.
 *
 * @throws InvalidMessagesError when they are no list of messages.
 */
export function readWindow(list: readonly Message[]): ContextWindow {
  const messages = readMessages(list)
  const headEnd = isInstruction(messages[0]) ? 1 : 0
  const [first, second] = messages.slice(headEnd)
  const index = parseIndex((first && readSummary(first)) ?? '')
  const summaryLength = index === undefined ? 0 : isBridge(second) ? 2 : 1
  const body = messages.slice(headEnd + summaryLength)
  return {
    head: messages.slice(0, headEnd),
    index,
    body,
    numbers: numberMessages(body, headEnd, index ?? []),
  }
}

/** Shown messages have the numbers that the index does not have: together they are all, in order. */
function numberMessages(
  body: readonly Message[],
  headLength: number,
  index: readonly IndexEntry[],
): readonly number[] {
  const leftOut = joinRanges(index.flatMap(({ ranges }) => ranges)).values()
  let range = leftOut.next().value
  let number = headLength
  return body.map(() => {
    number++
    for (; range !== undefined && range.from <= number; range = leftOut.next().value)
      number = Math.max(number, range.to + 1)
    return number
  })
}
