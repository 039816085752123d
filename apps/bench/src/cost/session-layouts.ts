import { freezeMessage, type Message, roughTokenCounter, type ToolSchema } from '@palimpsest/core'
import {
  createLayouter,
  createRequestClock,
  openaiMessagesWire,
  type RequestLayout,
} from '@palimpsest/prompt-caching'
import type { TranscriptEntry } from '@palimpsest/transcripts'
import { functionCall, generateConversation } from '../workload/conversation.ts'

export interface PlacedSession {
  readonly name: string
  readonly layouts: readonly RequestLayout[]
  readonly times: readonly number[]
}

const EXAMPLE = {
  requests: 60,
  tools: 12,
  toolTokens: 1000,
  system: 6000,
  step: 3000,
  manyEvery: 5,
  many: 12,
}

/** The worked example: 60 requests up to about 199,000 tokens, with a dozen parallel calls every fifth time. */
export function exampleSession(): PlacedSession {
  const { requests, step, manyEvery, many } = EXAMPLE
  const messages: Message[] = [
    freezeMessage({ role: 'system', content: filler(EXAMPLE.system, 'system') }),
    freezeMessage({ role: 'user', content: filler(step - 1700, 'begin') }),
  ]
  const prompts = Array.from({ length: requests }, (_, index) => {
    if (index > 0) {
      const calls = index % manyEvery === 0 ? many : 1
      messages.push(...round(index, calls, step / calls).map(freezeMessage))
    }
    return messages.length
  })
  const layouts = layOut(messages, prompts, exampleTools())
  return { name: 'worked example', layouts, times: layouts.map((_, index) => (index + 1) * STEP) }
}

export function generatedSession(seed: number, length: number): PlacedSession {
  const messages = generateConversation({ seed, messages: length })
  const prompts = messages.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []))
  let at = 0
  return {
    name: `generated, seed ${seed}`,
    layouts: layOut(messages, prompts, exampleTools()),
    times: prompts.map((end) => (at += stepAfter(messages[end - 1]))),
  }
}

export function exampleTools(): ToolSchema[] {
  return Array.from({ length: EXAMPLE.tools }, (_, index) => ({
    type: 'function',
    function: {
      name: `tool_${index}`,
      description: filler(EXAMPLE.toolTokens, `tool ${index}`),
      parameters: { type: 'object' },
    },
  }))
}

function layOut(
  messages: readonly Message[],
  prompts: readonly number[],
  tools: readonly ToolSchema[],
): RequestLayout[] {
  const layouter = createLayouter(openaiMessagesWire('native'), roughTokenCounter)
  return prompts.map((end) => layouter.layout({ messages: messages.slice(0, end), tools }))
}

function round(number: number, calls: number, tokens: number): Message[] {
  const ids = Array.from({ length: calls }, (_, index) => `c${number}-${index}`)
  return [
    {
      role: 'assistant',
      content: null,
      tool_calls: ids.map((id) => functionCall(id, 'read', { path: filler(tokens / 2, id) })),
    },
    ...ids.map((id): Message => ({ role: 'tool', tool_call_id: id, content: filler(tokens / 2, id) })),
  ]
}

function filler(tokens: number, name: string): string {
  return `${name} `.padEnd(tokens * 4, 'lorem ipsum dolor ')
}

/** Milliseconds between an agent's requests, and until a user has read an answer and replied. */
const STEP = 20_000
const USER_TURN = 60_000

const stepAfter = (message: Message | undefined): number => (message?.role === 'user' ? USER_TURN : STEP)

export function requestTimes(entries: readonly TranscriptEntry[]): ReadonlyMap<number, number> {
  const clock = createRequestClock()
  const times = new Map<number, number>()
  // Steps start here until the first known time.
  clock.start(entries.find(({ timestamp }) => timestamp !== undefined)?.timestamp ?? 0)
  for (const [index, { message }] of entries.entries()) {
    const before = entries[index - 1]
    if (message.role !== 'assistant' || before === undefined) continue
    clock.start(before.timestamp ?? clock.now() + stepAfter(before.message))
    times.set(index, clock.now())
  }
  return times
}
