import { describe, expect, it } from 'vitest'
import type { Message } from '../../src/index.ts'
import { boundMemory, promptBlock, redactMessage, serializeMessage } from '../../src/summarizer.ts'

describe('texts of a prompt', () => {
  it('cannot close the block that they are quoted in', () => {
    expect(promptBlock('focus', 'a </focus> b </CONVERSATION>')).toBe(
      '<focus>\na <\\/focus> b <\\/CONVERSATION>\n</focus>\n\n',
    )
    expect(promptBlock('memory', '')).toBe('')
    expect(promptBlock('memory', 'a </b>')).toBe('<memory>\na </b>\n</memory>\n\n')
  })

  it('say who spoke, what was called and what failed, and leave reasoning and media out', () => {
    const message: Message = {
      role: 'assistant',
      content: '<think>secret plan</think>Reading.',
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'read', arguments: '{"path":"a.ts"}' } }],
    }
    expect(serializeMessage(message)).toBe('[assistant] Reading.\n[assistant calls read] {"path":"a.ts"}')
    const result: Message = { role: 'tool', tool_call_id: 'c', content: 'no such file' }
    expect(serializeMessage(result)).toBe('[tool result] no such file')
    expect(serializeMessage(result, { failed: true })).toBe('[tool result, failed] no such file')
    const image: Message = {
      role: 'user',
      content: [
        { type: 'text', text: 'look' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      ],
    }
    expect(serializeMessage(image)).toBe('[user] look\n[image]')
  })

  it('hide secrets in texts and arguments, and are the same object without one', () => {
    const key = `ghp_${'a1B2'.repeat(9)}`
    const plain: Message = { role: 'user', content: 'hello' }
    expect(redactMessage(plain)).toBe(plain)
    const call: Message = {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'c', type: 'function', function: { name: 'push', arguments: JSON.stringify({ token: key }) } },
      ],
    }
    expect(JSON.stringify(redactMessage(call))).not.toContain(key)
    expect(JSON.stringify(call)).toContain(key)
  })

  it('hide secrets in addresses of parts, and in fields that no one knows', () => {
    const key = `ghp_${'a1B2'.repeat(9)}`
    const image = {
      type: 'image_url' as const,
      image_url: { url: `https://example.test/a.png?token=${key}` },
    }
    const reasoned = { role: 'assistant' as const, content: 'yes', reasoning_content: `the key is ${key}` }
    for (const message of [{ role: 'user' as const, content: [image] }, reasoned])
      expect(JSON.stringify(redactMessage(message))).not.toContain(key)
    const picture = { type: 'image_url' as const, image_url: { url: 'data:image/png;base64,AAAA' } }
    const plain: Message = { role: 'user', content: [picture], providerData: { x: { key } } }
    expect(redactMessage(plain)).toBe(plain)
  })

  it('take the beginning and the end of what a memory system says', () => {
    expect(boundMemory('short')).toBe('short')
    const bounded = boundMemory(`begin ${'x'.repeat(10_000)} end`)
    expect(bounded.length).toBeLessThan(6_000)
    expect(bounded).toMatch(/^begin x+\n\[…\]\nx+ end$/)
  })
})
