import { hash } from 'node:crypto'
import { type CacheRef, isDeepFrozen, type TokenCounter } from '@palimpsest/core'
import type { RequestReader } from '../wire/cache-wire.ts'
import type { ReadBlock, RequestLayout } from './request-layout.ts'

export interface Layouter<Request> {
  /** `staticSystem`: number of leading characters of the system prompt that form their own block. Default: all. */
  layout(request: Request, staticSystem?: number): RequestLayout
}

type HashedBlock = Omit<ReadBlock, 'content'> & { readonly hash: string }

interface Unit {
  readonly at: CacheRef['at']
  readonly index: number
  readonly blocks: readonly HashedBlock[]
}

const EMPTY: RequestLayout = Object.freeze({ blocks: [], hashes: [], ends: [], runs: [], tokens: 0 })

/**
 * Lays out requests in the order in which providers cache them. Most requests extend the previous one: frozen objects
 * are hashed once, and the layout of an unchanged prefix is kept. Mutable objects are read each time.
 */
export function createLayouter<Request>(
  wire: RequestReader<Request>,
  tokens: TokenCounter,
): Layouter<Request> {
  const known = new WeakMap<object, readonly HashedBlock[]>()
  let units: readonly Unit[] = []
  let layout = EMPTY

  const readOnce = (source: object, read: () => readonly ReadBlock[]): readonly HashedBlock[] => {
    const found = known.get(source)
    if (found !== undefined) return found
    const blocks = read().map(hashBlock)
    if (isDeepFrozen(source)) known.set(source, blocks)
    return blocks
  }

  return {
    layout(request, staticSystem) {
      const { tools, system, messages, firstMessage } = wire.parts(request)
      const next = tools.map(
        (tool, index): Unit => ({
          at: 'tool',
          index,
          blocks: readOnce(tool, () => [wire.readTool(tool, tokens)]),
        }),
      )
      if (system !== null) {
        const blocks = wire.readSystem(system, tokens, staticSystem).map(hashBlock)
        next.push({ at: 'system', index: 0, blocks })
      }
      for (const [index, message] of messages.entries()) {
        const blocks = readOnce(message, () => wire.readMessage(message, tokens))
        next.push({ at: 'message', index: index + firstMessage, blocks })
      }
      const kept = sameUnits(units, next)
      if (kept < next.length || kept < units.length) layout = extend(layout, next, kept)
      units = next
      return layout
    },
  }
}

function hashBlock({ content, ...block }: ReadBlock): HashedBlock {
  return { ...block, hash: digest(`${block.role} ${block.kind} ${content}`) }
}

/** 132 bits of SHA-256 make collisions within a conversation impossible in practice. */
function digest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22)
}

function sameUnits(before: readonly Unit[], now: readonly Unit[]): number {
  const changed = now.findIndex(({ at, index, blocks }, unit) => {
    const old = before[unit]
    return old === undefined || old.at !== at || old.index !== index || !isSame(old.blocks, blocks)
  })
  return changed === -1 ? now.length : changed
}

function isSame(before: readonly HashedBlock[], now: readonly HashedBlock[]): boolean {
  return (
    before === now ||
    (before.length === now.length && now.every(({ hash }, index) => before[index]?.hash === hash))
  )
}

function extend(layout: RequestLayout, units: readonly Unit[], kept: number): RequestLayout {
  const from = units.slice(0, kept).reduce((count, { blocks }) => count + blocks.length, 0)
  const blocks = layout.blocks.slice(0, from)
  const hashes = layout.hashes.slice(0, from)
  const ends = layout.ends.slice(0, from)
  const runs = layout.runs.slice(0, from)
  let tokens = ends.at(-1) ?? 0
  let run = runs.at(-1) ?? 0
  for (const [unit, { at, index, blocks: own }] of units.entries()) {
    if (unit < kept) continue
    for (const [number, { hash, ...block }] of own.entries()) {
      run += blocks.at(-1)?.kind === block.kind && block.kind !== 'other' ? 0 : 1
      tokens += block.tokens
      blocks.push({ ...block, unit, ref: refOf(at, index, number) })
      hashes.push(digest(`${hashes.at(-1) ?? ''} ${hash}`))
      ends.push(tokens)
      runs.push(run)
    }
  }
  return { blocks, hashes, ends, runs, tokens }
}

function refOf(at: CacheRef['at'], index: number, block: number): CacheRef {
  if (at === 'tool') return { at, index }
  return at === 'system' ? { at, block } : { at, index, block }
}
