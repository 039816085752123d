import { type ContentPart, isObject, type Loose, looseOf, messageText, type ToolCall } from '@palimpsest/core'
import {
  assistantMessage,
  functionCall,
  imagePart,
  textPart,
  toolMessage,
  userMessage,
} from '../build-message.ts'
import { arrayOf, nameOf, quote, stringOf, toolArguments } from '../json.ts'
import type { ReadingLog, RecordedItem, RecordedMessage, SessionReader } from '../recorded-item.ts'

/**
 * Reads sessions of goose: database rows, or in older versions a line for the session and one per message. Messages
 * hidden from the user are summaries of a compaction.
 */
export function createGooseReader(log: ReadingLog): SessionReader {
  const items: RecordedItem[] = []
  return {
    read(value, line) {
      if (!isObject(value)) return log.reject(line, 'not a JSON object')
      if (nameOf(value.working_dir) !== undefined) return
      const { role, content, created, metadata } = value
      if (role !== 'user' && role !== 'assistant') return log.reject(line, `unknown role ${quote(role)}`)
      const timestamp = typeof created === 'number' ? created * 1000 : undefined
      const said = sorted(arrayOf(content).map(looseOf))
      if (looseOf(metadata).userVisible === false) {
        const isFirst = items.at(-1)?.kind !== 'compaction'
        if (isFirst) items.push({ kind: 'compaction', line, summary: messageText(userMessage(said.parts)) })
        else log.skip('message that the user did not see')
        return
      }
      const about = { kind: 'message' as const, line, timestamp }
      items.push(...said.results.map((message) => ({ ...about, message })))
      if (role === 'user' && (said.parts.length > 0 || said.results.length === 0))
        items.push({ ...about, message: userMessage(said.parts, nameOf(value.id)) })
      if (role === 'assistant')
        items.push({
          ...about,
          message: assistantMessage({ ...said, provider: 'goose', id: nameOf(value.id) }),
        })
    },
    finish: () => ({ items, startedAt: items.find((item) => item.kind === 'message')?.timestamp }),
  }
}

function sorted(blocks: readonly Loose[]) {
  const parts: ContentPart[] = []
  const calls: ToolCall[] = []
  const reasoning: Loose[] = []
  const results: RecordedMessage['message'][] = []
  for (const block of blocks) {
    const { type, id, text, data, mimeType } = block
    if (type === 'text' && typeof text === 'string') parts.push(textPart(text))
    else if (type === 'image' && typeof data === 'string')
      parts.push(imagePart(stringOf(mimeType) ?? 'image/png', data))
    else if (type === 'thinking' || type === 'redactedThinking' || type === 'reasoning') reasoning.push(block)
    else if (type === 'toolRequest' || type === 'frontendToolRequest') {
      const { name, arguments: args } = looseOf(looseOf(block.toolCall).value)
      if (nameOf(name) !== undefined)
        calls.push(functionCall(nameOf(id) ?? '', String(name), toolArguments(args)))
    } else if (type === 'toolResponse') {
      const { status, value, error } = looseOf(block.toolResult)
      const output = Array.isArray(value) ? value : arrayOf(looseOf(value).content)
      const texts = output.map(looseOf).flatMap((one) => stringOf(one.text) ?? [])
      const content =
        status === 'error' ? [textPart(stringOf(error) ?? '')] : texts.map((one) => textPart(one))
      results.push(toolMessage(nameOf(id) ?? '', content, { isError: status === 'error' }))
    } else parts.push(textPart(JSON.stringify(block)))
  }
  return { parts, calls, reasoning, results }
}
