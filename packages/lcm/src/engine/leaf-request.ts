import { answeredCalls, type Message, messageText, stripReasoning, type TokenCounter } from '@palimpsest/core'
import { redactMessage, serializeMessage, withoutThinking } from '@palimpsest/core/summarizer'
import {
  createIdentifierMemory,
  frameSummary,
  type IdentifierMemory,
  resultStatus,
} from '@palimpsest/extractive'
import type { WindowMessage } from './window.ts'
import type { NodeRequest } from './write-node.ts'

export interface LeafInput {
  /** Whole transactions, oldest first. */
  readonly block: readonly WindowMessage[]
  /** Number of the message before which only those of the user are quoted. Default 0. */
  readonly worthFrom?: number
  readonly target: number
  /** Length of what a model writes of it, in tokens. */
  readonly prose: number
  /** The most that the summariser reads of the block, in tokens. */
  readonly maxBlock: number
  /** The summary of what came directly before. */
  readonly before: string | undefined
  /** The user's last message, where summaries cover it already. */
  readonly request?: Message | undefined
  readonly focusTopic: string | undefined
  readonly tokens: TokenCounter
  readonly memory?: IdentifierMemory
}

/** A model's text about messages aims at this share of their length, up to its target. */
const PROSE_OF_SOURCE = 0.3

const NOTHING = { prose: '', excerpts: '', identifiers: '' }

/** The material of a leaf. Secrets are hidden in all of it. */
export function leafRequest(input: LeafInput): NodeRequest {
  const { block, worthFrom = 0, maxBlock, before, request, focusTopic, tokens } = input
  const { memory = createIdentifierMemory() } = input
  const read = block.filter(({ seq, message }) => seq >= worthFrom || message.role === 'user')
  const redact = (list: typeof block) => list.map(({ message }) => withoutThoughts(redactMessage(message)))
  const messages = redact(read)
  const sourceTokens = block.reduce((sum, message) => sum + message.tokens, 0)
  return {
    depth: 0,
    sourceTokens,
    target: input.target,
    prose: Math.max(1, Math.min(input.prose, Math.ceil(sourceTokens * PROSE_OF_SOURCE))),
    before,
    material: () => serializeBlock(block, redact(block), Math.min(1, maxBlock / sourceTokens)),
    frame: (prose, room) =>
      frameSummary({
        ...{ prose, messages, earlier: NOTHING, visible: [], memory, scope: 'messages', focusTopic, tokens },
        ...room,
        request,
        mark: (index) => `m${read[index]?.seq}`,
      }),
  }
}

/** Reasoning is not summarised, in whichever form it came. */
function withoutThoughts(message: Message): Message {
  const stripped = stripReasoning(message)
  if (stripped.role !== 'assistant' || typeof stripped.content !== 'string') return stripped
  const content = withoutThinking(stripped.content)
  return content === stripped.content ? stripped : { ...stripped, content }
}

/** Messages with their numbers. When a block is larger than the summariser's window, each is read in part and says so. */
function serializeBlock(
  block: readonly WindowMessage[],
  messages: readonly Message[],
  share: number,
): string {
  const calls = answeredCalls(messages)
  const lines = messages.map((message, index) => {
    const text = serializeMessage(message, { failed: resultStatus(message, calls.get(message)) === 'failed' })
    const number = `m${block[index]?.seq}`
    return share === 1 ? `${number} ${text}` : `${number} ${readPart(text, share)}`
  })
  return lines.join('\n')
}

/** Characters of a message that are read however little room there is. */
const LEAST_PART = 80

function readPart(text: string, share: number): string {
  const characters = Math.max(LEAST_PART, Math.floor(text.length * share))
  if (text.length <= characters) return text
  const half = Math.floor(characters / 2)
  return `${text.slice(0, half)}\n[… ${text.length - 2 * half} characters not read …]\n${text.slice(-half)}`.toWellFormed()
}

/** Messages that the summariser could read in part only, for a warning; their text stays in the store. */
export function partlyRead(block: readonly WindowMessage[], maxBlock: number): readonly WindowMessage[] {
  const total = block.reduce((sum, { tokens }) => sum + tokens, 0)
  if (total <= maxBlock) return []
  return block.filter(({ message }) => messageText(message).length * (maxBlock / total) > LEAST_PART)
}
