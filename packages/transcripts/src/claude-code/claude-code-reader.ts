import { messageText } from '@palimpsest/core'
import type { TreeNode } from '../active-branch.ts'
import { anthropicUserTurn } from '../anthropic/anthropic-blocks.ts'
import { userMessage } from '../build-message.ts'
import { isObject, type JsonObject, nameOf, objectOf } from '../json.ts'
import type { ReadingLog } from '../reading-log.ts'
import type { RecordedSession, SessionReader } from '../recorded-item.ts'
import { timestampOf } from '../timestamp.ts'
import { activeLines } from './active-lines.ts'
import type { ClaudeLine } from './claude-line.ts'
import { type QueueOperation, resolveQueue } from './input-queue.ts'
import { mergeResponses } from './merge-responses.ts'
import { readClaudeLine } from './read-claude-line.ts'
import { createSentRequests } from './sent-requests.ts'

/**
 * Reads Claude Code sessions, and the output of its `stream-json` mode. What sub-agents did is left out, unless
 * the file is the record of one. Line kinds that are not known are skipped and counted.
 */
export function createClaudeCodeReader(log: ReadingLog): SessionReader {
  const lines: ClaudeLine[] = []
  const sidechain: ClaudeLine[] = []
  const nodes: TreeNode[] = []
  const uuids = new Set<string>()
  const operations: QueueOperation[] = []
  const sent = createSentRequests()
  const texts = new Map<string, number[]>()
  let startedAt: number | undefined
  let isTree = true

  const noteText = (line: ClaudeLine) => {
    if (line.kind !== 'user' && line.kind !== 'queued') return
    const text = messageText(userMessage(line.turn.parts))
    const places = texts.get(text) ?? []
    texts.set(text, places)
    places.push(line.line)
  }

  const addNode = (value: JsonObject, uuid: string) => {
    const parent = nameOf(value.parentUuid) ?? nameOf(value.logicalParentUuid)
    // Only a prompt can begin a conversation. Anywhere else, no parent means that the link is lost.
    if (value.type === 'assistant' && parent === undefined && nodes.length > 0) isTree = false
    nodes.push({ id: uuid, parent: parent ?? (isPrompt(value) ? null : undefined) })
  }

  const withSent = (own: readonly ClaudeLine[]): RecordedSession => {
    const { system, tools, lines: said } = sent.finish(own)
    const all = said.length === 0 ? own : [...own, ...said].sort((a, b) => a.line - b.line)
    const items = mergeResponses(all, log)
    return { items: system === undefined ? items : [system, ...items], tools, startedAt }
  }

  return {
    read(value, line) {
      if (!isObject(value)) return log.reject(line, 'not a JSON object')
      if (nameOf(value.type) === undefined) return log.reject(line, 'a line without a type')
      const uuid = nameOf(value.uuid)
      if (uuid !== undefined && uuids.has(uuid)) return log.skip('repeated line')
      if (uuid !== undefined) uuids.add(uuid)
      startedAt ??= timestampOf(value.timestamp)
      if (sent.take(value, line)) {
        if (uuid !== undefined && !isSidechain(value)) addNode(value, uuid)
        return
      }
      if (isSidechain(value)) {
        const read = readClaudeLine(value, line, log)
        if (read !== undefined) sidechain.push(read)
        return
      }
      const above = nodes.at(-1)?.id
      if (uuid !== undefined) addNode(value, uuid)
      if (value.type === 'queue-operation') {
        const { operation } = value
        const content = nameOf(value.content)
        operations.push({ operation, content, line, timestamp: timestampOf(value.timestamp), above })
        return
      }
      const read = readClaudeLine(value, line, log)
      if (read === undefined || completesCompaction(lines, read)) return
      lines.push(read)
      noteText(read)
    },
    finish() {
      if (!lines.some(({ kind }) => kind === 'answer' || kind === 'user')) {
        return withSent(sidechain)
      }
      if (sidechain.length > 0) log.skip('sidechain message', sidechain.length)
      const queue = resolveQueue(operations, texts)
      if (queue.unsent > 0) log.skip('queued text that was not sent', queue.unsent)
      const all = [...lines, ...queue.sent].sort((a, b) => a.line - b.line)
      const active = isTree ? activeLines(all, nodes) : all
      if (active.length < all.length) log.skip('abandoned branch', all.length - active.length)
      return withSent(active)
    },
  }
}

function isSidechain(value: JsonObject): boolean {
  return value.isSidechain === true || nameOf(value.parent_tool_use_id) !== undefined
}

function isPrompt(value: JsonObject): boolean {
  if (value.type !== 'user' || value.isCompactSummary === true) return false
  return anthropicUserTurn(objectOf(value.message).content, undefined).results.length === 0
}

/** A summary belongs to the boundary line before it; the two are one compaction. */
function completesCompaction(lines: ClaudeLine[], read: ClaudeLine): boolean {
  const last = lines.at(-1)
  if (read.kind !== 'compaction' || last?.kind !== 'compaction' || last.item.summary !== undefined)
    return false
  lines[lines.length - 1] = { ...last, item: { ...last.item, summary: read.item.summary } }
  return true
}
