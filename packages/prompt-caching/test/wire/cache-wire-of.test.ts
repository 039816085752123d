import { describe, expect, it } from 'vitest'
import { findCaching } from '../../src/detect/find-caching.ts'
import { anthropicWire } from '../../src/wire/anthropic/anthropic-wire.ts'
import { cacheWireOf } from '../../src/wire/cache-wire-of.ts'
import { openaiWire } from '../../src/wire/openai/openai-wire.ts'

describe('the wire format that findCaching names', () => {
  it.each(['anthropic', 'openai-messages-native', 'openrouter', 'litellm', 'openai', 'gemini'] as const)(
    'is there for %s',
    (name) => {
      expect(cacheWireOf(name).name).toBe(name)
    },
  )

  it('is none where nothing is marked', () => {
    expect(cacheWireOf('none')).toBeUndefined()
    const { wire } = findCaching({ model: 'llama-4' })
    expect(cacheWireOf(wire)).toBeUndefined()
  })

  it('has the type of its requests', () => {
    expect(cacheWireOf('anthropic')).toBe(anthropicWire)
    expect(cacheWireOf('openai').apply({ messages: [] }, [])).toEqual(openaiWire.strip({ messages: [] }))
  })
})
