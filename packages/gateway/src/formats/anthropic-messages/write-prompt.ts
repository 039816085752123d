import {
  contentParts,
  equalValues,
  isBridge,
  isInstruction,
  isObject,
  type Loose,
  looseOf,
  type Message,
  type Origin,
  toolCallsOf,
} from '@palimpsest/core'
import { putNewest } from '../../put-newest.ts'
import { withoutMark } from '../../recognition/cache-marks.ts'
import { digest } from '../../recognition/prefix-hashes.ts'
import {
  type Block,
  blocksOf,
  isCompaction,
  isThinking,
  type Piece,
  type RawMessage,
  toBlock,
  toPart,
  toToolUse,
  type Unit,
} from './blocks.ts'

/** Maximum number of remembered thinking blocks, about a hundred bytes each. */
const REMEMBERED = 20_000

interface Said {
  readonly role: string
  readonly blocks: readonly Block[]
}

export type BoundThinking = ReturnType<typeof createBoundThinking>

/** Remembers the prompt that preceded each thinking block, because models refuse it after any other. */
export function createBoundThinking() {
  const prefixes = new Map<string, string>()
  const put = (key: string, prefix: string) => putNewest(prefixes, key, prefix, REMEMBERED)
  return {
    learn(thinking: Block, prefix: string): void {
      put(keyOf(thinking), prefix)
    },
    fits(thinking: Block, prefix: string): boolean | undefined {
      const key = keyOf(thinking)
      const known = prefixes.get(key)
      if (known === undefined) return undefined
      put(key, known)
      return known === prefix
    },
  }
}

function keyOf({ signature, data, thinking }: Block): string {
  return digest(String(signature ?? data ?? thinking))
}

/** Extends a prompt's digest by a message. Equal for texts and text blocks, and without breakpoints. */
function extendPrompt(before: string, { role, blocks }: Said): string {
  return digest(`${before}\n${JSON.stringify([role, blocks.map(normal)])}`)
}

function normal(block: Block): Loose {
  const plain = withoutMark(block)
  return plain.type === 'tool_result'
    ? { ...plain, content: blocksOf(plain.content).map(withoutMark) }
    : plain
}

export function promptDigest(said: readonly Said[]): string {
  return said.reduce(extendPrompt, '')
}

function hasThinking({ blocks }: Said): boolean {
  return blocks.some(isThinking)
}

interface WriteInput {
  readonly shown: readonly Message[]
  readonly origins: readonly Origin[]
  readonly pieceOf: (index: number) => { readonly piece: Piece; readonly unit: Unit } | undefined
  readonly bound: BoundThinking
  readonly compaction: { readonly role: string; readonly block: Block } | undefined
  /** True if the model accepts thinking only after its own prompt. */
  readonly isBound: boolean
  readonly system: {
    readonly raw: unknown
    readonly piece: Piece | undefined
    readonly left: readonly Block[]
  }
}

export interface Entry {
  readonly role: string
  readonly blocks: readonly Block[]
  readonly raw?: RawMessage
  readonly at: number
}

export interface WrittenPrompt {
  readonly system: unknown
  readonly messages: readonly Loose[]
  readonly said: readonly Entry[]
  readonly isUnthought: boolean
}

/** A prompt must not start with an answer. */
const BEGINNING: Block = { type: 'text', text: '(The conversation goes on.)' }

export function writePrompt(input: WriteInput): WrittenPrompt {
  const marks = new Map<Block, unknown>()
  const [first] = input.shown
  const prompt = isInstruction(first) ? promptEntry(input, marks) : undefined
  const entries = mergeTurns(withCompaction(writeEntries(input, prompt === undefined ? 0 : 1, marks), input))
  const [begin] = entries
  if (begin?.blocks[0]?.type !== 'compaction' && begin?.role === 'assistant' && begin.raw?.index !== 0)
    entries.unshift({ role: 'user', blocks: [BEGINNING], at: begin.at })
  const left: Entry = prompt ?? { role: 'system', blocks: [], at: 0 }
  const told = [left, ...entries]
  const said = input.isBound ? withoutUnbound(told, input) : told
  const marked = (block: Block) => (marks.has(block) ? { ...block, cache_control: marks.get(block) } : block)
  const messages = said.slice(1).map(({ role, blocks, raw }) => {
    const isAsItCame = raw !== undefined && raw.blocks === blocks && !blocks.some((block) => marks.has(block))
    return isAsItCame ? raw.raw : { ...raw?.raw, role, content: blocks.map(marked) }
  })
  const { raw, piece, left: unread } = input.system
  const isOwn = prompt?.blocks === piece?.own && !left.blocks.some((block) => marks.has(block))
  const blocks = [...unread, ...left.blocks.map(marked)]
  const last = told.findLast(({ role }) => role === 'assistant')
  const isUnthought = last !== undefined && hasThinking(last) && !said.includes(last)
  return { system: isOwn ? raw : blocks, messages, said, isUnthought }
}

/** Text that core does not get, such as the billing header, stays before the system prompt. */
function promptEntry({ shown, origins, system }: WriteInput, marks: Map<Block, unknown>): Entry {
  const message = shown[0] as Message
  const blocks = blocksFor(message, isWhole(origins[0]), system.piece, marks)
  return { role: 'system', blocks, at: 0 }
}

function withCompaction(entries: Entry[], { compaction }: WriteInput): Entry[] {
  if (compaction === undefined || entries.some(({ blocks }) => blocks.includes(compaction.block)))
    return entries
  return [{ role: compaction.role, blocks: [compaction.block], at: 0 }, ...entries]
}

function isWhole(origin: Origin | undefined): boolean {
  return origin?.from === 'transcript' && origin.whole
}

function writeEntries(
  { shown, origins, pieceOf }: WriteInput,
  from: number,
  marks: Map<Block, unknown>,
): Entry[] {
  const entries: Entry[] = []
  for (let index = from; index < shown.length; index++) {
    const message = shown[index] as Message
    const found = pieceOf(index)
    const unit = found?.unit
    const isUnit = unit?.pieces.every(
      (piece, offset) => isWhole(origins[index + offset]) && pieceOf(index + offset)?.piece === piece,
    )
    if (unit !== undefined && isUnit) {
      for (const [offset, piece] of unit.pieces.entries())
        takeMarks(shown[index + offset] as Message, piece, marks)
      for (const raw of unit.raws)
        entries.push({ role: String(raw.raw.role), blocks: raw.blocks, raw, at: index })
      index += unit.pieces.length - 1
      continue
    }
    const native = index === from ? nativeEntry(shown, index, marks) : undefined
    if (native !== undefined) {
      entries.push(native)
      if (isBridge(shown[index + 1])) index++
      continue
    }
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const blocks = blocksFor(message, isWhole(origins[index]), found?.piece, marks)
    if (blocks.length > 0) entries.push({ role, blocks, at: index })
  }
  return entries
}

/** A summary at the start with Claude's own compaction, in another role than the next message. */
function nativeEntry(shown: readonly Message[], at: number, marks: Map<Block, unknown>): Entry | undefined {
  const summary = shown[at] as Message
  const { compaction } = looseOf(looseOf(summary.providerData).anthropic)
  if (!isObject(compaction)) return undefined
  const next = isBridge(shown[at + 1]) ? shown[at + 2] : shown[at + 1]
  takeMarks(summary, { parts: contentParts(summary).map(() => compaction), calls: [] }, marks)
  return { role: next?.role === 'assistant' ? 'user' : 'assistant', blocks: [compaction], at }
}

function blocksFor(
  message: Message,
  whole: boolean,
  piece: Piece | undefined,
  marks: Map<Block, unknown>,
): readonly Block[] {
  if (whole && piece?.own !== undefined) {
    takeMarks(message, piece, marks)
    return piece.own
  }
  let next = 0
  const parts = contentParts(message).map((part) => {
    const plain = withoutMark(part as Loose)
    const at =
      piece?.parts.findIndex((block, index) => index >= next && equalValues(toPart(block), plain)) ?? -1
    if (at !== -1) next = at + 1
    return piece?.parts[at] ?? toBlock(plain)
  })
  const calls = toolCallsOf(message).map((call) => {
    const written = toToolUse(call)
    const own = piece?.calls.find(({ id }) => id === call.id)
    return own !== undefined && equalValues(own.input, written.input) ? own : { ...own, ...written }
  })
  const result = message.role === 'tool' ? resultOf(message, parts, piece) : undefined
  takeMarks(message, { parts, calls, ...(result && { result }) }, marks)
  if (result !== undefined) return [result]
  return [...parts.filter((block) => block !== undefined), ...calls]
}

function resultOf(
  { tool_call_id: id, content }: Message & { role: 'tool' },
  parts: readonly (Block | undefined)[],
  piece: Piece | undefined,
): Block {
  const blocks = parts.filter((block) => block !== undefined)
  const said = typeof content === 'string' ? content : blocks
  return {
    ...(piece?.result ?? { type: 'tool_result', tool_use_id: id }),
    ...(said.length > 0 && { content: said }),
  }
}

function takeMarks(
  message: Message,
  {
    parts,
    calls,
    result,
  }: Pick<Piece, 'calls' | 'result'> & { readonly parts: readonly (Block | undefined)[] },
  marks: Map<Block, unknown>,
): void {
  const set = (block: Block | undefined, { cache_control: mark }: Loose) => {
    if (block !== undefined && mark !== undefined) marks.set(block, mark)
  }
  const last = calls.at(-1) ?? parts.findLast((block) => block !== undefined && !isThinking(block))
  set(result ?? last, looseOf(message))
  for (const [index, part] of contentParts(message).entries()) set(result ?? parts[index], part as Loose)
}

function mergeTurns(entries: readonly Entry[]): Entry[] {
  const merged: Entry[] = []
  for (const entry of entries) {
    const before = merged.at(-1)
    const isApart = before?.role !== entry.role || entry.role === 'system' || follows(before, entry)
    if (before === undefined || isApart) merged.push(entry)
    else merged[merged.length - 1] = { role: entry.role, at: before.at, blocks: joinBlocks(before, entry) }
  }
  return merged
}

function follows({ raw: before }: Entry, { raw }: Entry): boolean {
  return before !== undefined && raw !== undefined && before.index + 1 === raw.index
}

/** The API requires tool results first. Thinking must keep its place at the start. */
function joinBlocks({ role, blocks: before }: Entry, { blocks }: Entry): readonly Block[] {
  if (role === 'assistant') return [...before, ...blocks.filter((block) => !isThinking(block))]
  const all = [...before, ...blocks]
  const isResult = ({ type }: Block) => type === 'tool_result'
  return [...all.filter(isResult), ...all.filter((block) => !isResult(block))]
}

/**
 * Removes thinking that followed another prompt. If that is unknown, as after a restart, it stays if the client's list
 * before it is unchanged.
 */
function withoutUnbound(said: readonly Entry[], { origins, bound }: WriteInput): Entry[] {
  if (!said.some(hasThinking)) return [...said]
  const isAsTold = (origin: Origin, index: number) =>
    origin.from === 'transcript' && origin.whole && origin.index === index
  const edited = origins.findIndex((origin, index) => !isAsTold(origin, index))
  let prefix = ''
  let isBehindCompaction = false
  const kept: Entry[] = []
  for (const entry of said) {
    // The provider accepts thinking after its own compaction, which replaces the prompt before it.
    isBehindCompaction ||= entry.blocks.some(isCompaction)
    const isKept = (block: Block) => {
      if (!isThinking(block)) return true
      const fits = bound.fits(block, prefix)
      const isAsTold = edited === -1 || entry.at < edited
      return fits === true || (isAsTold && (fits === undefined || isBehindCompaction))
    }
    const blocks = entry.blocks.every(isKept) ? entry.blocks : entry.blocks.filter(isKept)
    // Nothing is left of a message with only thinking.
    if (blocks.length === 0 && entry.blocks.length > 0) continue
    kept.push(blocks === entry.blocks ? entry : { ...entry, blocks })
    prefix = extendPrompt(prefix, { ...entry, blocks })
  }
  return kept
}
