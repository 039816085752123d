import { isObject, type Loose, looseOf } from '@palimpsest/core'
import { activeBranch, type TreeNode } from '../active-branch.ts'
import { anthropicUserTurn } from '../anthropic/anthropic-blocks.ts'
import { nameOf, timestampOf } from '../json.ts'
import type { ReaderOptions, ReadingLog, RecordedSession, SessionReader } from '../recorded-item.ts'
import { createInputQueue } from './input-queue.ts'
import type { AnswerLine, ClaudeLine } from './read-claude-line.ts'
import { mergeResponses, readClaudeLine } from './read-claude-line.ts'
import { createSentRequests } from './sent-requests.ts'

/**
 * Reads Claude Code sessions, and its `stream-json` output. Sub-agents' lines are left out, except in a sub-agent's own
 * file. Unknown kinds of lines are skipped and counted.
 */
export function createClaudeCodeReader(log: ReadingLog, { branches }: ReaderOptions = {}): SessionReader {
  const lines: ClaudeLine[] = []
  const meta = new Map<string, ClaudeLine>()
  const sidechain: ClaudeLine[] = []
  const nodes: TreeNode[] = []
  const uuids = new Set<string>()
  const before = new Map<string, string>()
  const queue = createInputQueue()
  const sent = createSentRequests()
  let startedAt: number | undefined
  let isTree = true

  const addNode = (value: Loose, uuid: string) => {
    const named = nameOf(value.parentUuid) ?? nameOf(value.logicalParentUuid)
    const parent = before.get(named ?? '') ?? named
    // Only a prompt can start a conversation. A missing parent of any other line is a lost link.
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
      if (uuid !== undefined && uuids.has(uuid)) {
        const last = nodes.at(-1)?.id
        if (last !== undefined && last !== uuid) before.set(uuid, last)
        return log.skip('repeated line')
      }
      if (uuid !== undefined) uuids.add(uuid)
      startedAt ??= timestampOf(value.timestamp)
      if (sent.take(value, line)) {
        if (uuid !== undefined && !isSidechain(value)) addNode(value, uuid)
        return
      }
      const isMeta = value.isMeta === true
      if (isMeta && (uuid === undefined || isSidechain(value))) return log.skip('meta message')
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
        queue.operate({ operation, content, line, timestamp: timestampOf(value.timestamp), above })
        return
      }
      const read = readClaudeLine(value, line, log)
      if (read !== undefined && isMeta && uuid !== undefined) return void meta.set(uuid, read)
      if (read === undefined || completesCompaction(lines, read)) return
      lines.push(read)
      queue.note(read)
    },
    finish() {
      const answered = answeredMeta(meta, lines, nodes)
      if (answered.length < meta.size) log.skip('meta message', meta.size - answered.length)
      lines.push(...answered)
      if (!lines.some(({ kind }) => kind === 'answer' || kind === 'user')) {
        return withSent(sidechain)
      }
      if (sidechain.length > 0) log.skip('sidechain message', sidechain.length)
      const { sent: queued, unsent, waitingSince } = queue.finish()
      if (unsent > 0) log.skip('queued text that was not sent', unsent)
      const all = [...lines, ...queued].sort((a, b) => a.line - b.line)
      const active = isTree && branches !== 'all' ? activeLines(all, nodes) : all
      if (active.length < all.length) log.skip('abandoned branch', all.length - active.length)
      return { ...withSent(active), waitingSince }
    },
  }
}

function answeredMeta(
  meta: ReadonlyMap<string, ClaudeLine>,
  lines: readonly ClaudeLine[],
  nodes: readonly TreeNode[],
): ClaudeLine[] {
  if (meta.size === 0) return []
  const parents = new Map(nodes.map(({ id, parent }) => [id, parent]))
  const messages = new Map<string | undefined, ClaudeLine>([
    ...lines.filter(isMessage).map((line) => [line.uuid, line] as const),
    ...meta,
  ])
  const answered = new Set<ClaudeLine>()
  for (const line of lines) {
    if (line.kind !== 'answer' || line.uuid === undefined) continue
    for (let at = line.uuid; ; ) {
      const above = messageAbove(parents.get(at) ?? undefined, messages, parents)
      if (above?.uuid === undefined || !meta.has(above.uuid) || answered.has(above)) break
      answered.add(above)
      at = above.uuid
    }
  }
  return [...answered]
}

function isSidechain(value: Loose): boolean {
  return value.isSidechain === true || nameOf(value.parent_tool_use_id) !== undefined
}

function isPrompt(value: Loose): boolean {
  if (value.type !== 'user' || value.isCompactSummary === true) return false
  return anthropicUserTurn(looseOf(value.message).content, undefined).results.length === 0
}

/** A summary belongs to the boundary line before it; together they are one compaction. */
function completesCompaction(lines: ClaudeLine[], read: ClaudeLine): boolean {
  const last = lines.at(-1)
  if (read.kind !== 'compaction' || last?.kind !== 'compaction' || last.item.summary !== undefined)
    return false
  lines[lines.length - 1] = { ...last, item: { ...last.item, summary: read.item.summary } }
  return true
}

/**
 * The lines of the session's last branch. Lines form a tree by `parentUuid`, in which an edited prompt or a rewind
 * starts a new branch. Parallel calls are chained, with each result under its call, so the blocks of a response and the
 * results of its calls come together.
 */
function activeLines(lines: readonly ClaudeLine[], nodes: readonly TreeNode[]): ClaudeLine[] {
  const leaf = lines.findLast((line) => isMessage(line) && line.uuid !== undefined)
  const leafIndex = nodes.findLastIndex(({ id }) => id === leaf?.uuid)
  if (leafIndex === -1) return [...lines]

  const branch = activeBranch(nodes, leafIndex)
  const onBranch = ({ uuid }: ClaudeLine) => uuid === undefined || branch.has(uuid)
  const answers = lines.filter((line) => line.kind === 'answer')
  const responses = new Set(answers.filter(onBranch).map(responseKey))
  const keptAnswers = answers.filter((line) => onBranch(line) || responses.has(responseKey(line)))
  const calls = new Set(keptAnswers.flatMap(({ answer }) => answer.calls.map(({ id }) => id)))
  const answersCall = (line: ClaudeLine) =>
    line.kind === 'user' && line.turn.results.some(({ tool_call_id }) => calls.has(tool_call_id))

  const kept = new Set<ClaudeLine>(keptAnswers)
  for (const line of lines)
    if (line.kind !== 'answer' && (onBranch(line) || answersCall(line))) kept.add(line)

  const messages = new Map(lines.filter(isMessage).map((line) => [line.uuid, line]))
  const parents = new Map(nodes.map(({ id, parent }) => [id, parent]))
  return lines.filter((line) => {
    if (line.kind !== 'queued') return kept.has(line)
    const above = messageAbove(line.above, messages, parents)
    return above === undefined || kept.has(above)
  })
}

function isMessage({ kind }: ClaudeLine): boolean {
  return kind === 'answer' || kind === 'user'
}

function responseKey({ messageId, requestId, uuid }: AnswerLine): string {
  return messageId === undefined ? `line ${uuid}` : `${messageId} ${requestId ?? ''}`
}

function messageAbove(
  from: string | undefined,
  messages: ReadonlyMap<string | undefined, ClaudeLine>,
  parents: ReadonlyMap<string, string | null | undefined>,
): ClaudeLine | undefined {
  const seen = new Set<string>()
  for (
    let id: string | null | undefined = from;
    typeof id === 'string' && !seen.has(id);
    id = parents.get(id)
  ) {
    const message = messages.get(id)
    if (message !== undefined) return message
    seen.add(id)
  }
  return undefined
}
