import {
  findLastUser,
  isInstruction,
  type Message,
  type Origin,
  type TokenCounter,
  type ToolSchema,
} from '@palimpsest/core'

export interface PromptBreakdown {
  /** Role, repository and code. */
  readonly system: number
  /** The engine's part of the prompt: decisions behind the system prompt and next to the query, or a note. */
  readonly notes: number
  /** Summaries of earlier messages. */
  readonly summaries: number
  /** Messages that are shown as they were. */
  readonly messages: number
  /** The last user message. */
  readonly query: number
  /** The schemas of the engine's tools. */
  readonly tools: number
  readonly total: number
}

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
