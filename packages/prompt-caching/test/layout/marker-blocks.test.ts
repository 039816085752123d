import { describe, expect, it } from 'vitest'
import { blockOf, markersOf } from '../../src/layout/marker-blocks.ts'
import { answer, calls, layoutOf, type TestRequest, user } from '../layouts.ts'

const messages = [user('a', 1), ...calls('x', 3, 1), answer('b', 1)]
const system = [
  { text: 's', tokens: 1 },
  { text: 't', tokens: 1 },
]
const tools = [
  { text: 'r', tokens: 1 },
  { text: 'w', tokens: 1 },
]

describe('the block of a ref', () => {
  const requests: Record<string, TestRequest> = {
    'tools, system prompt and messages': { tools, system, messages },
    'messages alone': { messages },
    'no tools': { system, messages },
    'no system prompt': { tools, messages },
    'no messages': { tools, system, messages: [] },
    nothing: { messages: [] },
  }
  it.each(Object.entries(requests))('is found in a request of %s', (_, request) => {
    const layout = layoutOf(request)
    for (const [index, { ref }] of layout.blocks.entries()) {
      if (ref !== null) expect(blockOf(layout, ref)).toBe(index)
    }
    expect(blockOf(layout, { at: 'message', index: 99, block: 0 })).toBeUndefined()
    expect(blockOf(layout, { at: 'message', index: 1, block: 99 })).toBeUndefined()
    expect(blockOf(layout, { at: 'tool', index: 9 })).toBeUndefined()
    expect(blockOf(layout, { at: 'system', block: 9 })).toBeUndefined()
  })

  it('puts markers in the order of the prompt', () => {
    const layout = layoutOf({ tools, system, messages })
    const markers = markersOf(layout, [
      { ref: { at: 'message', index: 5, block: 0 }, ttl: '5m', reason: 'tail' },
      { ref: { at: 'message', index: 77, block: 0 }, ttl: '5m', reason: 'gone' },
      { ref: { at: 'tool', index: 1 }, ttl: '1h', reason: 'static-head' },
    ])
    expect(markers).toEqual([
      { block: 2, ttl: '1h' },
      { block: 13, ttl: '5m' },
    ])
  })
})
