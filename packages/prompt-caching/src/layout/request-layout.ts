import type { CacheRef } from '@palimpsest/core'

export type BlockKind =
  | 'tool'
  | 'system'
  | 'text'
  | 'image'
  | 'document'
  | 'thinking'
  | 'tool-use'
  | 'tool-result'
  | 'compaction'
  /** Changes what is cached behind it and has no tokens: model, effort, tool choice. */
  | 'setting'
  | 'other'

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
  /**
   * Whether the marker that `system_and_3` sets on the message stands here, be it of use or not. Absent in formats that
   * Hermes Agent does not write: there it stands on the last block that carries.
   */
  readonly systemAnd3?: boolean
  /** True for a text that stands for earlier messages. */
  readonly isSummary?: boolean
}

/** A block in its place. `ref` is null for settings. */
export interface CacheBlock extends Omit<ReadBlock, 'content'> {
  readonly ref: CacheRef | null
  /** Number of the tool, system prompt or message that it belongs to, from 0 in the order of the prompt. */
  readonly unit: number
}

/**
 * A request in the order in which providers cache it: model, tools, settings, system prompt, settings, messages. The
 * lists have an entry for each block. `ends` and `runs` are shared with later layouts of the same conversation, so they
 * may be longer than `blocks`: ask `tokens` for the whole.
 */
export interface RequestLayout {
  readonly blocks: readonly CacheBlock[]
  /** Hash of everything up to and with the block. */
  readonly hashes: readonly string[]
  /** Tokens up to and with the block. */
  readonly ends: readonly number[]
  /**
   * Positions up to and with the block, where a run of tool calls, or of tool results, counts as one. Settings count
   * as none.
   */
  readonly runs: readonly number[]
  readonly tokens: number
}
