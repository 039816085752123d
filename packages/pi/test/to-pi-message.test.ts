import type { AssistantMessage } from '@earendil-works/pi-ai'
import type { SessionEntry } from '@earendil-works/pi-coding-agent'
import { type Message, stripReasoning } from '@palimpsest/core'
import { createPiBranchReader } from '@palimpsest/transcripts'
import { describe, expect, it } from 'vitest'
import { entryMessage, toPiMessage } from '../src/to-pi-message.ts'

const frame = { api: 'openai-completions', provider: 'p', model: 'm' } as const
const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 }
const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost }

function entryOf(message: unknown, id = 'e1'): SessionEntry {
  return { type: 'message', id, parentId: null, timestamp: '2026-03-01T09:00:00Z', message } as SessionEntry
}

function answer(content: AssistantMessage['content'], api = 'anthropic-messages'): SessionEntry {
  const rest = { api, provider: 'anthropic', model: 'm', usage, stopReason: 'toolUse', timestamp: 1 }
  return entryOf({ role: 'assistant', content, ...rest })
}

function read(entry: SessionEntry): Message {
  const [said] = createPiBranchReader()([entry])
  if (said === undefined) throw new Error('nothing was read')
  return said.message
}

const back = (message: Message, entry: SessionEntry) =>
  toPiMessage(message, entry, { frame, toolName: 'read' })

const thinking = { type: 'thinking', thinking: 'Both.', thinkingSignature: 'sig' } as const
const text = { type: 'text', text: 'I read both.', textSignature: 'msg_1' } as const
const call = {
  type: 'toolCall',
  id: 'c|fc_1',
  name: 'read',
  arguments: { path: 'a' },
  thoughtSignature: 't',
} as const

describe('an answer', () => {
  it('keeps its signatures and its order when only its reasoning goes', () => {
    const entry = answer([text, thinking, call])
    expect(back(stripReasoning(read(entry)), entry)).toEqual({
      ...(entryMessage(entry) as AssistantMessage),
      content: [text, call],
    })
  })

  it('is not tied to the reasoning that is gone, at the Responses API', () => {
    const entry = answer([thinking, text], 'openai-responses')
    expect(back(stripReasoning(read(entry)), entry)).toMatchObject({ model: 'm (edited)', content: [text] })
    expect(back(read(entry), entry)).toMatchObject({ model: 'm', content: [thinking, text] })
  })

  it('takes shortened arguments and texts over', () => {
    const entry = answer([text, call])
    const short = shortenCalls(read(entry))
    expect(back(short, entry)).toMatchObject({
      content: [
        { type: 'text', text: 'I…' },
        { ...call, arguments: { path: '…' } },
      ],
    })
  })
})

function shortenCalls(message: Message): Message {
  if (message.role !== 'assistant') throw new Error(message.role)
  const calls = (message.tool_calls ?? []).map((one) => ({
    ...one,
    function: { name: 'read', arguments: '{"path":"…"}' },
  }))
  return { ...message, content: 'I…', tool_calls: calls as NonNullable<typeof message.tool_calls> }
}

it('a shortened result keeps its call, its tool and whether it failed', () => {
  const result = {
    role: 'toolResult',
    toolCallId: 'c',
    toolName: 'read',
    isError: true,
    timestamp: 1,
    details: { n: 1 },
  }
  const entry = entryOf({ ...result, content: [{ type: 'text', text: 'long' }] })
  expect(back({ role: 'tool', tool_call_id: 'c', content: 'l…' }, entry)).toEqual({
    ...result,
    content: [{ type: 'text', text: 'l…' }],
  })
  const missing = toPiMessage({ role: 'tool', tool_call_id: 'c', content: 'none' }, undefined, {
    frame,
    toolName: 'read',
  })
  expect(missing).toMatchObject({ role: 'toolResult', toolCallId: 'c', toolName: 'read' })
})

it('a copy of an entry is returned, never the session of pi itself', () => {
  const entry = answer([text])
  const copy = entryMessage(entry) as AssistantMessage
  copy.content.length = 0
  expect(entryMessage(entry)).toMatchObject({ content: [text] })
  expect(entryMessage({ ...entry, type: 'label', targetId: 'x', label: 'y' } as SessionEntry)).toBeUndefined()
})
