import type { CacheRef } from '@palimpsest/core'

/** Runs of calls, and runs of results, count as one position at some providers. */
export type BlockKind = 'tool-use' | 'tool-result' | 'other'

export type BlockRole = 'system' | 'user' | 'assistant' | 'tool'

/** A content block as the wire format has it: what a reader of requests finds in one tool or message. */
export interface ReadBlock {
  readonly kind: BlockKind
  readonly role: BlockRole
  /** The hashed text: everything that the provider sees of the block, without markers. */
  readonly content: string
  readonly tokens: number
  /** Whether the block may carry a marker in this wire format. */
  readonly carries: boolean
}

/** A block in its place. */
export interface CacheBlock extends Omit<ReadBlock, 'content'> {
  readonly ref: CacheRef
  /** Number of the tool, system prompt or message that it belongs to, from 0 in the order of the prompt. */
  readonly unit: number
}

/**
 * A request in the order in which providers cache it: tools, system prompt, messages. The lists have an entry for each
 * block.
 */
export interface RequestLayout {
  readonly blocks: readonly CacheBlock[]
  /** Hash of everything up to and with the block. */
  readonly hashes: readonly string[]
  /** Tokens up to and with the block. */
  readonly ends: readonly number[]
  /** Positions up to and with the block, where a run of tool calls, or of tool results, counts as one. */
  readonly runs: readonly number[]
  readonly tokens: number
}
