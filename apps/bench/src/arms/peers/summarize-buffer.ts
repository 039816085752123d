import { type Message, messageText, type TokenCounter } from '@palimpsest/core'
import { summarizeExtractively } from '@palimpsest/extractive'
import { readBuffer } from './read-buffer.ts'

export interface SummarizeBufferInput {
  /** Messages as text, as `getBufferString` of LangChain writes them. */
  readonly buffer: string
  /** What an earlier summary begins with. */
  readonly prefix: string
  readonly maxTokens: number
  readonly tokens: TokenCounter
}

/** The summariser of our own engines for messages that LangChain hands over as text. An earlier summary is merged, as ours are. */
export function summarizeBuffer({ buffer, prefix, maxTokens, tokens }: SummarizeBufferInput): string {
  const messages = readBuffer(buffer)
  const [first] = messages
  const earlier = first === undefined ? undefined : earlierSummary(first, prefix)
  return summarizeExtractively({
    messages: earlier === undefined ? messages : messages.slice(1),
    previousSummary: earlier,
    maxTokens,
    tokens,
  })
}

function earlierSummary(message: Message, prefix: string): string | undefined {
  const text = messageText(message)
  return message.role === 'user' && text.startsWith(prefix) ? text.slice(prefix.length).trim() : undefined
}
