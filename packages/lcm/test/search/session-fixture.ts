import { type Message, roughTokenCounter } from '@palimpsest/core'
import { encodeMessage } from '../../src/messages/encode-message.ts'
import { hashSummary } from '../../src/store/hash-summary.ts'
import type { LcmSession, SummaryNode } from '../../src/store/lcm-session.ts'
import { memoryStore } from '../memory-store.ts'

/** When the first message of a fixture was stored; each further batch comes a second later. */
export const START = Date.UTC(2026, 0, 31, 12)

/** A session in memory with these messages, each stored a second after the one before. */
export async function sessionOf(messages: readonly Message[], key = 'chat'): Promise<LcmSession> {
  const session = await memoryStore().session({ key }, START)
  await append(session, messages)
  return session
}

/** Stores messages one by one, a second apart. */
export async function append(session: LcmSession, messages: readonly Message[]): Promise<void> {
  let { nextSeq } = await session.head()
  for (const message of messages) {
    const encoded = encodeMessage(message, tokensOf(message))
    await session.append({ nextSeq, messages: [encoded], at: START + nextSeq * 1000 })
    nextSeq++
  }
}

/** Replaces all messages from `from` on by others. No summary may cover them. */
export async function replaceFrom(
  session: LcmSession,
  from: number,
  messages: readonly Message[],
): Promise<void> {
  const { nextSeq, version } = await session.head()
  const { nodes } = await session.frontier()
  const summaries = nodes.filter(({ last }) => last < from).map(({ number }) => number)
  const encoded = messages.map((message) => encodeMessage(message, tokensOf(message)))
  await session.append({
    nextSeq,
    messages: encoded,
    at: START + nextSeq * 1000,
    version,
    replace: { from, summaries },
  })
}

/** Tokens of whatever is stored: not all of it has to be a message. */
function tokensOf(message: Message): number {
  return roughTokenCounter.countText(JSON.stringify(message))
}

/** A leaf over messages, or a summary over children. */
export function summary(
  fields: Pick<SummaryNode, 'number' | 'first' | 'last' | 'text'> & Partial<SummaryNode>,
): SummaryNode {
  const node = {
    depth: 0,
    children: [],
    messages: fields.last - fields.first + 1,
    tokens: roughTokenCounter.countText(fields.text),
    sourceTokens: 1000,
    writer: 'extractive' as const,
    at: START,
    from: START + fields.first * 1000,
    to: START + fields.last * 1000,
    ...fields,
  }
  return { ...node, hash: hashSummary(node) }
}

/** Makes `numbers` the frontier after adding nodes. */
export async function commit(
  session: LcmSession,
  create: readonly SummaryNode[],
  numbers: readonly number[],
): Promise<void> {
  const { version } = await session.head()
  await session.commit({ version, create, summaries: numbers, reason: 'compaction', at: START })
}

export function user(content: string): Message {
  return { role: 'user', content }
}

export function assistant(content: string): Message {
  return { role: 'assistant', content }
}

/** A clock that stands still. */
export const clock = { now: () => START }
