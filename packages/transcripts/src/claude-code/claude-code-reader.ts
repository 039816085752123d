import { isObject, type Loose, looseOf, messageText } from '@palimpsest/core'
import { activeBranch, type TreeNode } from '../active-branch.ts'
import { anthropicUserTurn } from '../anthropic/anthropic-blocks.ts'
import { userMessage } from '../build-message.ts'
import { nameOf, timestampOf } from '../json.ts'
import type { ReadingLog } from '../reading-log.ts'
import type { RecordedSession, SessionReader } from '../recorded-item.ts'
import type { AnswerLine, ClaudeLine, QueuedLine } from './claude-line.ts'
import { mergeResponses, readClaudeLine } from './read-claude-line.ts'
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

  const addNode = (value: Loose, uuid: string) => {
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

function isSidechain(value: Loose): boolean {
  return value.isSidechain === true || nameOf(value.parent_tool_use_id) !== undefined
}

function isPrompt(value: Loose): boolean {
  if (value.type !== 'user' || value.isCompactSummary === true) return false
  return anthropicUserTurn(looseOf(value.message).content, undefined).results.length === 0
}

/** A summary belongs to the boundary line before it; the two are one compaction. */
function completesCompaction(lines: ClaudeLine[], read: ClaudeLine): boolean {
  const last = lines.at(-1)
  if (read.kind !== 'compaction' || last?.kind !== 'compaction' || last.item.summary !== undefined)
    return false
  lines[lines.length - 1] = { ...last, item: { ...last.item, summary: read.item.summary } }
  return true
}

/**
 * The lines of the branch that the session ended on. Lines form a tree by `parentUuid`, and an edited prompt or a
 * rewind begins a new branch. Parallel calls hang under each other, and each result under its call, so the blocks of
 * a response and the results of its calls come with any one of them.
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

/** One `queue-operation` line. */
interface QueueOperation {
  readonly operation: unknown
  readonly content: string | undefined
  readonly line: number
  readonly timestamp: number | undefined
  /** The entry that was the last one in the file. */
  readonly above: string | undefined
}

interface Waiting {
  readonly content: string
  /** The text also stands in a later message line, so that it needs no line of its own. */
  readonly recorded: boolean
}

/**
 * Text that a user types while the model works is queued. Claude Code then starts a turn with it (`dequeue`: a user
 * line follows), puts it between two requests (`remove`: newer versions write an attachment line, older ones
 * nothing), or gives it back for editing (`popAll`). `messages` has the texts of the file's message lines by line
 * number. Texts that stand nowhere else are returned at the place where they were sent.
 */
function resolveQueue(
  operations: readonly QueueOperation[],
  messages: ReadonlyMap<string, readonly number[]>,
) {
  const sent: QueuedLine[] = []
  const waiting: Waiting[] = []
  let unsent = 0
  const take = (fits: (entry: Waiting) => boolean) => {
    const index = waiting.findIndex(fits)
    return index === -1 ? undefined : waiting.splice(index, 1)[0]
  }
  for (const { operation, content, line, timestamp, above } of operations) {
    if (operation === 'enqueue' && content !== undefined) {
      waiting.push({ content, recorded: (messages.get(content)?.at(-1) ?? 0) > line })
    } else if (operation === 'dequeue') {
      take(({ recorded }) => recorded) ?? take(() => true)
    } else if (operation === 'remove') {
      const entry = take((entry) => !entry.recorded && (content === undefined || content === entry.content))
      if (entry === undefined) continue
      const turn = anthropicUserTurn(entry.content, undefined)
      sent.push({ kind: 'queued', line, uuid: undefined, timestamp, above, turn })
    } else if (operation === 'popAll') {
      unsent += unrecorded(waiting)
      waiting.length = 0
    }
  }
  // `unsent` texts never reached the model: they were taken back by the user, or still wait at the end.
  return { sent, unsent: unsent + unrecorded(waiting) }
}

function unrecorded(waiting: readonly Waiting[]): number {
  return waiting.filter(({ recorded }) => !recorded).length
}
