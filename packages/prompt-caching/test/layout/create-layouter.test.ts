import { freezeMessage, type Message, roughTokenCounter } from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLayouter } from '../../src/layout/create-layouter.ts'
import type { ReadBlock } from '../../src/layout/request-layout.ts'
import type { CacheSettings, CacheWire } from '../../src/wire/cache-wire.ts'
import { answer, calls, layoutOf, type TestRequest, user } from '../layouts.ts'

const tool = (text: string) => ({ text, tokens: 10 })
const system = [{ text: 'system', tokens: 100 }]
const thinking = (text: string) => ({
  role: 'assistant' as const,
  blocks: [
    { text, tokens: 50, kind: 'thinking' as const },
    { text: `${text} said`, tokens: 5 },
  ],
})

/** The number of blocks of a layout that are the same from the beginning on. */
function common(
  a: TestRequest,
  b: TestRequest,
  pricing = { keepsThinking: true, effortChangesAll: false },
): number {
  const before = layoutOf(a, pricing).hashes
  const after = layoutOf(b, pricing).hashes
  const first = before.findIndex((hash, index) => hash !== after[index])
  return first === -1 ? before.length : first
}

describe('a layout', () => {
  it('has tools, system prompt and messages in the order in which they are cached', () => {
    const layout = layoutOf({
      tools: [tool('a'), tool('b')],
      system,
      messages: [user('hi', 7), answer('yes', 3)],
    })
    expect(layout.blocks.map(({ kind }) => kind)).toEqual([
      'setting',
      'tool',
      'tool',
      'setting',
      'system',
      'setting',
      'text',
      'text',
    ])
    expect(layout.ends).toEqual([0, 10, 20, 20, 120, 120, 127, 130])
    expect(layout.blocks.map(({ ref }) => ref)).toEqual([
      null,
      { at: 'tool', index: 0 },
      { at: 'tool', index: 1 },
      null,
      { at: 'system', block: 0 },
      null,
      { at: 'message', index: 1, block: 0 },
      { at: 'message', index: 2, block: 0 },
    ])
  })

  it('counts a run of calls, and of results, as one position', () => {
    const { runs, blocks } = layoutOf({
      messages: [user('go', 1), ...calls('read', 3, 5), answer('done', 1)],
    })
    expect(blocks.slice(3).map(({ kind }) => kind)).toEqual([
      'text',
      ...Array(3).fill('tool-use'),
      ...Array(3).fill('tool-result'),
      'text',
    ])
    expect(runs.slice(3)).toEqual([1, 2, 2, 2, 3, 3, 3, 4])
  })

  it('is another one from the place on where a setting stands', () => {
    const request: TestRequest = { tools: [tool('a')], system, messages: [user('hi', 7)] }
    const blocks = layoutOf(request).blocks.length
    const behind = (settings: CacheSettings, all = false) =>
      common(request, { ...request, settings }, { keepsThinking: true, effortChangesAll: all })
    expect(behind({})).toBe(blocks)
    expect(behind({ model: 'other' })).toBe(0)
    expect(behind({ beforeSystem: { speed: 'fast' } })).toBe(2)
    expect(behind({ beforeMessages: { tool_choice: 'none' } })).toBe(4)
    expect(behind({ effort: 'high' })).toBe(4)
    expect(behind({ effort: 'high' }, true)).toBe(0)
  })

  it('leaves out thinking that the model strips, from the first of it on', () => {
    const before: TestRequest = { system, messages: [user('a', 1), thinking('t'), ...calls('x', 1, 2)] }
    const after: TestRequest = { system, messages: [...before.messages, answer('done', 1), user('b', 1)] }
    const keeping = { keepsThinking: true, effortChangesAll: false }
    const stripping = { keepsThinking: false, effortChangesAll: false }
    expect(common(before, after, keeping)).toBe(layoutOf(before).blocks.length)
    // Settings, system prompt and the first message are what both begin with.
    expect(common(before, after, stripping)).toBe(5)
    expect(layoutOf(after, stripping).blocks.map(({ kind }) => kind)).not.toContain('thinking')
    expect(layoutOf(before, stripping).blocks.map(({ kind }) => kind)).toContain('thinking')
  })
})

describe('a layouter', () => {
  /** Our messages, one block each; counts what is read. */
  function reader() {
    let reads = 0
    const block = (content: string, role: ReadBlock['role']): ReadBlock => {
      reads++
      const kind = content.includes('thinking') ? 'thinking' : 'text'
      return { kind, role, content, tokens: content.length, carries: true }
    }
    const wire: CacheWire<readonly Message[]> = {
      name: 'counting',
      parts: (messages) => ({ tools: [], system: null, messages, firstMessage: 0, settings: {} }),
      readTool: () => block('', 'system'),
      readSystem: () => [],
      readMessage: (message) => {
        const { role, content } = message as Message
        return [block(JSON.stringify(content), role === 'developer' ? 'system' : role)]
      },
      apply: (request) => request,
      strip: (request) => request,
    }
    return { wire, reads: () => reads }
  }

  it('reads a message that cannot change once in its life', () => {
    const { wire, reads } = reader()
    const layouter = createLayouter(wire, roughTokenCounter, { keepsThinking: true, effortChangesAll: false })
    const list = Array.from({ length: 50 }, (_, index) =>
      freezeMessage<Message>({ role: 'user', content: `m${index}` }),
    )
    layouter.layout(list)
    expect(reads()).toBe(50)
    layouter.layout([...list, freezeMessage<Message>({ role: 'user', content: 'new' })])
    expect(reads()).toBe(51)
  })

  it('sees what a host changed in place', () => {
    const { wire } = reader()
    const layouter = createLayouter(wire, roughTokenCounter, { keepsThinking: true, effortChangesAll: false })
    const message = { role: 'user' as const, content: 'before' }
    const before = layouter.layout([message]).hashes.at(-1)
    message.content = 'after'
    expect(layouter.layout([message]).hashes.at(-1)).not.toBe(before)
  })

  it('lays out a conversation step by step as it does at once', () => {
    const message = fc
      .record({
        role: fc.constantFrom('user' as const, 'assistant' as const),
        content: fc.constantFrom('a', 'b', 'thinking c', 'thinking d', 'e'),
      })
      .map((made) => made as Message)
    const step = fc.record({
      keep: fc.double({ min: 0, max: 1, noNaN: true }),
      add: fc.array(message, { maxLength: 4 }),
    })
    let layouts = 0
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 8 }),
        fc.boolean(),
        fc.boolean(),
        (steps, keepsThinking, frozen) => {
          const pricing = { keepsThinking, effortChangesAll: false }
          const layouter = createLayouter(reader().wire, roughTokenCounter, pricing)
          let list: Message[] = []
          for (const { keep, add } of steps) {
            const added = add.map((made) => (frozen ? freezeMessage(structuredClone(made)) : made))
            list = [...list.slice(0, Math.ceil(keep * list.length)), ...added]
            const fresh = createLayouter(reader().wire, roughTokenCounter, pricing).layout(list)
            expect(layouter.layout(list)).toEqual(fresh)
            layouts++
          }
        },
      ),
      { numRuns: 300 },
    )
    console.log(`layouts compared with fresh ones: ${layouts}`)
  })
})
