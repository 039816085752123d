import { isObject, type Loose, looseOf, type Message, type ToolSchema } from '@palimpsest/core'
import { activeBranch, type TreeNode } from '../active-branch.ts'
import { assemble } from '../assemble.ts'
import { toolSchema, userMessage } from '../build-message.ts'
import { arrayOf, kindName, nameOf, quote, timestampOf } from '../json.ts'
import {
  createReadingLog,
  type ReaderOptions,
  type ReadingLog,
  type RecordedItem,
  type RecordedSession,
  type SessionReader,
} from '../recorded-item.ts'
import type { TranscriptEntry } from '../transcript.ts'
import { piUsage } from '../usage.ts'
import { branchSummary, fromPiMessage, piParts } from './pi-messages.ts'

/**
 * Reads sessions of the pi coding agent: version 1, a list of entries, and versions 2 and 3, a tree by `id` and
 * `parentId`, of which the last entry's branch is read, as in pi. Edits of the context apply; the first system prompt
 * is used.
 *
 * @param known Cache of entries read earlier in the same place. New entries are added.
 */
export function createPiReader(
  log: ReadingLog,
  { branches }: ReaderOptions = {},
  known: WeakMap<Loose, RecordedItem> = new WeakMap(),
): SessionReader {
  const nodes: TreeNode[] = []
  const found: { entry: Loose; item: RecordedItem; line: number }[] = []
  const edits: Loose[] = []
  let header: Loose = {}
  let system: Loose | undefined

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
      if (value.type === 'context_edit') return void edits.push(value)
      const { message } = value
      if (isObject(message) && message.role === 'system') {
        if (system !== undefined) return log.skip('change of the system prompt')
        system = message
      }
      const item = known.get(value) ?? readEntry(value, line, log)
      if (item === undefined) return
      known.set(value, item)
      found.push({ entry: value, item, line })
    },
    finish() {
      const branch = activeBranch(nodes, nodes.length - 1)
      const isActive = (entry: Loose) => {
        const node = nodeOf(entry)
        return node === undefined || branches === 'all' || branch.has(node.id)
      }
      const active = found.filter(({ entry }) => isActive(entry))
      if (active.length < found.length) log.skip('abandoned branch', found.length - active.length)
      const replacements = new Map(
        edits.filter(isActive).map(({ targetId, replacement }) => [targetId, replacement]),
      )
      const items = active.flatMap(({ entry, item, line }) => {
        if (!replacements.has(entry.id)) return item
        return readEdited(entry, replacements.get(entry.id), line, log) ?? []
      })
      return {
        items,
        tools: systemTools(system),
        model: nameOf(header.modelId),
        startedAt: timestampOf(header.timestamp),
      } satisfies RecordedSession
    },
  }
}

function readEdited(
  entry: Loose,
  replacement: unknown,
  line: number,
  log: ReadingLog,
): RecordedItem | undefined {
  if (!isObject(replacement)) return log.skip('message taken out of the context')
  const { content } = replacement
  const { message } = entry
  return readEntry(
    isObject(message) ? { ...entry, message: { ...message, content } } : { ...entry, content },
    line,
    log,
  )
}

function systemTools(system: Loose | undefined): ToolSchema[] | undefined {
  if (system === undefined) return undefined
  return arrayOf(system.toolsAdded).flatMap((tool) => {
    const { name, description, parameters } = looseOf(tool)
    return nameOf(name) === undefined ? [] : toolSchema(String(name), description, looseOf(parameters))
  })
}

function nodeOf(entry: Loose): TreeNode | undefined {
  const id = nameOf(entry.id)
  if (id === undefined || !('parentId' in entry)) return undefined
  return { id, parent: entry.parentId === null ? null : nameOf(entry.parentId) }
}

function readEntry(entry: Loose, line: number, log: ReadingLog): RecordedItem | undefined {
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
      return log.skip(`${kindName(entry.type)} entry`)
  }
}

function readMessage(entry: Loose, line: number, log: ReadingLog): RecordedItem | undefined {
  const { message } = entry
  if (!isObject(message)) return log.reject(line, 'a message entry without a message')
  const place = {
    line,
    timestamp: timestampOf(message.timestamp) ?? timestampOf(entry.timestamp),
  }
  if (message.role === 'compactionSummary') return compaction(message, line)
  if (message.role === 'bashExecution' && message.excludeFromContext === true)
    return log.skip('command that the user kept from the model')
  const said = fromPiMessage(message, nameOf(entry.id))
  if (said === undefined) {
    const isResult = message.role === 'toolResult'
    return log.reject(
      line,
      isResult ? 'a tool result without a toolCallId' : `unknown role ${quote(message.role)}`,
    )
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

function compaction(recorded: Loose, line: number): RecordedItem {
  const tokensBefore = typeof recorded.tokensBefore === 'number' ? recorded.tokensBefore : undefined
  return { kind: 'compaction', line, summary: nameOf(recorded.summary), tokensBefore }
}

/**
 * Creates a reader of an open pi session's branches: entries from the root to a leaf, as pi's session manager returns
 * them. The messages are those of `readTranscript`; `line` is an entry's position, from 1. Known entries return the
 * same objects. Entries must not be mutated.
 */
export function createPiBranchReader(): (branch: readonly object[]) => TranscriptEntry[] {
  const known = new WeakMap<Loose, RecordedItem>()
  return (branch) => {
    const log = createReadingLog()
    const reader = createPiReader(log, {}, known)
    branch.forEach((entry, index) => {
      reader.read(entry, index + 1)
    })
    return assemble(reader.finish().items, log).entries
  }
}
