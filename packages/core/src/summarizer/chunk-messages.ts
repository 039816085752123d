import type { Message } from '../spec/v1/message.ts'
import type { TokenCounter } from '../spec/v1/token-counter.ts'
import { cutText } from './cut-text.ts'
import { serializeMessage } from './serialize-message.ts'

/** Stands before the rest of a message that began in the chunk before. */
const CONTINUED = '[continued] '

/** Whether a tool's result says that its call failed; `owner` is the message that made the call, if it is there. */
export type IsFailed = (result: Message, owner: Message | undefined) => boolean

export interface ChunkInput {
  readonly messages: readonly Message[]
  /** The largest chunk, in tokens; infinite for one that takes everything. */
  readonly maxTokens: number
  /** Tokens by which the first chunk is smaller. */
  readonly lessAtFirst: number
  readonly tokens: TokenCounter
  readonly isFailed: IsFailed
}

/**
 * Serialises messages into chunks, in order. Nothing is left out, and there is at most one chunk more than the length
 * divided by `maxTokens`. A message goes on to the next chunk whole as long as the room that this leaves empty adds up to
 * less than that one chunk; otherwise it is cut where the chunk ends.
 */
export function chunkMessages({ messages, maxTokens, lessAtFirst, tokens, isFailed }: ChunkInput): string[] {
  const texts = serialize(messages, isFailed)
  // Put together without a copy: who sends the text makes one anyway.
  const whole = texts.reduce((all, text, index) => (index === 0 ? text : `${all}\n${text}`), '')
  const total = Number.isFinite(maxTokens) ? tokens.countText(whole) + lessAtFirst : 0
  if (total <= maxTokens) return texts.length === 0 ? [] : [whole]

  const room = maxTokens - tokens.countText(CONTINUED)
  const most = Math.ceil(total / maxTokens) + 1
  const halfOfSpare = Math.max(0, Math.floor((room - total / most) / 2))
  const starts = startsOf(texts)
  const chunks: string[] = []
  let label = ''
  let left = total
  for (let from = 0; from < whole.length; ) {
    const cut = cutText({
      text: whole.slice(from),
      size: left,
      maxTokens: from === 0 ? room - lessAtFirst : room,
      slack: halfOfSpare,
      tokens,
    })
    const end = from + Math.max(1, cut.at)
    const start = end === whole.length ? end + 1 : (starts.findLast((one) => one <= end + 1) ?? 0)
    const isWhole = start > from + 1 && tokens.countText(whole.slice(start, end)) <= halfOfSpare
    // The line break before a message belongs to neither chunk.
    chunks.push(label + whole.slice(from, isWhole ? start - 1 : end))
    from = isWhole ? start : end
    label = isWhole ? '' : CONTINUED
    left -= cut.size
  }
  return chunks
}

/** Where each text begins when they are joined by line breaks. */
function startsOf(texts: readonly string[]): number[] {
  let next = 0
  return texts.map((text) => {
    const start = next
    next += text.length + 1
    return start
  })
}

function serialize(messages: readonly Message[], isFailed: IsFailed): string[] {
  let owner: Message | undefined
  return messages.map((message) => {
    if (message.role === 'assistant') owner = message
    return serializeMessage(message, { failed: isFailed(message, owner) })
  })
}
