import type { TokenCounter } from '@palimpsest/core'
import type { CachePricing } from '../pricing/cache-pricing.ts'
import type { CacheWire, RequestParts } from '../wire/cache-wire.ts'
import { digest, type PromptUnit, readUnit, settingUnit } from './prompt-unit.ts'
import type { CacheBlock, ReadBlock, RequestLayout } from './request-layout.ts'

/** The part of the pricing that decides how a request is cached, whatever its markers. */
type LayoutPricing = Pick<CachePricing, 'keepsThinking' | 'effortChangesAll'>

/** The reading half of a wire format. */
export type RequestReader<Request> = Pick<
  CacheWire<Request>,
  'name' | 'parts' | 'readTool' | 'readSystem' | 'readMessage'
>

export interface Layouter<Request> {
  /** `staticSystem`: characters of the system prompt that are a block of their own. Default: all are one. */
  layout(request: Request, staticSystem?: number): RequestLayout
}

const EMPTY: RequestLayout = Object.freeze({ blocks: [], hashes: [], ends: [], runs: [], tokens: 0 })

/**
 * Lays requests out in the order in which providers cache them. Requests of one conversation mostly begin like the one
 * before: what is unchanged is not read, counted or hashed again. Frozen objects are recognised by identity, others
 * are read each time.
 */
export function createLayouter<Request>(
  wire: RequestReader<Request>,
  tokens: TokenCounter,
  pricing: LayoutPricing,
): Layouter<Request> {
  /**
   * The last request: what it was read from, where the blocks of each unit begin, and which have lost their thinking.
   */
  const units: PromptUnit[] = []
  /** The sources of the units in a list of their own: comparing thousands must not touch thousands of objects. */
  const sources: (object | null)[] = []
  const starts: number[] = []
  let cut = 0
  let layout = EMPTY

  const messageUnit = (message: object, at: number, unit: number): PromptUnit => {
    const refOf = (block: number) => ({ at: 'message', index: at, block }) as const
    return readUnit(message, { unit, key: messageKey(at), refOf }, wire.readMessage(message, tokens))
  }

  /** Lays out the units from one on; from an earlier one where thinking was or is no longer stripped. */
  const relayFrom = (changed: number): void => {
    const before = cut
    cut = pricing.keepsThinking ? 0 : units.findLastIndex(({ isPlainUser }) => isPlainUser)
    let first = changed
    for (let index = Math.min(cut, before); index < Math.min(first, Math.max(cut, before)); index++)
      if (units[index]?.hasThinking) first = index
    const from = starts[first] ?? layout.blocks.length
    const isUnchanged = first === units.length && starts.length === units.length
    starts.length = Math.min(starts.length, first)
    if (!isUnchanged) layout = extend(layout, from, units, starts, cut)
  }

  return {
    layout(request, staticSystem) {
      const parts = wire.parts(request)
      const { messages, firstMessage } = parts
      const head = readHead({ parts, staticSystem, units, wire, tokens, pricing })
      const firstUnit = parts.tools.length + (parts.system === null ? 0 : 1)
      // Numbers of units and refs move with the head: behind another number of tools everything is read again.
      const isAligned = units[head.length]?.key === messageKey(firstMessage)
      let same = 0
      while (isAligned && same < messages.length && isSame(sources[head.length + same], messages[same]))
        same++
      const isHeadSame = head.every((unit, index) => unit.hash === units[index]?.hash)
      const from = isHeadSame ? head.length + same : 0
      const next = isHeadSame ? [] : head.concat(units.slice(head.length, head.length + same))
      for (let at = same; at < messages.length; at++)
        next.push(messageUnit(messages[at] as object, at + firstMessage, firstUnit + at))
      let kept = 0
      while (kept < next.length && next[kept]?.hash === units[from + kept]?.hash) kept++
      // An equal message may be another object by now.
      replaceEnd(units, from, next)
      replaceEnd(
        sources,
        from,
        next.map(({ source }) => source),
      )
      relayFrom(from + kept)
      return layout
    },
  }
}

interface HeadInput<Request> {
  readonly parts: RequestParts
  readonly staticSystem: number | undefined
  /** Units of the last request: those that did not change are taken from it. */
  readonly units: readonly PromptUnit[]
  readonly wire: RequestReader<Request>
  readonly tokens: TokenCounter
  readonly pricing: LayoutPricing
}

/** Settings, tools and system prompt. */
function readHead<Request>(input: HeadInput<Request>): PromptUnit[] {
  const { parts, staticSystem, units, wire, tokens, pricing } = input
  const { model = '', beforeSystem = null, beforeMessages = null, effort = null } = parts.settings
  const all = pricing.effortChangesAll
  const head: PromptUnit[] = []
  const addSetting = (value: unknown) => {
    const text = JSON.stringify(value) ?? 'null'
    const before = units[head.length]
    head.push(before?.key === text ? before : settingUnit(text))
  }
  addSetting(all ? [model, effort] : [model])
  for (const [index, tool] of parts.tools.entries()) {
    const before = units[head.length]
    const refOf = () => ({ at: 'tool', index }) as const
    const read = () => readUnit(tool, { unit: index, key: 'tool', refOf }, [wire.readTool(tool, tokens)])
    head.push(isRead(before, tool, 'tool') ? before : read())
  }
  addSetting([beforeSystem])
  const { system } = parts
  if (system !== null) {
    const before = units[head.length]
    const key = `system ${staticSystem}`
    const read = () => wire.readSystem(system, tokens, staticSystem)
    head.push(isRead(before, system, key) ? before : systemUnit(system, parts.tools.length, key, read()))
  }
  addSetting(all ? [beforeMessages] : [beforeMessages, effort])
  return head
}

function systemUnit(system: object, unit: number, key: string, blocks: readonly ReadBlock[]): PromptUnit {
  const refOf = (block: number) => ({ at: 'system', block }) as const
  return readUnit(system, { unit, key, refOf }, blocks)
}

/** A source of null is none, and no message that is null. */
function isSame(source: object | null | undefined, message: object | undefined): boolean {
  return source === message && message !== null
}

function isRead(before: PromptUnit | undefined, source: object, key: string): before is PromptUnit {
  return before !== undefined && before.source === source && before.key === key
}

/** The layout up to block `from`, and the blocks of the units that have no start yet. */
function extend(
  layout: RequestLayout,
  from: number,
  units: readonly PromptUnit[],
  starts: number[],
  cut: number,
): RequestLayout {
  const added: CacheBlock[] = []
  const hashes: string[] = []
  const ends = writable(layout.ends, from)
  const runs = writable(layout.runs, from)
  let before = layout.blocks[from - 1]
  let hash = layout.hashes[from - 1] ?? ''
  let tokens = ends[from - 1] ?? 0
  let run = runs[from - 1] ?? 0
  for (let index = starts.length; index < units.length; index++) {
    starts.push(from + added.length)
    for (const block of units[index]?.blocks ?? []) {
      if (block.kind === 'thinking' && index < cut) continue
      hash = digest(`${hash} ${block.hash}`)
      tokens += block.tokens
      run += block.kind === 'setting' || isSameRun(before, block) ? 0 : 1
      before = block
      added.push(block)
      hashes.push(hash)
      ends.push(tokens)
      runs.push(run)
    }
  }
  const blocks = joined(layout.blocks, from, added)
  return { blocks, hashes: joined(layout.hashes, from, hashes), ends, runs, tokens }
}

/**
 * The list itself when everything of it stays: who has the layout before looks no further than its blocks. A copy when
 * its end is replaced.
 */
function writable(list: readonly number[], kept: number): number[] {
  return kept > 0 && kept === list.length ? (list as number[]) : list.slice(0, kept)
}

function replaceEnd<T>(list: T[], from: number, more: readonly T[]): void {
  list.length = from
  for (const one of more) list.push(one)
}

function messageKey(index: number): string {
  return `message ${index}`
}

/** One copy, where pushing to a slice makes two. */
function joined<T>(before: readonly T[], kept: number, more: readonly T[]): readonly T[] {
  return (kept === before.length ? before : before.slice(0, kept)).concat(more)
}

function isSameRun(before: CacheBlock | undefined, { kind }: CacheBlock): boolean {
  return before?.kind === kind && (kind === 'tool-use' || kind === 'tool-result')
}
