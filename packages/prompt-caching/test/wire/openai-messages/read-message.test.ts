import { freezeMessage, type Message, renderSummary, roughTokenCounter } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { openaiMessagesWire } from '../../../src/wire/openai-messages/openai-messages-wire.ts'

const wire = openaiMessagesWire('native')
const read = (message: object) => wire.readMessage(message, roughTokenCounter)

describe('blocks of a message', () => {
  it('are its parts, then its calls', () => {
    const message = {
      role: 'assistant',
      content: 'Let me see.',
      providerData: { anthropic: { reasoning: [{ type: 'thinking', thinking: 'hm' }] } },
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'ls', arguments: '{}' } }],
    }
    expect(read(message).map(({ kind, role, carries }) => [kind, role, carries])).toEqual([
      ['other', 'assistant', true],
      ['tool-use', 'assistant', false],
    ])
  })

  it('hash alike whether a content is a text or one part, and whatever id the host gave', () => {
    const [text] = read({ role: 'user', content: 'hello', id: 'host-1' })
    const [part] = read({ role: 'user', content: [{ type: 'text', text: 'hello' }], id: 'host-2' })
    expect(text).toEqual(part)
    const [result] = read({ role: 'tool', tool_call_id: 'a', content: 'x' })
    expect(result).toEqual(
      read({ role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'x' }] })[0],
    )
  })

  it('hash differently by role, name, call and order of keys, because the provider sees them', () => {
    const seen = [
      { role: 'user', content: 'hello' },
      { role: 'system', content: 'hello' },
      { role: 'user', content: 'hello', name: 'ann' },
      { role: 'tool', content: 'hello', tool_call_id: 'a' },
      { role: 'tool', content: 'hello', tool_call_id: 'b' },
      { role: 'user', content: [{ text: 'hello', type: 'text' }] },
    ].map((message) => read(message)[0]?.content)
    expect(new Set(seen).size).toBe(seen.length)
  })

  it('include a refusal, and what a message is that says nothing', () => {
    expect(read({ role: 'assistant', content: null, refusal: 'No.' })).toMatchObject([
      { kind: 'other', carries: false },
    ])
    expect(read({ role: 'assistant', content: '' })).toMatchObject([{ kind: 'other', carries: false }])
    expect(wire.readMessage(null as unknown as object, roughTokenCounter)).toEqual([])
  })

  it('say which text stands for earlier messages', () => {
    const summary: Message = freezeMessage({ role: 'user', content: renderSummary('Goals were set.') })
    expect(read(summary)).toMatchObject([{ isSummary: true }])
    expect(read({ role: 'user', content: 'no summary' })[0]).not.toHaveProperty('isSummary')
  })

  it('share the tokens of the message by their length, an image at its flat size', () => {
    const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(100_000)}` } }
    const text = { type: 'text', text: 'word '.repeat(1200) }
    const message = { role: 'user', content: [text, image] } as Message
    const [words, picture] = read(message)
    const whole = roughTokenCounter.countMessage(message)
    expect((words?.tokens ?? 0) + (picture?.tokens ?? 0)).toBe(whole)
    expect(words?.tokens).toBeGreaterThan(whole * 0.49)
    expect(words?.tokens).toBeLessThan(whole * 0.51)
  })
})

describe('the system prompt and the tools', () => {
  const system = { role: 'developer', content: 'Static rules. Today is Monday.' }

  it('is one block, or two when a part of it is static', () => {
    const whole = wire.readSystem(system, roughTokenCounter, undefined)
    const split = wire.readSystem(system, roughTokenCounter, 14)
    expect([whole.length, split.length]).toEqual([1, 2])
    const sum = split.reduce((total, { tokens }) => total + tokens, 0)
    expect(sum).toBe(roughTokenCounter.countMessage(system as Message))
  })

  it('begins with the same block whatever is written behind the static part', () => {
    const other = { ...system, content: 'Static rules. Today is Tuesday.' }
    const first = (of: object) => wire.readSystem(of, roughTokenCounter, 14)[0]?.content
    expect(first(other)).toBe(first(system))
    const alone = { ...system, content: 'Static rules. ' }
    expect(wire.readSystem(alone, roughTokenCounter, 14)[0]?.content).toBe(first(system))
  })

  it('is apart from the messages, which are numbered with it', () => {
    const user = { role: 'user', content: 'hi' } as const
    expect(wire.parts({ messages: [system as Message, user] })).toMatchObject({
      system,
      messages: [user],
      firstMessage: 1,
    })
    expect(wire.parts({ messages: [user] })).toMatchObject({ system: null, firstMessage: 0, tools: [] })
  })

  it('reads a tool with the tokens of its schema and without its marker', () => {
    const tool = { type: 'function', function: { name: 'ls' } } as const
    const block = wire.readTool({ ...tool, cache_control: {} }, roughTokenCounter)
    expect(block).toEqual(wire.readTool(tool, roughTokenCounter))
    expect(block.tokens).toBe(roughTokenCounter.countTools([tool]))
  })
})
