import { type Message, messageText, type TokenCounter, type ToolCall } from '@palimpsest/core'
import { summarizeExtractively } from '@palimpsest/extractive'
import { z } from 'zod'
import { parsed } from '../../recall/whole-word.ts'
import { functionCall } from '../../workload/conversation.ts'

interface SummarizeBufferInput {
  /** Messages as text, as `getBufferString` of LangChain writes them. */
  readonly buffer: string
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
  if (message.role !== 'user' || !text.startsWith(prefix)) return undefined
  return (/<summary>([\s\S]*)<\/summary>/.exec(text)?.[1] ?? text.slice(prefix.length)).trim()
}

/** The beginning of a message by `getBufferString`; a result begins with the name of its tool. */
const BEGINNING = /^(?:(Human|AI|System): |Tool: [^\s,]+, )/
/** The end of a message with calls: a list in JSON, on one line. */
const CALLS = /\[\{"(?:type|id|name|args)":.*\]$/

/** Reads `getBufferString` back as far as it tells: results have no ids, so they go to the calls before them in order. */
export function readBuffer(buffer: string): Message[] {
  const blocks: { readonly role: string; text: string }[] = []
  for (const line of buffer.split('\n')) {
    const match = BEGINNING.exec(line)
    const last = blocks.at(-1)
    if (match !== null) blocks.push({ role: match[1] ?? 'Tool', text: line.slice(match[0].length) })
    else if (last !== undefined) last.text += `\n${line}`
    else if (line !== '') blocks.push({ role: 'Human', text: line })
  }
  let open: string[] = []
  return blocks.map(({ role, text }): Message => {
    if (role === 'Tool') return { role: 'tool', tool_call_id: open.shift() ?? '', content: text }
    if (role === 'Human') return { role: 'user', content: text }
    if (role === 'System') return { role: 'system', content: text }
    const { content, calls } = splitCalls(text)
    open = calls.map(({ id }) => id)
    return { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) }
  })
}

const WRITTEN = z.array(
  z.object({ id: z.string(), name: z.string(), args: z.record(z.string(), z.unknown()) }),
)

function splitCalls(text: string): { content: string; calls: ToolCall[] } {
  const found = CALLS.exec(text)
  const { data: calls } = WRITTEN.safeParse(parsed(found?.[0] ?? ''))
  // A text may only end like a list of calls.
  if (found === null || calls === undefined) return { content: text, calls: [] }
  return {
    content: text.slice(0, found.index),
    calls: calls.map(({ id, name, args }) => functionCall(id, name, args)),
  }
}
