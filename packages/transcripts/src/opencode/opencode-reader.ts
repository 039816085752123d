import { type ContentPart, isObject, type Loose, looseOf, type ToolCall } from '@palimpsest/core'
import {
  assistantMessage,
  functionCall,
  systemMessage,
  textPart,
  toolMessage,
  userMessage,
} from '../build-message.ts'
import { arrayOf, nameOf, stringOf } from '../json.ts'
import type { ReadingLog, RecordedItem, SessionReader } from '../recorded-item.ts'
import { piUsage, sum } from '../usage.ts'

/**
 * Reads sessions of opencode: messages of its database, or the output of `opencode export`. A message has an `info` and
 * its `parts`; an answer of several steps is one message with its tool results.
 */
export function createOpencodeReader(log: ReadingLog): SessionReader {
  const items: RecordedItem[] = []
  let startedAt: number | undefined
  const readOne = (value: unknown, line: number) => {
    const { info, parts } = looseOf(value)
    if (!isObject(info) || !Array.isArray(parts)) return log.reject(line, 'not a message of opencode')
    startedAt ??= createdAt(info)
    if (info.role === 'user') items.push(...readUser(info, parts, line, log))
    else if (info.role === 'system') items.push(readSystem(info, parts, line))
    else if (info.role === 'assistant') items.push(...readAnswer(info, parts, line, log))
    else log.reject(line, `unknown role ${JSON.stringify(info.role)}`)
  }
  return {
    read(value, line) {
      const { messages } = looseOf(value)
      if (!Array.isArray(messages)) return readOne(value, line)
      for (const [index, message] of messages.entries()) readOne(message, index + 1)
    },
    finish: () => ({ items, startedAt }),
  }
}

function createdAt({ time }: Loose): number | undefined {
  const { created } = looseOf(time)
  return typeof created === 'number' && created > 0 ? created : undefined
}

function readSystem(info: Loose, parts: readonly unknown[], line: number): RecordedItem {
  const content = parts.map(looseOf).flatMap((part) => userPart(part) ?? [])
  return {
    kind: 'message',
    message: systemMessage('system', content, nameOf(info.id)),
    line,
    timestamp: createdAt(info),
  }
}

function readUser(info: Loose, parts: readonly unknown[], line: number, log: ReadingLog): RecordedItem[] {
  const sent = parts.map(looseOf).filter(({ ignored }) => ignored !== true)
  if (sent.some(({ type }) => type === 'compaction')) {
    log.skip('request for a summary')
    return []
  }
  const content = sent.flatMap((part) => userPart(part) ?? [])
  const message = userMessage(content, nameOf(info.id))
  return [{ kind: 'message', message, line, timestamp: createdAt(info) }]
}

function userPart({ type, text, mime, url, filename }: Loose): ContentPart | undefined {
  if (type === 'text') return typeof text === 'string' ? textPart(text) : undefined
  if (type !== 'file') return undefined
  if (typeof url === 'string' && stringOf(mime)?.startsWith('image/'))
    return { type: 'image_url', image_url: { url } }
  return textPart(`[file: ${stringOf(filename) ?? stringOf(url) ?? ''}]`)
}

function readAnswer(info: Loose, parts: readonly unknown[], line: number, log: ReadingLog): RecordedItem[] {
  const texts = parts.map(looseOf)
  if (info.summary === true) {
    const summary = texts.flatMap(({ type, text }) => (type === 'text' && stringOf(text)) || []).join('\n')
    return [{ kind: 'compaction', line, summary }]
  }
  const steps: Loose[][] = [[]]
  for (const part of texts) {
    if (part.type === 'step-start') steps.push([])
    else if (part.type === 'tool' && (nameOf(part.callID) === undefined || nameOf(part.tool) === undefined))
      log.reject(line, 'a tool call without a name or an id')
    else steps.at(-1)?.push(part)
  }
  const spoken = steps.filter((step) => step.some(({ type }) => type !== 'step-finish'))
  return spoken.flatMap((step, index) => {
    const isOnly = spoken.length === 1
    const tokens =
      step.find(({ type }) => type === 'step-finish')?.tokens ?? (isOnly ? info.tokens : undefined)
    const id = nameOf(info.id)
    const tools = step.filter(({ type }) => type === 'tool')
    const message = assistantMessage({
      parts: step.flatMap(({ type, text }) =>
        type === 'text' && typeof text === 'string' ? textPart(text) : [],
      ),
      calls: tools.map(toCall),
      reasoning: step.filter(({ type }) => type === 'reasoning'),
      provider: 'opencode',
      id: index === 0 || id === undefined ? id : `${id}/${index}`,
    })
    const about = { line, timestamp: createdAt(info) }
    const isAborted = info.error !== undefined
    const usage = opencodeUsage(tokens)
    const model = nameOf(info.modelID)
    return [
      { kind: 'message', message, ...about, usage, model, ...(isAborted && { aborted: true }) },
      ...tools.flatMap((tool) => {
        const result = toResult(tool)
        return result === undefined ? [] : [{ kind: 'message' as const, message: result, ...about }]
      }),
    ]
  })
}

function toCall({ callID, tool, state }: Loose): ToolCall {
  return functionCall(String(callID), String(tool), JSON.stringify(looseOf(looseOf(state).input)))
}

function toResult({ callID, state }: Loose) {
  const { status, output, error, attachments } = looseOf(state)
  if (status === 'error')
    return toolMessage(String(callID), [textPart(stringOf(error) ?? '')], { isError: true })
  if (status !== 'completed') return undefined
  const media = arrayOf(attachments).flatMap((part) => userPart(looseOf(part)) ?? [])
  return toolMessage(String(callID), [textPart(stringOf(output) ?? ''), ...media])
}

/** The input excludes cached tokens, and the output excludes reasoning. */
function opencodeUsage(recorded: unknown) {
  const { input, output, reasoning, cache } = looseOf(recorded)
  const { read, write } = looseOf(cache)
  const usage = piUsage({ input, output: sum(output, reasoning), cacheRead: read, cacheWrite: write })
  const reasoningTokens = sum(reasoning)
  return usage && reasoningTokens > 0 ? { ...usage, reasoningTokens } : usage
}
