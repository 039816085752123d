import { type Message, type TokenCounter, toolCallsOf } from '@palimpsest/core'
import type { Arm } from '../../src/arms/arm.ts'
import { projectionArm } from '../../src/arms/projection-arm.ts'
import { textOf } from '../../src/recall/message-text.ts'
import type { RecordedSession } from '../../src/sessions/recorded-session.ts'

export const quiet = { step: () => {}, done: () => {}, end: () => {} }

/** A token for each word between spaces. */
export const words: TokenCounter = {
  countText: (text) => text.split(/\s+/).filter(Boolean).length,
  countMessage: (message) => words.countText(textOf(message)),
  countTools: (tools) => tools.length,
}

export const user = (content: string): Message => ({ role: 'user', content })
export const assistant = (content: string): Message => ({ role: 'assistant', content })
/** So many words without an identifier. */
export const filler = (count: number): string => Array(count).fill('word').join(' ')

/** A call with one argument, and its result. */
export function call(argument: string, result: string, id = 'c1'): Message[] {
  const args = JSON.stringify({ pathName: argument })
  return [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'read_file', arguments: args } }],
    },
    { role: 'tool', tool_call_id: id, content: result },
  ]
}

export function recorded(messages: readonly Message[], name = 'session'): RecordedSession {
  const entries = messages.map((message, index) => ({ message, line: index + 1 }))
  return { name, messages, entries, nativeCompactions: [] }
}

/** Shows nothing but the last message: an engine that lost everything. */
export const forgetful: Arm = projectionArm(
  { name: 'forgetful', description: 'loses everything but the last call', kind: 'engine' },
  (transcript) => {
    const request = transcript.findLastIndex(
      (message) => toolCallsOf(message).length > 0 || message.role === 'user',
    )
    return transcript.slice(request)
  },
)
