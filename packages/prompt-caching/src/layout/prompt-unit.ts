import { hash } from 'node:crypto'
import { type CacheRef, isDeepFrozen } from '@palimpsest/core'
import type { CacheBlock, ReadBlock } from './request-layout.ts'

/** A tool, a system prompt, a message or a setting of a request, read. */
export interface PromptUnit {
  /**
   * The object that it was read from, if that cannot change. Null for settings and for objects that a host may change.
   */
  readonly source: object | null
  /** The way in which it was read, where that makes a difference. */
  readonly key: string
  readonly hash: string
  readonly blocks: readonly HashedBlock[]
  readonly hasThinking: boolean
  /** True for a message of the user's that answers no call. */
  readonly isPlainUser: boolean
}

export type HashedBlock = CacheBlock & { readonly hash: string }

interface UnitPlace {
  /** Number of the unit among tools, system prompt and messages. */
  readonly unit: number
  readonly key: string
  readonly refOf: (block: number) => CacheRef
}

export function readUnit(
  source: object,
  { unit, key, refOf }: UnitPlace,
  read: readonly ReadBlock[],
): PromptUnit {
  const blocks = read.map(({ content, ...block }, index): HashedBlock => {
    const own = digest(`${block.role} ${block.kind} ${content}`)
    return Object.freeze({ ...block, ref: refOf(index), unit, hash: own })
  })
  return {
    source: isDeepFrozen(source) ? source : null,
    key,
    hash: blocks.map((block) => block.hash).join(),
    blocks,
    hasThinking: blocks.some(({ kind }) => kind === 'thinking'),
    isPlainUser: blocks.some(({ kind, role }) => role === 'user' && kind !== 'tool-result'),
  }
}

/** `text`: the setting as JSON. */
export function settingUnit(text: string): PromptUnit {
  const own = digest(text)
  const block = { kind: 'setting', role: 'system', tokens: 0, carries: false, ref: null, unit: -1 } as const
  return {
    source: null,
    key: text,
    hash: own,
    blocks: [{ ...block, hash: own }],
    hasThinking: false,
    isPlainUser: false,
  }
}

/** 132 bits of SHA-256: prefixes of one conversation do not collide. */
export function digest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22)
}
