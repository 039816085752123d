import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CachePricing } from '../../../src/pricing/cache-pricing.ts'
import { findPricing } from '../../../src/pricing/find-pricing.ts'
import type { AnthropicBlock, AnthropicCacheControl } from '../../../src/wire/anthropic/anthropic-block.ts'
import type { AnthropicRequest } from '../../../src/wire/anthropic/anthropic-request.ts'
import { anthropicWire } from '../../../src/wire/anthropic/anthropic-wire.ts'
import { checkAnthropicRequest } from '../../../src/wire/anthropic/check-anthropic-request.ts'
import { markerFaults, orderFaults } from './fake-anthropic.ts'
import { anchors, requests } from './generated-requests.ts'

const FIVE: AnthropicCacheControl = { type: 'ephemeral' }
const HOUR: AnthropicCacheControl = { type: 'ephemeral', ttl: '1h' }

function text(marker?: AnthropicCacheControl, value = 'x'): AnthropicBlock {
  return { type: 'text', text: value, ...(marker && { cache_control: marker }) }
}

function request(blocks: AnthropicBlock[], more: Partial<AnthropicRequest> = {}): AnthropicRequest {
  return { model: 'claude-opus-5', max_tokens: 10, messages: [{ role: 'user', content: blocks }], ...more }
}

/** A marker where citations are. */
const CITING = {
  type: 'text',
  text: 'x',
  citations: [{ type: 'char_location', cache_control: FIVE }],
} as AnthropicBlock

function rules(checked: AnthropicRequest, pricing?: CachePricing): string[] {
  return checkAnthropicRequest(checked, pricing).map(({ rule }) => rule)
}

const BEDROCK = findPricing({ model: 'claude-sonnet-5-5', route: 'bedrock' })
const FIVE_MINUTES: CachePricing = (({ long: _, ...rest }) => rest)(BEDROCK)

describe('rules', () => {
  it('takes four markers, of which the longer ones come first', () => {
    expect(rules(request([text(HOUR), text(HOUR), text(FIVE), text(FIVE)]))).toEqual([])
  })

  it('case 18: refuses an automatic marker beside four explicit ones, and takes it beside three', () => {
    const four = [text(FIVE), text(FIVE), text(FIVE), text(FIVE)]
    expect(rules(request([...four, text()], { cache_control: FIVE }))).toEqual(['automatic-and-four'])
    expect(rules(request([...four.slice(1), text()], { cache_control: FIVE }))).toEqual([])
  })

  it.each<[string, AnthropicRequest]>([
    ['too-many-breakpoints', request([text(FIVE), text(FIVE), text(FIVE), text(FIVE), text(FIVE)])],
    ['automatic-ttl-conflict', request([text(FIVE), text(HOUR)].slice(1), { cache_control: FIVE })],
    ['ttl-order', request([text(FIVE), text(HOUR)])],
    ['ttl-order', request([text(HOUR)], { system: [{ type: 'text', text: 'x', cache_control: FIVE }] })],
    ['ttl-order', request([text(FIVE), text()], { cache_control: HOUR })],
    ['unknown-ttl', request([text({ type: 'ephemeral', ttl: '2h' as '1h' })])],
    ['unknown-marker', request([text({ type: 'persistent' as 'ephemeral' })])],
    ['marker-on-thinking', request([{ type: 'redacted_thinking', data: 'x', ...{ cache_control: FIVE } }])],
    ['marker-on-empty-text', request([text(FIVE, '')])],
    ['marker-on-empty-text', request([text(FIVE, ' \n')])],
    [
      'marker-on-clear-at',
      request([], {
        messages: [{ role: 'user', content: [text(FIVE)], ...{ clear_at: 'next_user_message' } }],
      }),
    ],
    [
      'marker-on-deferred-tool',
      request([text()], {
        tools: [{ name: 'a', input_schema: { type: 'object' }, defer_loading: true, cache_control: FIVE }],
      }),
    ],
    [
      'marker-on-message',
      request([], { messages: [{ role: 'user', content: 'x', ...{ cache_control: FIVE } }] }),
    ],
    [
      'marker-inside-block',
      request([
        {
          type: 'tool_result',
          tool_use_id: 't',
          content: [{ type: 'text', text: 'x', cache_control: FIVE }],
        },
      ]),
    ],
    ['marker-inside-block', request([CITING])],
  ])('names %s', (rule, checked) => {
    const [found, ...others] = checkAnthropicRequest(checked)
    expect(found?.rule).toBe(rule)
    expect(found?.message).toMatch(/\w{2,}/)
    expect(others).toEqual([])
  })

  it('knows what a route does not: automatic markers on Bedrock, an hour where only five minutes are sold', () => {
    expect(rules(request([text()], { cache_control: FIVE }), BEDROCK)).toEqual(['automatic-on-bedrock'])
    const native = findPricing({ model: 'claude-sonnet-5-5' })
    expect(rules(request([text()], { cache_control: FIVE }), native)).toEqual([])
    expect(rules(request([text(HOUR)]), FIVE_MINUTES)).toEqual(['unknown-ttl'])
    expect(rules(request([text(FIVE)]), FIVE_MINUTES)).toEqual([])
  })
})

describe('against an API that was written from the description alone', () => {
  it('names the same rules for whatever callers left in, and none for what apply returns', () => {
    const counts: Record<string, number> = { requests: 0, refused: 0 }
    const count = (name: string): void => {
      counts[name] = (counts[name] ?? 0) + 1
    }
    fc.assert(
      fc.property(requests(true), anchors, fc.nat(30), (given, wanted, staticSystem) => {
        const body = JSON.parse(JSON.stringify(given))
        const faults = [...markerFaults(body), ...orderFaults(body)]
        expect([...new Set(rules(given))].sort()).toEqual([...new Set(faults)].sort())
        count('requests')
        if (faults.length > 0) count('refused')
        for (const fault of faults) count(fault)
        const applied = anthropicWire.apply(given, wanted, staticSystem)
        expect(rules(applied)).toEqual([])
        const sent = JSON.parse(JSON.stringify(applied))
        expect([...markerFaults(sent), ...orderFaults(sent)]).toEqual([])
      }),
      { numRuns: 2000 },
    )
    console.log('rules broken by callers', counts)
    expect(counts.refused).toBeGreaterThan(500)
    expect(Object.keys(counts)).toHaveLength(14)
  })
})
