import type { TextPart, Usage } from '@palimpsest/core'
import type { AnthropicUserTurn } from '../anthropic/anthropic-blocks.ts'
import type { RecordedCompaction } from '../recorded-item.ts'
import type { AnswerBlocks } from '../recorded-parts.ts'

export interface LineBase {
  readonly line: number
  readonly uuid: string | undefined
  readonly timestamp: number | undefined
}

/** One content block, or several, of one response of the model. */
export interface AnswerLine extends LineBase {
  readonly kind: 'answer'
  readonly answer: AnswerBlocks
  readonly messageId: string | undefined
  /** Identifies the response together with `messageId`. Absent behind some proxies. */
  readonly requestId: string | undefined
  readonly usage: Usage | undefined
  readonly model: string | undefined
}

export interface UserLine extends LineBase {
  readonly kind: 'user'
  readonly turn: AnthropicUserTurn
}

/** Input that the user or the host queued while the model worked, delivered between two requests of one turn. */
export interface QueuedLine extends LineBase {
  readonly kind: 'queued'
  readonly turn: AnthropicUserTurn
  /** The entry that was the last one when it came. */
  readonly above: string | undefined
}

export interface CompactionLine extends LineBase {
  readonly kind: 'compaction'
  readonly item: RecordedCompaction
}

/** Words of the host between two requests, with no line of the conversation for it. */
export interface SentLine extends LineBase {
  readonly kind: 'sent'
  readonly parts: readonly TextPart[]
}

/** A line of a Claude Code session that takes part in the conversation. */
export type ClaudeLine = AnswerLine | UserLine | QueuedLine | CompactionLine | SentLine
