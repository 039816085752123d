import { hash } from 'node:crypto'
import { isDeepFrozen, type TokenCounter } from '@palimpsest/core'
import type { CacheProfile } from '../profile/cache-profile.ts'
import type { WireFormat } from '../wire/wire-format.ts'
import type { CacheBlock, ReadBlock, RequestLayout } from './request-layout.ts'

/** What of a profile decides how a request is cached, whatever its markers. */
type LayoutProfile = Pick<CacheProfile, 'keepsThinking' | 'effortChangesAll'>

export interface Layouter<Request> {
  /** `staticSystem`: characters of the system prompt that are a block of their own. Default: all are one. */
  layout(request: Request, staticSystem?: number): RequestLayout
}

/** A tool, a system prompt, a message or a setting, read once. */
interface Unit {
  /** Null for settings, and for what may change in place. */
  readonly source: object | null
  readonly hash: string
  readonly blocks: readonly ReadUnitBlock[]
  readonly hasThinking: boolean
  readonly isPlainUser: boolean
}

type ReadUnitBlock = CacheBlock & { readonly hash: string }

interface Laid {
  readonly units: readonly Unit[]
  /** Index of the first block of each unit. */
  readonly starts: readonly number[]
  /** Units before this one have lost their thinking. */
  readonly cut: number
  readonly layout: RequestLayout
}

const EMPTY: Laid = {
  units: [],
  starts: [],
  cut: 0,
  layout: { blocks: [], hashes: [], ends: [], runs: [] },
}

/**
 * Lays requests out in the order in which providers cache them. Requests of one conversation mostly begin like the one
 * before: what is unchanged is not read, counted or hashed again. Frozen objects are recognised by identity.
 */
export function createLayouter<Request>(
  wire: WireFormat<Request>,
  tokens: TokenCounter,
  profile: LayoutProfile,
): Layouter<Request> {
  const known = new WeakMap<object, { readonly unit: Unit; readonly place: string }>()
  let last = EMPTY

  /** Reads what may change in place each time, and everything else once. */
  const read = (source: object, unit: number, place: string, blocks: () => readonly ReadBlock[]): Unit => {
    const found = known.get(source)
    if (found !== undefined && found.place === place) return found.unit
    const isFrozen = isDeepFrozen(source)
    const made = toUnit(isFrozen ? source : null, unit, place, blocks())
    if (isFrozen) known.set(source, { unit: made, place })
    return made
  }

  const unitsOf = (request: Request, staticSystem: number | undefined): Unit[] => {
    const { tools, system, messages, firstMessage, settings } = wire.parts(request)
    const { model = '', beforeSystem = null, beforeMessages = null, effort = null } = settings
    const everything = profile.effortChangesAll ? [model, effort] : [model]
    const behindSystem = profile.effortChangesAll ? beforeMessages : [beforeMessages, effort]
    let index = 0
    const units = [setting(everything)]
    for (const [at, tool] of tools.entries())
      units.push(read(tool, index++, `tool ${at}`, () => [wire.readTool(tool, tokens)]))
    units.push(setting(beforeSystem))
    if (system !== null) {
      const place = `system ${staticSystem}`
      units.push(read(system, index++, place, () => wire.readSystem(system, tokens, staticSystem)))
    }
    units.push(setting(behindSystem))
    for (let at = 0; at < messages.length; at++) {
      const message = messages[at] as object
      const found = known.get(message)
      // The hot path: a message that was seen in this place needs no closure and no text.
      if (found !== undefined && found.unit.blocks[0]?.unit === index) {
        index++
        units.push(found.unit)
        continue
      }
      const place = `message ${at + firstMessage}`
      units.push(read(message, index++, place, () => wire.readMessage(message, tokens)))
    }
    return units
  }

  return {
    layout(request, staticSystem) {
      const units = unitsOf(request, staticSystem)
      const cut = profile.keepsThinking ? 0 : units.findLastIndex(({ isPlainUser }) => isPlainUser)
      const kept = sameUnits(last, units, cut)
      if (kept === units.length && kept === last.units.length) return last.layout
      last = extend(last, units, kept, cut)
      return last.layout
    },
  }
}

function toUnit(source: object | null, unit: number, place: string, blocks: readonly ReadBlock[]): Unit {
  const [at, number] = place.split(' ') as ['tool' | 'system' | 'message', string]
  const placed = blocks.map(({ content, ...block }, index) => {
    const ref =
      at === 'tool'
        ? { at, index: Number(number) }
        : at === 'system'
          ? { at, block: index }
          : { at, index: Number(number), block: index }
    return Object.freeze({ ...block, ref, unit, hash: digest(`${block.role} ${block.kind} ${content}`) })
  })
  return {
    source,
    hash: digest(placed.map(({ hash: own }) => own).join()),
    blocks: placed,
    hasThinking: placed.some(({ kind }) => kind === 'thinking'),
    isPlainUser: placed.some(({ kind, role }) => role === 'user' && kind !== 'tool-result'),
  }
}

function setting(value: unknown): Unit {
  const own = digest(JSON.stringify(value) ?? 'null')
  const block = { kind: 'setting', role: 'system', tokens: 0, carries: false, ref: null, unit: -1 } as const
  return {
    source: null,
    hash: own,
    blocks: [{ ...block, hash: own }],
    hasThinking: false,
    isPlainUser: false,
  }
}

/** How many units at the beginning are as they were, their thinking included. */
function sameUnits(last: Laid, units: readonly Unit[], cut: number): number {
  const length = Math.min(units.length, last.units.length)
  for (let index = 0; index < length; index++) {
    const before = last.units[index]
    const now = units[index]
    if (before === undefined || now === undefined) return index
    if (before !== now && before.hash !== now.hash) return index
    if (now.hasThinking && index < cut !== index < last.cut) return index
  }
  return length
}

function extend(last: Laid, units: readonly Unit[], kept: number, cut: number): Laid {
  const from = last.starts[kept] ?? last.layout.blocks.length
  const starts = last.starts.slice(0, kept)
  const blocks = last.layout.blocks.slice(0, from)
  const hashes = last.layout.hashes.slice(0, from)
  const ends = last.layout.ends.slice(0, from)
  const runs = last.layout.runs.slice(0, from)
  for (let index = kept; index < units.length; index++) {
    starts.push(blocks.length)
    for (const block of units[index]?.blocks ?? []) {
      if (block.kind === 'thinking' && index < cut) continue
      const before = blocks.at(-1)
      blocks.push(block)
      hashes.push(digest(`${hashes.at(-1) ?? ''} ${block.hash}`))
      ends.push((ends.at(-1) ?? 0) + block.tokens)
      runs.push((runs.at(-1) ?? 0) + (block.kind === 'setting' || isSameRun(before, block) ? 0 : 1))
    }
  }
  return { units, starts, cut, layout: { blocks, hashes, ends, runs } }
}

function isSameRun(before: CacheBlock | undefined, { kind }: CacheBlock): boolean {
  return before?.kind === kind && (kind === 'tool-use' || kind === 'tool-result')
}

/** 132 bits of SHA-256: prefixes of one conversation do not collide. */
function digest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22)
}
