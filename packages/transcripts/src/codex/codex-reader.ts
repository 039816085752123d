import { type ContentPart, isObject, type Loose, looseOf, messageText, type ToolCall } from '@palimpsest/core'
import { isRecordedUser } from '../assemble.ts'
import {
  assistantMessage,
  functionCall,
  recordedParts,
  systemMessage,
  textPart,
  toolMessage,
  userMessage,
} from '../build-message.ts'
import { arrayOf, kindName, nameOf, quote, stringOf, timestampOf, toolArguments } from '../json.ts'
import type {
  ReaderOptions,
  ReadingLog,
  RecordedItem,
  RecordedMessage,
  RecordedSession,
  SessionReader,
} from '../recorded-item.ts'
import { codexUsage } from '../usage.ts'

/**
 * Reads rollouts of the Codex CLI: lines of `{timestamp, type, payload}`. Response items are the conversation. Of the
 * events, only token counts, interruptions and rollbacks are read, because the others repeat items.
 */
export function createCodexReader(log: ReadingLog, { branches }: ReaderOptions = {}): SessionReader {
  const items: RecordedItem[] = []
  let base: RecordedSession['base']
  let response: CodexResponse | undefined
  let model: string | undefined
  let startedAt: number | undefined
  let headers = 0
  let totalTokens: unknown

  const addToResponse = (item: Loose, place: ItemPlace): boolean => {
    const call = responsesCall(item)
    const isSpoken = item.type === 'message' && item.role === 'assistant'
    if (call === undefined && !isSpoken && item.type !== 'reasoning') return false
    response ??= { ...place, parts: [], calls: [], reasoning: [], id: undefined }
    if (call !== undefined) response.calls.push(call)
    else if (isSpoken) response.parts.push(...responsesParts(item.content))
    else response.reasoning.push(item)
    if (isSpoken) response.id ??= nameOf(item.id)
    return true
  }

  const completeResponse = () => {
    if (response === undefined) return
    const { line, timestamp, model, ...spoken } = response
    const message = assistantMessage({ ...spoken, provider: 'openai' })
    items.push({ kind: 'message', message, line, timestamp, model })
    response = undefined
  }

  const readHeader = (header: Loose, line: number) => {
    headers++
    startedAt ??= timestampOf(header.timestamp)
    const instructions = nameOf(looseOf(header.base_instructions).text)
    // A forked session also contains its parent's header; the first header is its own.
    if (headers > 1) return
    const { thread_id: id, end_ordinal_exclusive: endOrdinal } = looseOf(header.history_base)
    if (typeof id === 'string' && typeof endOrdinal === 'number') base = { id, endOrdinal }
    if (instructions === undefined) return
    items.push({ kind: 'message', message: systemMessage('system', [textPart(instructions)]), line })
  }

  const readItem = (item: Loose, place: ItemPlace) => {
    if (addToResponse(item, place)) return
    const { line, timestamp } = place
    const isResult = item.type === 'function_call_output' || item.type === 'custom_tool_call_output'
    if (isResult || item.type === 'message') {
      const message = isResult ? resultMessage(item) : inputMessage(item)
      const fault = isResult ? 'a tool result without a call_id' : `unknown role ${quote(item.role)}`
      if (message === undefined) return log.reject(line, fault)
      completeResponse()
      items.push({ kind: 'message', message, line, timestamp })
    } else if (item.type === 'agent_message') {
      completeResponse()
      items.push({ kind: 'message', message: agentMessage(item), line, timestamp })
    } else if (item.type === 'function_call' || item.type === 'custom_tool_call') {
      log.reject(line, 'a tool call without a name')
    } else {
      log.skip(`${kindName(item.type)} item`)
    }
  }

  /** A count follows its response, but hosts also repeat the last one, or send none, when a limit changes. */
  const readTokenCount = (info: Loose) => {
    if (!isObject(info.last_token_usage)) return
    const total = looseOf(info.total_token_usage).total_tokens
    if (total !== undefined && total === totalTokens) return
    totalTokens = total
    const usage = codexUsage(info.last_token_usage)
    completeResponse()
    updateLastAnswer(items, (answer) => ({ ...answer, usage: answer.usage ?? usage }))
  }

  const readEvent = (event: Loose) => {
    if (event.type === 'token_count') return readTokenCount(looseOf(event.info))
    if (event.type === 'turn_aborted') {
      completeResponse()
      updateLastAnswer(items, (answer) => ({ ...answer, aborted: true }))
    } else if (event.type === 'thread_rolled_back') {
      completeResponse()
      const dropped = branches === 'all' ? 0 : dropLastTurns(items, event.num_turns)
      if (dropped > 0) log.skip('message of a turn that was rolled back', dropped)
    }
    log.skip(`${kindName(event.type)} event`)
  }

  return {
    read(value, line) {
      if (!isObject(value)) return log.reject(line, 'not a JSON object')
      const timestamp = timestampOf(value.timestamp)
      const payload = looseOf(value.payload)
      switch (value.type) {
        case 'session_meta':
          return readHeader(payload, line)
        case 'response_item':
          return readItem(payload, { line, timestamp, model })
        case 'event_msg':
          return readEvent(payload)
        case 'turn_context':
          model = nameOf(payload.model) ?? model
          return
        case 'compacted':
          completeResponse()
          dropRecordedSummary(items, payload.message, log)
          // A rollout that was rewritten in place starts with the kept history.
          if (!items.some(isUserMessage))
            for (const item of arrayOf(payload.replacement_history).map(looseOf))
              if (item.type === 'message' && !saysSummary(item, payload.message))
                readItem(item, { line, timestamp, model })
          completeResponse()
          items.push({ kind: 'compaction', line, summary: nameOf(payload.message) })
          return
        default:
          if (nameOf(value.type) === undefined) return log.reject(line, 'a line without a type')
          return log.skip(`${kindName(value.type)} line`)
      }
    },
    finish() {
      completeResponse()
      return { items, model, startedAt, base }
    },
  }
}

function updateLastAnswer(items: RecordedItem[], update: (answer: RecordedMessage) => RecordedMessage): void {
  const index = items.findLastIndex((item) => item.kind === 'message' && item.message.role === 'assistant')
  const answer = items[index]
  if (answer?.kind === 'message') items[index] = update(answer)
}

function resultMessage(item: Loose) {
  if (typeof item.call_id !== 'string') return undefined
  const { parts, isError } = callOutput(item.output)
  return toolMessage(item.call_id, parts, { id: nameOf(item.id), isError })
}

function inputMessage(item: Loose) {
  const parts = responsesParts(item.content)
  const id = nameOf(item.id)
  if (item.role === 'user') return userMessage(parts, id)
  return item.role === 'system' || item.role === 'developer' ? systemMessage(item.role, parts, id) : undefined
}

function agentMessage(item: Loose) {
  const message = userMessage(responsesParts(item.content), nameOf(item.id))
  const author = nameOf(item.author)
  return {
    ...message,
    providerData: { transcript: { recordedRole: 'agent', ...(author !== undefined && { author }) } },
  }
}

function isUserMessage(item: RecordedItem): boolean {
  return item.kind === 'message' && item.message.role === 'user'
}

function saysSummary({ content }: Loose, summary: unknown): boolean {
  return (
    typeof summary === 'string' &&
    summary !== '' &&
    messageText(userMessage(responsesParts(content))) === summary
  )
}

/** Some versions record the summariser's answer as a message, which is not part of the conversation. */
function dropRecordedSummary(items: RecordedItem[], summary: unknown, log: ReadingLog): void {
  const last = items.at(-1)
  if (last?.kind !== 'message' || last.message.role !== 'assistant' || last.message.tool_calls) return
  const text = messageText(last.message)
  if (text === '' || typeof summary !== 'string' || !summary.endsWith(text)) return
  items.pop()
  log.skip('native summary')
}

interface ItemPlace {
  readonly line: number
  readonly timestamp: number | undefined
  readonly model: string | undefined
}

interface CodexResponse extends ItemPlace {
  readonly parts: ContentPart[]
  readonly calls: ToolCall[]
  readonly reasoning: Loose[]
  id: string | undefined
}

/** Texts that Codex sends in the user's name: environment, project instructions, notices. */
const injected = /^\s*(<[a-z_]+>|# AGENTS\.md instructions)/

function dropLastTurns(items: RecordedItem[], count: unknown): number {
  const before = items.length
  for (let left = typeof count === 'number' ? count : 0; left >= 1; left--) {
    const start = items.findLastIndex(beginsTurn)
    if (start === -1) break
    items.length = start
  }
  return before - items.length
}

function beginsTurn(item: RecordedItem): boolean {
  if (item.kind !== 'message' || !isRecordedUser(item.message)) return false
  return !injected.test(messageText(item.message))
}

export function responsesParts(content: unknown): ContentPart[] {
  return recordedParts(content, (item) => {
    const text = stringOf(item.text)
    if ((item.type === 'input_text' || item.type === 'output_text') && text !== undefined)
      return textPart(text)
    if (item.type === 'input_image' && typeof item.image_url === 'string') {
      return { type: 'image_url', image_url: { url: item.image_url } }
    }
    return undefined
  })
}

export function responsesCall(item: Loose): ToolCall | undefined {
  const id = nameOf(item.call_id) ?? nameOf(item.id) ?? ''
  const name = nameOf(item.name)
  switch (item.type) {
    case 'function_call':
      return name === undefined ? undefined : functionCall(id, name, toolArguments(item.arguments))
    case 'custom_tool_call':
      if (name === undefined) return undefined
      return {
        id,
        type: 'custom',
        custom: { name, input: stringOf(item.input) ?? toolArguments(item.input) },
      }
    case 'local_shell_call':
      return functionCall(id, 'local_shell', toolArguments(item.action))
    default:
      return undefined
  }
}

export function callOutput(output: unknown) {
  if (isObject(output) && 'content' in output) {
    return { parts: responsesParts(output.content), isError: output.success === false }
  }
  return { parts: responsesParts(output), isError: false }
}
