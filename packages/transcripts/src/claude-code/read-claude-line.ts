import { messageText } from '@palimpsest/core'
import { anthropicAnswer, anthropicParts, anthropicUserTurn } from '../anthropic/anthropic-blocks.ts'
import { userMessage } from '../build-message.ts'
import { isObject, type JsonObject, kindName, nameOf, objectOf, quote } from '../json.ts'
import type { ReadingLog } from '../reading-log.ts'
import { timestampOf } from '../timestamp.ts'
import { apiUsage } from '../usage.ts'
import type { ClaudeLine } from './claude-line.ts'

/**
 * One line of a Claude Code session, if it takes part in the conversation. What only the host reads is skipped
 * and counted: events, meta messages, error texts that stand where an answer should be.
 */
export function readClaudeLine(value: JsonObject, line: number, log: ReadingLog): ClaudeLine | undefined {
  const base = { line, uuid: nameOf(value.uuid), timestamp: timestampOf(value.timestamp) }
  switch (value.type) {
    case 'user':
    case 'assistant':
      return readMessage(value, base, log)
    case 'system':
      if (value.subtype === 'compact_boundary') return boundary(value, base)
      log.skip(`system ${kindName(value.subtype)} event`)
      return undefined
    case 'attachment': {
      const attachment = objectOf(value.attachment)
      if (attachment.type === 'queued_command') {
        const turn = { results: [], parts: anthropicParts(attachment.prompt) }
        return { ...base, kind: 'queued', turn, above: nameOf(value.parentUuid) }
      }
      log.skip(`${kindName(attachment.type)} attachment`)
      return undefined
    }
    default:
      log.skip(`${kindName(value.type)} event`)
      return undefined
  }
}

interface Base {
  readonly line: number
  readonly uuid: string | undefined
  readonly timestamp: number | undefined
}

function boundary(value: JsonObject, base: Base): ClaudeLine {
  const tokens = objectOf(value.compactMetadata).preTokens
  const tokensBefore = typeof tokens === 'number' ? tokens : undefined
  return { ...base, kind: 'compaction', item: { kind: 'compaction', line: base.line, tokensBefore } }
}

function readMessage(value: JsonObject, base: Base, log: ReadingLog): ClaudeLine | undefined {
  const { message } = value
  const fault = !isObject(message) ? 'a line without a message' : `unknown role ${quote(message.role)}`
  if (!isObject(message) || message.role !== value.type) {
    log.reject(base.line, fault)
    return undefined
  }
  const notSent = reasonNotSent(value, message)
  if (notSent !== undefined) {
    log.skip(notSent)
    return undefined
  }
  if (value.type === 'assistant') {
    return {
      ...base,
      kind: 'answer',
      answer: anthropicAnswer(message.content),
      messageId: nameOf(message.id),
      requestId: nameOf(value.requestId),
      usage: apiUsage(message.usage),
      model: nameOf(message.model),
    }
  }
  if (value.isCompactSummary === true) {
    const summary = messageText(userMessage(anthropicParts(message.content)))
    return { ...base, kind: 'compaction', item: { kind: 'compaction', line: base.line, summary } }
  }
  return { ...base, kind: 'user', turn: anthropicUserTurn(message.content, base.uuid) }
}

function reasonNotSent(value: JsonObject, message: JsonObject): string | undefined {
  if (value.isMeta === true) return 'meta message'
  if (value.isApiErrorMessage === true) return 'API error message'
  return message.model === '<synthetic>' ? 'answer made by the host' : undefined
}
