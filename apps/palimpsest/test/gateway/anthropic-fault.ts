import { createHash } from 'node:crypto'

export interface Block {
  readonly type: string
  readonly [field: string]: unknown
}

export interface AnthropicBody {
  readonly model: string
  readonly max_tokens: number
  readonly system?: string | readonly Block[]
  readonly messages: readonly {
    readonly role: 'user' | 'assistant' | 'system'
    readonly content: string | readonly Block[]
  }[]
  readonly tools?: readonly { readonly name: string; readonly [field: string]: unknown }[]
  readonly tool_choice?: { readonly type: string }
  readonly stream?: boolean
  readonly [field: string]: unknown
}

export function blocksOf(content: unknown): readonly Block[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return Array.isArray(content) ? content : []
}

export function textOf(content: unknown): string {
  return blocksOf(content)
    .map((block) => String(block.text ?? blocksOf(block.content).map(({ text }) => text) ?? ''))
    .join('\n')
}

/**
 * The text in front of a message: the same however texts and breakpoints are written, and without what is for billing.
 */
export function promptBefore({ system, messages }: AnthropicBody, end = messages.length): string {
  const plain = (blocks: readonly Block[]): object[] =>
    blocks.map(({ cache_control: _, ...block }) =>
      'content' in block && block.type === 'tool_result'
        ? { ...block, content: plain(blocksOf(block.content)) }
        : block,
    )
  const prompt = blocksOf(system).filter(
    ({ text }) => !String(text).startsWith('x-anthropic-billing-header:'),
  )
  const said = messages.slice(0, end).map(({ role, content }) => [role, plain(blocksOf(content))])
  return createHash('sha256')
    .update(JSON.stringify([plain(prompt), said]))
    .digest('base64url')
}

/** Why the API would refuse a request; undefined when it would take it. `issued`: prompts by the signatures of thinking. */
export function anthropicFault(body: AnthropicBody, issued: ReadonlyMap<string, string>): string | undefined {
  const { messages, tools = [], tool_choice: choice } = body
  if (!Array.isArray(messages) || messages.length === 0) return 'messages: at least one message is required'
  if (new Set(tools.map(({ name }) => name)).size < tools.length) return 'tools: Tool names must be unique.'
  if (choice !== undefined && tools.length === 0) return 'tool_choice: may only be specified with tools'
  const silent = body.max_tokens === 0 ? silentFault(body) : undefined
  if (silent !== undefined) return silent
  if (marksIn(body) > 4) return 'A maximum of 4 blocks with cache_control may be provided.'
  const turns = messages.filter(({ role }) => role !== 'system')
  if (turns[0]?.role !== 'user' && blocksOf(turns[0]?.content)[0]?.type !== 'compaction')
    return 'messages: first message must use the "user" role'
  if (turns.at(-1)?.role !== 'user') return 'This model does not support assistant message prefill.'
  for (const [index, message] of messages.entries()) {
    const fault =
      turnFault(message, messages[index - 1]) ??
      callFault(message, messages[index + 1]) ??
      resultFault(message, messages[index - 1]) ??
      thinkingFault(body, index, issued)
    if (fault !== undefined) return `messages.${index}: ${fault}`
  }
  return undefined
}

/** Compactions that the server wrote, by their signature or their sealed part, as JSON. */
export type Compactions = ReadonlyMap<unknown, string>

/** Why the API would refuse a request for a compaction, or one that has some. `betas`: the request's flags. */
export function compactionFault(
  body: AnthropicBody,
  betas: string,
  written: Compactions,
): string | undefined {
  const blocks = body.messages.flatMap(({ content }) => blocksOf(content))
  const found = blocks.filter(({ type }) => type === 'compaction')
  const signed = found.filter(({ signature }) => signature !== undefined)
  const isOnDemand = body.compaction !== undefined
  if ((isOnDemand || signed.length > 0) && !betas.includes('compact-2026-09-04'))
    return 'compaction: Extra inputs are not permitted'
  if (body.context_management !== undefined && isOnDemand)
    return 'compaction: cannot be combined with context_management'
  if (isOnDemand && body.stop_sequences !== undefined)
    return 'compaction: cannot be combined with stop_sequences'
  if (signed.length > 1) return 'compaction_block_ambiguous'
  if (signed.length === 1 && blocks[0] !== signed[0]) return 'compaction_block_misplaced'
  for (const { cache_control: _, ...block } of found)
    if (written.get(block.signature ?? block.encrypted_content) !== JSON.stringify(block))
      return 'compaction_content_mismatch'
  return undefined
}

/** Of a request without an answer. */
function silentFault({ stream, tool_choice: choice, thinking }: AnthropicBody): string | undefined {
  if (stream === true) return 'max_tokens: 0 cannot be streamed'
  if (choice?.type === 'any' || choice?.type === 'tool') return 'max_tokens: 0 cannot force a tool'
  const isThinking = (thinking as { readonly type?: string } | undefined)?.type === 'enabled'
  return isThinking ? 'max_tokens must be greater than thinking.budget_tokens' : undefined
}

type Turn = AnthropicBody['messages'][number]

function turnFault({ role, content }: Turn, before: Turn | undefined): string | undefined {
  if (!['user', 'assistant', 'system'].includes(role)) return `Unexpected role "${role}"`
  if (role !== 'system' && role === before?.role) return 'roles must alternate'
  const blocks = blocksOf(content)
  if (role !== 'system' && blocks.length === 0) return 'all messages must have non-empty content'
  const isBlank = ({ type, text }: Block) => type === 'text' && String(text).trim() === ''
  return blocks.some(isBlank) ? 'text content blocks must contain non-whitespace text' : undefined
}

function ids(turn: Turn | undefined, type: string, key: string): string[] {
  return blocksOf(turn?.content).flatMap((block) => (block.type === type ? [String(block[key])] : []))
}

function callFault(turn: Turn, next: Turn | undefined): string | undefined {
  const calls = ids(turn, 'tool_use', 'id')
  if (calls.length === 0) return undefined
  if (turn.role !== 'assistant') return '`tool_use` blocks can only be in `assistant` messages'
  if (new Set(calls).size < calls.length) return '`tool_use` ids must be unique'
  const isObject = ({ type, input }: Block) =>
    type !== 'tool_use' || (typeof input === 'object' && input !== null)
  if (!blocksOf(turn.content).every(isObject)) return 'tool_use.input: Input should be a valid dictionary'
  const answered = new Set(ids(next, 'tool_result', 'tool_use_id'))
  const open = calls.filter((id) => !answered.has(id))
  return open.length > 0
    ? `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open}`
    : undefined
}

function resultFault(turn: Turn, before: Turn | undefined): string | undefined {
  const results = ids(turn, 'tool_result', 'tool_use_id')
  if (results.length === 0) return undefined
  const calls = new Set(ids(before, 'tool_use', 'id'))
  if (turn.role !== 'user' || results.some((id) => !calls.has(id)))
    return 'unexpected `tool_use_id` found in `tool_result` blocks'
  if (new Set(results).size < results.length) return 'each tool_use must have a single result'
  const last = blocksOf(turn.content).findLastIndex(({ type }) => type === 'tool_result')
  return last === results.length - 1 ? undefined : '`tool_result` blocks must come first'
}

function thinkingFault(
  body: AnthropicBody,
  index: number,
  issued: ReadonlyMap<string, string>,
): string | undefined {
  const { role, content } = body.messages[index] as Turn
  for (const { type, signature } of blocksOf(content)) {
    if (type !== 'thinking') continue
    if (role !== 'assistant') return 'thinking blocks can only be in `assistant` messages'
    const prompt = issued.get(String(signature))
    if (prompt === undefined) return 'Invalid `signature` in `thinking` block'
    if (prompt !== promptBefore(body, index))
      return '`thinking` blocks cannot follow another prompt than their own'
  }
  return undefined
}

/** Breakpoints, of a block inside another one too. */
export function marksIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + marksIn(item), 0)
  if (typeof value !== 'object' || value === null) return 0
  const { cache_control: mark, ...rest } = value as Record<string, unknown>
  return (mark === undefined ? 0 : 1) + marksIn(Object.values(rest))
}
