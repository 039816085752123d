import { isObject, type Loose, looseOf, type TextPart, type ToolSchema } from '@palimpsest/core'
import { systemMessage, textPart, toolSchema } from '../build-message.ts'
import { arrayOf, nameOf, stringOf } from '../json.ts'
import type { RecordedMessage } from '../recorded-item.ts'
import type { ClaudeLine, SentLine } from './read-claude-line.ts'

interface Prompt {
  readonly line: number
  readonly system: readonly string[]
  readonly tools: readonly ToolSchema[]
}

/**
 * Newer versions record requests as sent: system prompt and tools (`api-request-shape`, partly also `prompt_snapshot`),
 * and messages that differ from the session's lines (`api-request-blob`), because the host added reminders or its own
 * words.
 */
export function createSentRequests() {
  let shape: Prompt | undefined
  let snapshot: Prompt | undefined
  const blobs: { readonly line: number; readonly texts: readonly string[] }[] = []
  return {
    take(value: Loose, line: number): boolean {
      const attachment = looseOf(value.attachment)
      if (value.type === 'api-request-shape') {
        const { system, tools } = looseOf(value.shape)
        shape ??= { line, system: textsOf(system), tools: toolsOf(tools) }
      } else if (value.type === 'attachment' && attachment.type === 'prompt_snapshot') {
        const tools = arrayOf(attachment.tools).map((tool) => looseOf(tool).schema)
        if (snapshot === undefined || snapshot.tools.length === 0)
          snapshot = { line, system: textsOf(attachment.systemPrompt), tools: toolsOf(tools) }
      } else if (value.type === 'api-request-blob') {
        const { role, content } = looseOf(value.message)
        if (role === 'user' || role === 'system') blobs.push({ line, texts: textsOf(content) })
      } else return value.type === 'api-request'
      return true
    },
    /**
     * The system prompt with everything else before the first answer, the tools, and later reminders of the host in
     * their place.
     *
     * @param lines The conversation, whose own words are not repeated.
     */
    finish(lines: readonly ClaudeLine[]) {
      const prompt = shape ?? snapshot
      const said = new Set(lines.flatMap(wordsOf))
      const firstAnswer = lines.find(({ kind }) => kind === 'answer')?.line ?? Number.POSITIVE_INFINITY
      const before = (prompt?.system ?? []).map(textPart)
      const later: SentLine[] = []
      for (const { line, texts } of blobs) {
        const parts: TextPart[] = []
        for (const text of texts) {
          if (said.has(text.trim()) || quotesLine(text, line, lines)) continue
          said.add(text.trim())
          parts.push(textPart(text))
        }
        if (line < firstAnswer) before.push(...parts)
        else if (parts.length > 0)
          later.push({ kind: 'sent', line, uuid: undefined, timestamp: undefined, parts })
      }
      const message = systemMessage('system', before)
      const system: RecordedMessage = { kind: 'message', message, line: prompt?.line ?? 1 }
      return {
        system: before.length === 0 ? undefined : system,
        tools: prompt === undefined || prompt.tools.length === 0 ? undefined : prompt.tools,
        lines: later,
      }
    },
  }
}

/** A text that contains the latest message's words is that message. */
function quotesLine(text: string, line: number, lines: readonly ClaudeLine[]): boolean {
  const latest = lines.findLast((other) => other.line < line && wordsOf(other).length > 0)
  return latest !== undefined && wordsOf(latest).some((words) => text.includes(words))
}

function wordsOf(line: ClaudeLine): string[] {
  if (line.kind === 'compaction') return [line.item.summary?.trim() ?? ''].filter(Boolean)
  if (line.kind !== 'user' && line.kind !== 'queued') return []
  return line.turn.parts.flatMap((part) => stringOf(looseOf(part).text)?.trim() || [])
}

function textsOf(content: unknown): string[] {
  const blocks = typeof content === 'string' ? [content] : arrayOf(content)
  return blocks.flatMap((block) => nameOf(isObject(block) ? block.text : block) ?? [])
}

function toolsOf(tools: unknown): ToolSchema[] {
  return arrayOf(tools).flatMap((tool) => {
    const { name, description, input_schema: parameters, defer_loading: isDeferred } = looseOf(tool)
    if (typeof name !== 'string' || !isObject(parameters) || isDeferred === true) return []
    return toolSchema(name, description, parameters)
  })
}
