import { isObject, type Loose, looseOf } from '@palimpsest/core'
import { assistantMessage, functionCall, textPart, toolMessage, userMessage } from '../build-message.ts'
import { arrayOf, kindName, nameOf, stringOf, timestampOf, toolArguments } from '../json.ts'
import type { ReaderOptions, ReadingLog, RecordedItem, SessionReader } from '../recorded-item.ts'
import { apiUsage, sum } from '../usage.ts'
import { geminiParts } from './gemini-parts.ts'

/**
 * Reads sessions of Gemini CLI: one document, or in newer versions a line for the session and one per message. A
 * rewritten message replaces the earlier one, and `$rewindTo` removes a message and all later ones.
 */
export function createGeminiReader(log: ReadingLog, { branches }: ReaderOptions = {}): SessionReader {
  const messages = new Map<string, { readonly message: Loose; readonly line: number }>()
  let startedAt: number | undefined
  const take = (value: unknown, line: number) => {
    if (!isObject(value) || nameOf(value.type) === undefined)
      return log.reject(line, 'not a message of Gemini CLI')
    const id = nameOf(value.id) ?? `line ${line}`
    messages.set(id, { message: value, line: messages.get(id)?.line ?? line })
  }
  return {
    read(value, line) {
      const { messages: document, startTime, $set, $rewindTo } = looseOf(value)
      startedAt ??= timestampOf(startTime)
      const list = document ?? looseOf($set).messages
      // A list that is set again, as after a compaction, omits earlier messages, which stay.
      if (Array.isArray(list))
        for (const [index, message] of list.entries()) take(message, $set ? line : index + 1)
      else if (typeof $rewindTo === 'string') {
        const kept = [...messages.keys()]
        const gone = branches === 'all' || !messages.has($rewindTo) ? [] : kept.slice(kept.indexOf($rewindTo))
        for (const id of gone) messages.delete(id)
        if (gone.length > 0) log.skip('abandoned branch', gone.length)
      } else if ($set === undefined && looseOf(value).sessionId === undefined) take(value, line)
    },
    finish: () => ({
      items: [...messages.values()].flatMap(({ message, line }) => itemsOf(message, line, log)),
      startedAt,
    }),
  }
}

function itemsOf(value: Loose, line: number, log: ReadingLog): RecordedItem[] {
  const about = { kind: 'message' as const, line, timestamp: timestampOf(value.timestamp) }
  const id = nameOf(value.id)
  if (value.type === 'user') return [{ ...about, message: userMessage(geminiParts(value.content).parts, id) }]
  if (value.type !== 'gemini') {
    log.skip(`${kindName(value.type)} message`)
    return []
  }
  const tools = arrayOf(value.toolCalls)
    .map(looseOf)
    .filter(({ name }) => nameOf(name) !== undefined)
  const callId = (tool: Loose, at: number) => nameOf(tool.id) ?? `call_${line}_${at}`
  const message = assistantMessage({
    parts: geminiParts(value.content).parts,
    calls: tools.map((tool, at) =>
      functionCall(callId(tool, at), String(tool.name), toolArguments(tool.args)),
    ),
    reasoning: arrayOf(value.thoughts).filter(isObject),
    provider: 'gemini',
    id,
  })
  const { input, output, cached, thoughts } = looseOf(value.tokens)
  const usage = apiUsage({
    promptTokens: input,
    completionTokens: sum(output, thoughts),
    cacheReadTokens: cached,
    reasoningTokens: thoughts,
  })
  return [
    { ...about, message, usage, model: nameOf(value.model) },
    ...tools.flatMap((tool, at) => {
      if (tool.result === undefined || tool.result === null) return []
      const { parts, results } = geminiParts(tool.result)
      const text = results.map(({ content }) => stringOf(content) ?? '').join('\n')
      const isError = tool.status === 'error'
      const content = results.length > 0 ? [textPart(text), ...parts] : parts
      return [{ ...about, message: toolMessage(callId(tool, at), content, { isError }) }]
    }),
  ]
}
