import type { Message } from './message.ts'
import type { ToolSchema } from './tool-schema.ts'

/** Counts tokens. Deterministic: the same input gives the same count. */
export interface TokenCounter {
  /** Tokens of a bare text. */
  countText(text: string): number
  /** Tokens of one message with its envelope: role, tool calls, images, opaque provider data. */
  countMessage(message: Message): number
  /** Tokens of the tool schemas that go with every request. */
  countTools(tools: readonly ToolSchema[]): number
  /** Takes a number of tokens for a frozen message instead of counting it, unless it was counted before. Default: not done. */
  remember?(message: Message, tokens: number): void
  /** The difference between these counts and the provider's, learnt from reported usage. */
  readonly calibration?: Calibration
}

/** Learns how a provider's counts differ from ours. It changes estimates only, never a count. */
export interface Calibration {
  /** A prompt that we counted as `counted` tokens was reported as `reported` tokens. */
  observe(counted: number, reported: number): void
  /** The provider's probable count for `counted` of our tokens. */
  apply(counted: number): number
}
