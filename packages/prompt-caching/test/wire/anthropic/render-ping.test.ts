import { PalimpsestError, roughTokenCounter } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { createLayouter } from '../../../src/layout/create-layouter.ts'
import type { AnthropicRequest } from '../../../src/wire/anthropic/anthropic-request.ts'
import { anthropicWire } from '../../../src/wire/anthropic/anthropic-wire.ts'
import { PingImpossibleError, renderPing } from '../../../src/wire/anthropic/render-ping.ts'
import { pingFaults } from './fake-anthropic.ts'

const REQUEST: AnthropicRequest = {
  model: 'claude-opus-5',
  max_tokens: 1000,
  stream: true,
  system: 'You fix programs.',
  tools: [{ name: 'bash', input_schema: { type: 'object' } }],
  thinking: { type: 'adaptive' },
  messages: [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'bash', input: { z: 1, a: 2 } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }] },
  ],
}

/** Up to where the cached beginning of a request ends, as bytes: everything in the order in which it is hashed. */
function prefixBytes({ model, tools, system, tool_choice, thinking, messages }: AnthropicRequest): string {
  const list = JSON.stringify(messages).slice(0, -1)
  return `${model}${JSON.stringify([tools, system, tool_choice, thinking])}${list}`
}

describe('renderPing', () => {
  it('case 49: the ping is, to the byte, the beginning of the next request', () => {
    const at = (index: number) => [
      { ref: { at: 'message' as const, index, block: 0 }, ttl: '5m' as const, reason: 'tail' },
    ]
    const ping = renderPing(anthropicWire.apply(REQUEST, at(2)))
    const next = {
      ...REQUEST,
      messages: [...REQUEST.messages, { role: 'assistant' as const, content: 'Done.' }],
    }
    const sent = anthropicWire.apply(next, [...at(2), ...at(3)])
    expect(prefixBytes(sent).startsWith(prefixBytes(ping))).toBe(true)
    expect(prefixBytes(ping)).toContain('"cache_control"')
    const pricing = { keepsThinking: true, effortChangesAll: false }
    const { layout } = createLayouter(anthropicWire, roughTokenCounter, pricing)
    expect(layout(next).hashes.slice(0, layout(ping).hashes.length)).toEqual(layout(ping).hashes)
    expect(pingFaults(JSON.parse(JSON.stringify(ping)))).toEqual([])
  })

  it('asks for no output and no stream, and changes nothing else', () => {
    const { stream: _, ...rest } = REQUEST
    expect(renderPing(REQUEST)).toEqual({ ...rest, max_tokens: 0 })
    expect(REQUEST.stream).toBe(true)
  })

  it.each<[string, object]>([
    ['structured-output', { output_config: { format: { type: 'json_schema', schema: {} } } }],
    ['structured-output', { output_format: { type: 'json_schema', schema: {} } }],
    ['forced-tool-choice', { tool_choice: { type: 'any' } }],
    ['forced-tool-choice', { tool_choice: { type: 'tool', name: 'bash' } }],
    ['enabled-thinking', { thinking: { type: 'enabled', budget_tokens: 1024 } }],
    ['batch', { custom_id: 'one', params: {} }],
    ['batch', { requests: [] }],
  ])('says that %s makes a ping impossible', (rule, more) => {
    const impossible = (): unknown => renderPing({ ...REQUEST, ...more })
    expect(impossible).toThrow(PingImpossibleError)
    expect(impossible).toThrow(expect.objectContaining({ code: 'PING_IMPOSSIBLE', rule }))
    expect(impossible).toThrow(expect.toSatisfy(PalimpsestError.isInstance))
  })
})
