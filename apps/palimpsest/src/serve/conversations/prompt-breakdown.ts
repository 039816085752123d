import {
  findLastUser,
  isInstruction,
  type Message,
  type Origin,
  type TokenCounter,
  type ToolSchema,
} from '@palimpsest/core'
import type { PromptBreakdown } from '../http/schemas.ts'

interface BreakdownInput {
  /** The projection. */
  readonly messages: readonly Message[]
  readonly origins: readonly Origin[]
  readonly tools: readonly ToolSchema[]
  /** The system prompt without what the engine added. */
  readonly system: string
  readonly tokens: TokenCounter
}

/** Counts a prompt by what it consists of. */
export function promptBreakdown({
  messages,
  origins,
  tools,
  system,
  tokens,
}: BreakdownInput): PromptBreakdown {
  const counts = { system: 0, notes: 0, summaries: 0, messages: 0, query: 0, tools: tokens.countTools(tools) }
  const query = findLastUser(messages)
  for (const [index, message] of messages.entries()) {
    const count = tokens.countMessage(message)
    if (isInstruction(message)) {
      const own = Math.min(count, tokens.countMessage({ role: 'system', content: system }))
      counts.system += own
      counts.notes += count - own
    } else if (origins[index]?.from === 'summary') counts.summaries += count
    else if (origins[index]?.from === 'note') counts.notes += count
    else if (index === query) counts.query += count
    else counts.messages += count
  }
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return { ...counts, total }
}
