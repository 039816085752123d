import type { CacheRef } from '@palimpsest/core'

/** Runs of calls, and runs of results, count as one position at some providers. */
export type BlockKind = 'tool-use' | 'tool-result' | 'other'

export type BlockRole = 'system' | 'user' | 'assistant' | 'tool'

/** A content block of a tool or message in the wire format. */
export interface ReadBlock {
  readonly kind: BlockKind
  readonly role: BlockRole
  /** The hashed text: everything that the provider sees of the block, without markers. */
  readonly content: string
  readonly tokens: number
  /** True if the block may carry a marker in this wire format. */
  readonly carries: boolean
}

/** A block and its position. */
export interface CacheBlock extends Omit<ReadBlock, 'content'> {
  readonly ref: CacheRef
  /** Number of its tool, system prompt or message, from 0 in prompt order. */
  readonly unit: number
}

/**
 * A request in the order in which providers cache it: tools, system prompt, messages. The lists have one entry per
 * block.
 */
export interface RequestLayout {
  readonly blocks: readonly CacheBlock[]
  /** Hash of the prompt up to and including the block. */
  readonly hashes: readonly string[]
  /** Tokens up to and including the block. */
  readonly ends: readonly number[]
  /** Positions up to and including the block; a run of tool calls, or of tool results, counts as one. */
  readonly runs: readonly number[]
  readonly tokens: number
}
