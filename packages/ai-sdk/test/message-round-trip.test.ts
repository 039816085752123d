import { createContextSession, defineContextEngine, type Message } from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromModelMessages, toModelMessages } from '../src/index.ts'
import { anyModelMessages } from './support/any-model-messages.ts'
import { counted } from './support/counted.ts'

/** The same value with the keys of every object the other way round, as a database may return it. */
function reversed<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || value instanceof URL) return value
  if (Array.isArray(value)) return value.map(reversed) as Value
  const entries = Object.entries(value).map(([key, member]) => [key, reversed(member)])
  return Object.fromEntries(entries.reverse()) as Value
}

describe('messages of the AI SDK', () => {
  it('come back as they were, whatever they hold', async () => {
    const property = fc.property(anyModelMessages, (messages) => {
      const before = JSON.stringify(messages)
      expect(toModelMessages(fromModelMessages(messages))).toEqual(messages)
      expect(JSON.stringify(messages)).toBe(before)
    })
    await counted('ModelMessage round trip', property, 300)
  })

  it('come back after the transcript was stored as JSON', async () => {
    const property = fc.property(anyModelMessages, (messages) => {
      const stored: Message[] = JSON.parse(JSON.stringify(fromModelMessages(messages)))
      expect(fromModelMessages(toModelMessages(stored))).toEqual(stored)
    })
    await counted('ModelMessage round trip through JSON', property, 100)
  })

  it('are taken by a session, which edits nothing when they come again', async () => {
    const idle = defineContextEngine({
      name: 'idle',
      apiVersion: 1,
      description: 'never compacts',
      create: () => ({
        shouldCompress: () => false,
        compress: async () => {
          throw new Error('not asked')
        },
      }),
    })
    const property = fc.asyncProperty(anyModelMessages, async (messages) => {
      const session = createContextSession({ engine: idle, contextLength: 1_000_000 })
      const events: string[] = []
      session.subscribe(({ type }) => events.push(type))
      await session.prepare(fromModelMessages(messages))
      await session.prepare(fromModelMessages(reversed(messages)))
      expect(events).not.toContain('edited')
    })
    await counted('recognised by a session', property, 60)
  })
})
