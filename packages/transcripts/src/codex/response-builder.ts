import { type ContentPart, messageText, type ToolCall, type Usage } from '@palimpsest/core'
import { assistantMessage } from '../build-message.ts'
import { type JsonObject, nameOf } from '../json.ts'
import type { RecordedItem, RecordedMessage } from '../recorded-item.ts'
import { responsesCall, responsesParts } from './codex-parts.ts'

/** Where and when an item was recorded, and by which model it was written. */
export interface ItemPlace {
  readonly line: number
  readonly timestamp: number | undefined
  readonly model: string | undefined
}

/** Collects the items that one response was recorded as, and makes one assistant message of them. */
export interface ResponseBuilder {
  readonly isEmpty: boolean
  /** Takes an item of the model's; false for every other item. */
  add(item: JsonObject, place: ItemPlace): boolean
  /** The message so far, and a fresh start. */
  take(usage?: Usage): RecordedMessage
}

export function createResponseBuilder(): ResponseBuilder {
  let parts: ContentPart[] = []
  let calls: ToolCall[] = []
  let reasoning: JsonObject[] = []
  let id: string | undefined
  let place: ItemPlace | undefined

  return {
    get isEmpty() {
      return place === undefined
    },
    add(item, at) {
      const call = responsesCall(item)
      if (call !== undefined) calls.push(call)
      else if (item.type === 'reasoning') reasoning.push(item)
      else if (item.type === 'message' && item.role === 'assistant')
        parts.push(...responsesParts(item.content))
      else return false
      if (item.type === 'message') id ??= nameOf(item.id)
      place ??= at
      return true
    },
    take(usage) {
      const message = assistantMessage({ parts, calls, reasoning, provider: 'openai', id })
      const { line = 0, timestamp, model } = place ?? {}
      parts = []
      calls = []
      reasoning = []
      id = undefined
      place = undefined
      return { kind: 'message', message, line, timestamp, model, usage }
    },
  }
}

/** Texts that Codex itself sends in the user's name: environment, project instructions, notices. */
const injected = /^\s*(<[a-z_]+>|# AGENTS\.md instructions)/

/**
 * Takes the last `count` user turns back, as Codex does when the user rolls a thread back. A turn begins at a
 * message that the user wrote. Returns how many messages were dropped.
 */
export function dropLastTurns(items: RecordedItem[], count: unknown): number {
  const before = items.length
  for (let left = typeof count === 'number' ? count : 0; left >= 1; left--) {
    const start = items.findLastIndex(beginsTurn)
    if (start === -1) break
    items.length = start
  }
  return before - items.length
}

function beginsTurn(item: RecordedItem): boolean {
  if (item.kind !== 'message' || item.message.role !== 'user') return false
  return !injected.test(messageText(item.message))
}
