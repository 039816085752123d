import { isObject, looseOf } from '@palimpsest/core'
import { activeBranch, type TreeNode } from '../active-branch.ts'
import { assistantMessage, userMessage } from '../build-message.ts'
import { kindName, nameOf, timestampOf } from '../json.ts'
import type {
  ReaderOptions,
  ReadingLog,
  RecordedItem,
  RecordedMessage,
  SessionReader,
} from '../recorded-item.ts'
import { apiUsage } from '../usage.ts'
import { geminiParts } from './gemini-parts.ts'

/** Reads sessions of Qwen Code: a tree of lines by `uuid` and `parentUuid`, with messages of Google's Gen AI API. */
export function createQwenReader(log: ReadingLog, { branches }: ReaderOptions = {}): SessionReader {
  const nodes: TreeNode[] = []
  const found: { readonly uuid: string; readonly items: readonly RecordedItem[] }[] = []
  let startedAt: number | undefined
  return {
    read(value, line) {
      if (!isObject(value)) return log.reject(line, 'not a JSON object')
      const uuid = nameOf(value.uuid)
      if (uuid === undefined) return log.reject(line, 'a line without a uuid')
      const timestamp = timestampOf(value.timestamp)
      startedAt ??= timestamp
      nodes.push({ id: uuid, parent: value.parentUuid === null ? null : nameOf(value.parentUuid) })
      if (value.type === 'system') {
        if (value.subtype !== 'chat_compression') return log.skip(`system ${kindName(value.subtype)} event`)
        const { originalTokenCount: tokens } = looseOf(looseOf(value.systemPayload).info)
        const tokensBefore = typeof tokens === 'number' ? tokens : undefined
        found.push({ uuid, items: [{ kind: 'compaction', line, tokensBefore }] })
        return
      }
      if (!isObject(value.message)) return log.reject(line, 'a line without a message')
      const { callId } = looseOf(value.toolCallResult)
      const { parts, calls, results, reasoning } = geminiParts(value.message.parts, nameOf(callId))
      const about = { kind: 'message' as const, line, timestamp }
      const items: RecordedMessage[] = results.map((message) => ({ ...about, message }))
      if (value.type === 'assistant') {
        const { promptTokenCount, candidatesTokenCount, cachedContentTokenCount, thoughtsTokenCount } =
          looseOf(value.usageMetadata)
        const usage = apiUsage({
          promptTokens: promptTokenCount,
          completionTokens: candidatesTokenCount,
          cacheReadTokens: cachedContentTokenCount,
          reasoningTokens: thoughtsTokenCount,
        })
        const message = assistantMessage({ parts, calls, reasoning, provider: 'gemini', id: uuid })
        items.push({ ...about, message, usage, model: nameOf(value.model) })
      } else if (parts.length > 0) items.push({ ...about, message: userMessage(parts, uuid) })
      found.push({ uuid, items })
    },
    finish() {
      const branch = activeBranch(nodes, nodes.length - 1)
      const active = branches === 'all' ? found : found.filter(({ uuid }) => branch.has(uuid))
      if (active.length < found.length) log.skip('abandoned branch', found.length - active.length)
      return { items: active.flatMap(({ items }) => items), startedAt }
    },
  }
}
