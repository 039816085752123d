import { isObject, nameOf } from '../json.ts'
import type { ReadingLog } from '../reading-log.ts'
import type { RecordedMessage, SessionReader } from '../recorded-item.ts'
import { timestampOf } from '../timestamp.ts'
import { apiUsage } from '../usage.ts'
import { openaiMessage } from './openai-message.ts'

interface RecordedEntry {
  readonly value: unknown
  /** The line, or the position in the array. */
  readonly place: number
}

/**
 * Reads OpenAI-style conversations: an array of messages, an object with `messages`, one message a line, or
 * one such array or object a line. A file with several conversations, such as a fine-tuning set or a log of
 * growing requests, is read as its longest one (the first of equals), because no host would send them as one.
 */
export function createOpenaiReader(log: ReadingLog): SessionReader {
  const single: RecordedEntry[] = []
  let longest: RecordedEntry[] | undefined
  let conversations = 0
  let model: string | undefined

  const offer = (conversation: readonly unknown[]) => {
    conversations++
    if (longest === undefined || conversation.length > longest.length) {
      longest = conversation.map((value, index) => ({ value, place: index + 1 }))
    }
  }

  const readArray = (array: readonly unknown[]) => {
    const nested = array.filter(isConversation)
    if (nested.length === 0) return offer(array)
    for (const conversation of nested) readConversation(conversation)
    if (nested.length < array.length) log.skip('value beside the conversations', array.length - nested.length)
  }
  const readConversation = (value: unknown) => {
    if (Array.isArray(value)) return offer(value)
    if (!isObject(value) || !Array.isArray(value.messages)) return
    if (longest === undefined || value.messages.length > longest.length) model = nameOf(value.model) ?? model
    offer(value.messages)
  }

  return {
    read(value, line) {
      if (Array.isArray(value)) readArray(value)
      else if (isConversation(value)) readConversation(value)
      else single.push({ value, place: line })
    },
    finish() {
      if (single.length > 0) offerSingle()
      if (conversations > 1) log.skip('other conversation in the file', conversations - 1)
      const items = (longest ?? []).map((entry) => readEntry(entry, log)).filter((item) => item !== undefined)
      return { items, model, startedAt: items.find(({ timestamp }) => timestamp !== undefined)?.timestamp }
    },
  }

  /** Messages of a line each are one conversation, whatever else the file has. */
  function offerSingle(): void {
    conversations++
    if (longest === undefined || single.length > longest.length) longest = single
  }
}

function isConversation(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isObject)
  return isObject(value) && Array.isArray(value.messages) && value.role === undefined
}

function readEntry({ value, place }: RecordedEntry, log: ReadingLog): RecordedMessage | undefined {
  const { usage, timestamp, model, ...recorded } = isObject(value) ? value : {}
  const read = openaiMessage(isObject(value) ? recorded : value, place)
  if ('fault' in read) {
    log.reject(place, read.fault)
    return undefined
  }
  return {
    kind: 'message',
    message: read.message,
    line: place,
    usage: apiUsage(usage),
    timestamp: timestampOf(timestamp),
    model: read.message.role === 'assistant' ? nameOf(model) : undefined,
  }
}
