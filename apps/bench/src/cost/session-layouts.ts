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
  times(pacing: Pacing): readonly number[]
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

/** The worked example: 60 requests up to about 199,000 tokens, a dozen parallel calls every fifth time. */
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
  return { name: 'worked example', layouts, times: (pacing) => exampleTimes(pacing, requests) }
}

/** An agent's generated session: each of the assistant's messages is a request for everything before it. */
export function generatedSession(seed: number, length: number): PlacedSession {
  const messages = generateConversation({ seed, messages: length })
  const prompts = messages.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []))
  return {
    name: `generated, seed ${seed}`,
    layouts: layOut(messages, prompts, exampleTools()),
    times(pacing) {
      const pace = createPace(pacing)
      let at = 0
      return prompts.map((end) => {
        at += pace.next(messages[end - 1]?.role === 'user')
        return at
      })
    },
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

/** A round of parallel calls and their results; `tokens` for each call with its result. */
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

/** Text of so many tokens by the rough count of four characters each, and of no other text's content. */
function filler(tokens: number, name: string): string {
  return `${name} `.padEnd(tokens * 4, 'lorem ipsum dolor ')
}

/** Whether the user goes away now and then while a session runs. */
export type Pacing = 'steady' | 'with pauses'

const SECOND = 1000
const MINUTE = 60 * SECOND
/** Between two requests of an agent at work, and until a user has read an answer and written the next message. */
const STEP = 20 * SECOND
const USER_TURN = MINUTE
const SHORT_PAUSE = 8 * MINUTE
const LONG_PAUSE = 40 * MINUTE
/** User's turns from one pause to the next, and from one long pause to the next. */
const TURNS_TO_PAUSE = 4
const TURNS_TO_LONG_PAUSE = 12

export const PAUSES_TEXT = `every ${TURNS_TO_PAUSE}th message of the user comes after 8 minutes, every ${TURNS_TO_LONG_PAUSE}th after 40`

interface RequestPace {
  /** Milliseconds until the next request, which the user begins or a tool's result does. */
  next(isUserTurn: boolean): number
}

export function createPace(pacing: Pacing): RequestPace {
  let turns = 0
  return {
    next(isUserTurn) {
      if (!isUserTurn) return STEP
      turns++
      if (pacing === 'steady') return USER_TURN
      if (turns % TURNS_TO_LONG_PAUSE === 0) return LONG_PAUSE
      return turns % TURNS_TO_PAUSE === 0 ? SHORT_PAUSE : USER_TURN
    },
  }
}

/** The pauses of the worked example: before its requests 14, 27 and 41. */
const EXAMPLE_PAUSES: Readonly<Record<number, number>> = { 13: SHORT_PAUSE, 26: SHORT_PAUSE, 40: LONG_PAUSE }

export function exampleTimes(pacing: Pacing, requests: number): number[] {
  let at = 0
  return Array.from({ length: requests }, (_, index) => {
    at += (pacing === 'with pauses' && EXAMPLE_PAUSES[index]) || STEP
    return at
  })
}

/** When a recorded session's requests started, by message, in milliseconds. Without a recorded time: a steady step later. */
export function requestTimes(entries: readonly TranscriptEntry[]): ReadonlyMap<number, number> {
  const clock = createRequestClock()
  const pace = createPace('steady')
  const times = new Map<number, number>()
  // Steps are taken from here until the first time is known.
  clock.start(entries.find(({ timestamp }) => timestamp !== undefined)?.timestamp ?? 0)
  for (const [index, { message }] of entries.entries()) {
    const before = entries[index - 1]
    if (message.role !== 'assistant' || before === undefined) continue
    const step = pace.next(before.message.role === 'user')
    clock.start(before.timestamp ?? clock.now() + step)
    times.set(index, clock.now())
  }
  return times
}
