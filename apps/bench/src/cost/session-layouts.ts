import { freezeMessage, type Message, roughTokenCounter, type ToolSchema } from '@palimpsest/core'
import { createLayouter, openaiMessagesWire, type RequestLayout } from '@palimpsest/prompt-caching'
import { generateConversation } from '../workload/conversation.ts'
import { createPace, exampleTimes, type Pacing } from './pacing.ts'

export interface PlacedSession {
  readonly name: string
  readonly layouts: readonly RequestLayout[]
  times(pacing: Pacing): readonly number[]
}

export const RULES = { keepsThinking: true, effortChangesAll: false }

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
  const { messages } = generateConversation({ seed, messages: length })
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
  const layouter = createLayouter(openaiMessagesWire('native'), roughTokenCounter, RULES)
  return prompts.map((end) => layouter.layout({ messages: messages.slice(0, end), tools }))
}

/** A round of parallel calls and their results; `tokens` for each call with its result. */
function round(number: number, calls: number, tokens: number): Message[] {
  const ids = Array.from({ length: calls }, (_, index) => `c${number}-${index}`)
  return [
    {
      role: 'assistant',
      content: null,
      tool_calls: ids.map((id) => ({
        id,
        type: 'function',
        function: { name: 'read', arguments: JSON.stringify({ path: filler(tokens / 2, id) }) },
      })),
    },
    ...ids.map((id): Message => ({ role: 'tool', tool_call_id: id, content: filler(tokens / 2, id) })),
  ]
}

/** Text of so many tokens by the rough count of four characters each, and of no other text's content. */
function filler(tokens: number, name: string): string {
  return `${name} `.padEnd(tokens * 4, 'lorem ipsum dolor ')
}
