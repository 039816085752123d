import { describe, expect, it } from 'vitest'
import { findCaching } from '../../src/detect/find-caching.ts'
import { anthropicWire } from '../../src/wire/anthropic/anthropic-wire.ts'
import { openaiWire } from '../../src/wire/openai/openai-wire.ts'
import { wireFormatOf } from '../../src/wire/wire-format-of.ts'

describe('the wire format that findCaching names', () => {
  it.each(['anthropic', 'openai-messages-native', 'openrouter', 'litellm', 'openai', 'gemini'] as const)(
    'is there for %s',
    (name) => {
      expect(wireFormatOf(name).name).toBe(name)
    },
  )

  it('is none where nothing is marked', () => {
    expect(wireFormatOf('none')).toBeUndefined()
    const { wire } = findCaching({ model: 'llama-4' })
    expect(wireFormatOf(wire)).toBeUndefined()
  })

  it('has the type of its requests', () => {
    expect(wireFormatOf('anthropic')).toBe(anthropicWire)
    expect(wireFormatOf('openai').apply({ messages: [] }, [])).toEqual(openaiWire.strip({ messages: [] }))
  })
})
