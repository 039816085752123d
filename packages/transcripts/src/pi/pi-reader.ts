import type { Message } from '@palimpsest/core'
import { activeBranch, type TreeNode } from '../active-branch.ts'
import { userMessage } from '../build-message.ts'
import { isObject, type JsonObject, kindName, nameOf, quote } from '../json.ts'
import type { ReadingLog } from '../reading-log.ts'
import type { RecordedItem, RecordedSession, SessionReader } from '../recorded-item.ts'
import { timestampOf } from '../timestamp.ts'
import { piUsage } from '../usage.ts'
import { branchSummary, fromPiMessage } from './pi-messages.ts'
import { piParts } from './pi-parts.ts'

/**
 * Reads sessions of the pi coding agent: version 1, a list of entries, and versions 2 and 3, a tree by `id` and
 * `parentId`, of which the branch that ends in the last entry is taken, as pi itself does.
 */
export function createPiReader(log: ReadingLog): SessionReader {
  const nodes: TreeNode[] = []
  const found: { item: RecordedItem; node: string | undefined }[] = []
  let header: JsonObject = {}

  return {
    read(value, line) {
      if (!isObject(value)) return log.reject(line, 'not a JSON object')
      if (nameOf(value.type) === undefined) return log.reject(line, 'an entry without a type')
      if (value.type === 'session') {
        if (Object.keys(header).length > 0) log.skip('repeated session header')
        else header = value
        return
      }
      const node = nodeOf(value)
      if (node !== undefined) nodes.push(node)
      const item = readEntry(value, line, log)
      if (item !== undefined) found.push({ item, node: node?.id })
    },
    finish() {
      const branch = activeBranch(nodes, nodes.length - 1)
      const items = found.filter(({ node }) => node === undefined || branch.has(node))
      if (items.length < found.length) log.skip('abandoned branch', found.length - items.length)
      return {
        items: items.map(({ item }) => item),
        model: nameOf(header.modelId),
        startedAt: timestampOf(header.timestamp),
      } satisfies RecordedSession
    },
  }
}

function nodeOf(entry: JsonObject): TreeNode | undefined {
  const id = nameOf(entry.id)
  if (id === undefined || !('parentId' in entry)) return undefined
  return { id, parent: entry.parentId === null ? null : nameOf(entry.parentId) }
}

function readEntry(entry: JsonObject, line: number, log: ReadingLog): RecordedItem | undefined {
  const id = nameOf(entry.id)
  const timestamp = timestampOf(entry.timestamp)
  const said = (message: Message): RecordedItem => ({ kind: 'message', message, line, timestamp })
  switch (entry.type) {
    case 'message':
      return readMessage(entry, line, log)
    case 'custom_message':
      return said(userMessage(piParts(entry.content), id))
    case 'branch_summary':
      return said(userMessage([branchSummary(entry.summary)], id))
    case 'compaction':
      return compaction(entry, line)
    default:
      log.skip(`${kindName(entry.type)} entry`)
      return undefined
  }
}

function readMessage(entry: JsonObject, line: number, log: ReadingLog): RecordedItem | undefined {
  const { message } = entry
  if (!isObject(message)) {
    log.reject(line, 'a message entry without a message')
    return undefined
  }
  const place = {
    line,
    timestamp: timestampOf(message.timestamp) ?? timestampOf(entry.timestamp),
  }
  if (message.role === 'compactionSummary') return compaction(message, line)
  if (message.role === 'bashExecution' && message.excludeFromContext === true) {
    log.skip('command that the user kept from the model')
    return undefined
  }
  const said = fromPiMessage(message, nameOf(entry.id))
  if (said === undefined) {
    const isResult = message.role === 'toolResult'
    log.reject(line, isResult ? 'a tool result without a toolCallId' : `unknown role ${quote(message.role)}`)
    return undefined
  }
  if (message.role !== 'assistant') return { kind: 'message', message: said, ...place }
  return {
    kind: 'message',
    message: said,
    ...place,
    usage: piUsage(message.usage),
    model: nameOf(message.model),
    aborted: message.stopReason === 'aborted' || message.stopReason === 'error',
  }
}

function compaction(recorded: JsonObject, line: number): RecordedItem {
  const tokensBefore = typeof recorded.tokensBefore === 'number' ? recorded.tokensBefore : undefined
  return { kind: 'compaction', line, summary: nameOf(recorded.summary), tokensBefore }
}
