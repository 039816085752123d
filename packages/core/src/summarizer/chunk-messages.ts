import type { Message } from '../spec/message.ts'
import type { TokenCounter } from '../spec/token-counter.ts'
import { serializeMessage } from './serialize-message.ts'

/** Tokens that the label of a serialised message takes. */
const LABEL_TOKENS = 8

/** Whether a tool's result says that its call failed; `owner` is the message that made the call, if it is there. */
export type IsFailed = (result: Message, owner: Message | undefined) => boolean

/**
 * Serialises messages into chunks of at most `maxTokens`, in order; a message that is longer by itself is cut
 * into pieces. Nothing is left out. Counts of whole messages are known already, so only long ones are counted
 * here.
 */
export function chunkMessages(
  messages: readonly Message[],
  maxTokens: number,
  tokens: TokenCounter,
  isFailed: IsFailed,
): string[] {
  const chunks: string[] = []
  let chunk = ''
  let size = 0
  let owner: Message | undefined
  const add = (text: string, count: number): void => {
    if (size > 0 && size + count > maxTokens) {
      chunks.push(chunk)
      chunk = ''
      size = 0
    }
    // Concatenation copies nothing until somebody reads the whole: cheaper than joining megabytes twice.
    chunk += chunk === '' ? text : `\n${text}`
    size += count
  }
  for (const message of messages) {
    const count = tokens.countMessage(message) + LABEL_TOKENS
    if (message.role === 'assistant') owner = message
    const text = serializeMessage(message, { failed: isFailed(message, owner) })
    if (count <= maxTokens) add(text, count)
    else for (const piece of splitText(text, maxTokens, tokens)) add(piece, tokens.countText(piece))
  }
  return chunk === '' ? chunks : [...chunks, chunk]
}

function splitText(text: string, maxTokens: number, tokens: TokenCounter): string[] {
  if (text.length < 2 || tokens.countText(text) <= maxTokens) return [text]
  let middle = Math.floor(text.length / 2)
  const code = text.charCodeAt(middle)
  if (code >= 0xdc00 && code <= 0xdfff) middle++
  return [
    ...splitText(text.slice(0, middle), maxTokens, tokens),
    ...splitText(text.slice(middle), maxTokens, tokens),
  ]
}
