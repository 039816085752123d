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
}
