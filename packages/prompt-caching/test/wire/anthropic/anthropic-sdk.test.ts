import Anthropic from '@anthropic-ai/sdk'
import type { CachePlan, Message } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { toAnthropicRequest } from '../../../src/wire/anthropic/to-anthropic-request.ts'
import { contentFaults, fakeAnthropic, markerFaults } from './fake-anthropic.ts'

type Body = Parameters<typeof markerFaults>[0]

const everything = (body: Body): string[] => [...markerFaults(body), ...contentFaults(body)]

function connect(rules: (body: Body) => string[]) {
  const { fetch, received } = fakeAnthropic(rules)
  const client = new Anthropic({ apiKey: 'x', baseURL: 'http://127.0.0.1:9', fetch, maxRetries: 0 })
  return { client, received }
}

function planOf(wanted: CachePlan['breakpoints']): CachePlan {
  return {
    breakpoints: wanted,
    expected: { read: 0, write5m: 0, write1h: 0, uncached: 0, usd: 0 },
  }
}

const TALK: Message[] = [
  { role: 'system', content: 'You fix programs.' },
  { role: 'user', content: 'Go.' },
]

describe('through the SDK', () => {
  it('sends the markers of a plan for our messages', async () => {
    const { client, received } = connect(everything)
    const plan = planOf([
      { ref: { at: 'system', block: 0 }, ttl: '1h', reason: 'head' },
      { ref: { at: 'message', index: 1, block: 0 }, ttl: '5m', reason: 'tail' },
    ])
    const prompt = toAnthropicRequest({ messages: TALK, cache: plan })
    const answer = await client.messages.create({ model: 'claude-opus-5', max_tokens: 64, ...prompt })
    expect(answer.usage.cache_creation_input_tokens).toBe(10)
    expect(received[0]?.bytes).toBe(
      '{"model":"claude-opus-5","max_tokens":64,' +
        '"system":[{"type":"text","text":"You fix programs.","cache_control":{"type":"ephemeral","ttl":"1h"}}],' +
        '"messages":[{"role":"user","content":[{"type":"text","text":"Go.","cache_control":{"type":"ephemeral"}}]}]}',
    )
  })
})
