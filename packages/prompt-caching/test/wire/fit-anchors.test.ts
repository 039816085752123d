import type { CacheAnchor } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { aiSdkWire, anthropicWire, type CacheWire, openaiMessagesWire, openaiWire } from '../../src/index.ts'

const TEXTS = ['one', 'two', 'three', 'four', 'five', 'six']
const request = {
  model: 'm',
  max_tokens: 1,
  messages: TEXTS.map((text) => ({ role: 'user' as const, content: text })),
}
const at = (index: number, ttl: CacheAnchor['ttl'] = '5m', block = 0): CacheAnchor => ({
  ref: { at: 'message', index, block },
  ttl,
  reason: 'test',
})

const wires: CacheWire<typeof request>[] = [
  anthropicWire,
  openaiMessagesWire('native'),
  openaiMessagesWire('openrouter'),
  openaiMessagesWire('litellm'),
  openaiWire,
  aiSdkWire('anthropic'),
  aiSdkWire('openrouter'),
  aiSdkWire('bedrock'),
]

describe.each(wires.map((wire) => [wire.name, wire] as const))('anchors of any kind on %s', (_, wire) => {
  /** The lifetimes that are written, by message; null where no marker is. */
  const written = (anchors: readonly CacheAnchor[]) =>
    wire.apply(request, anchors).messages.map((message) => {
      const marker = /"(cache_control|cacheControl|cachePoint|prompt_cache_breakpoint)":({[^}]*})/
      const found = marker.exec(JSON.stringify(message))?.[2]
      if (found === undefined) return null
      return found.includes('explicit') ? 'set' : found.includes('1h') ? '1h' : '5m'
    })
  const [short, long] = wire === openaiWire ? ['set', 'set'] : ['5m', '1h']

  it('become four markers: the first, and the last three', () => {
    const every = TEXTS.map((_text, index) => at(index))
    expect(written(every.toReversed())).toEqual([short, null, null, short, short, short])
  })

  it('live as long as what stands behind them', () => {
    expect(written([at(5), at(4, '1h'), at(0)])).toEqual([long, null, null, null, long, short])
  })

  it('become one a place, of the longest lifetime', () => {
    expect(written([at(2, '1h'), at(2), at(2, '30m')])).toEqual([null, null, long, null, null, null])
  })

  it('take no place from others where nothing carries them', () => {
    const nowhere = [at(0, '1h', 1), at(99, '1h'), at(-1), at(3, '1h', 7)]
    const system: CacheAnchor = { ref: { at: 'system', block: 0 }, ttl: '1h', reason: 'test' }
    const wanted = [0, 1, 2, 3].map((index) => at(index))
    expect(written([...nowhere, system, ...wanted])).toEqual([short, short, short, short, null, null])
    expect(wire.apply(request, [...nowhere, system])).toBe(request)
  })
})
