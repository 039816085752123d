import type Anthropic from '@anthropic-ai/sdk'
import { type CacheAnchor, type CacheRef, roughTokenCounter } from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deepFreeze } from '../../../../contract-tests/src/harness/generated-conversations.ts'
import type { AnthropicRequest } from '../../../src/wire/anthropic/anthropic-types.ts'
import { anthropicWire } from '../../../src/wire/anthropic/anthropic-wire.ts'
import { anchors, everyRef, requests } from './generated-requests.ts'

const { parts, readMessage, readSystem, readTool, apply } = anthropicWire

const PLAIN: Anthropic.MessageCreateParamsNonStreaming = {
  model: 'claude-opus-5',
  max_tokens: 100,
  system: 'You fix programs.',
  tools: [{ name: 'bash', input_schema: { type: 'object' } }],
  messages: [{ role: 'user', content: 'Hello' }],
}

function anchor(ref: CacheRef, ttl: CacheAnchor['ttl'] = '5m'): CacheAnchor {
  return { ref, ttl, reason: 'test' }
}

/** The number of markers in a text of JSON that has no other use for the word. */
function countMarkers(request: AnthropicRequest): number {
  return JSON.stringify(request).split('"cache_control":{"type":"ephemeral"').length - 1
}

describe('markers', () => {
  it('writes five minutes without and an hour with its length', () => {
    const marked = apply(PLAIN, [
      anchor({ at: 'tool', index: 0 }, '1h'),
      anchor({ at: 'message', index: 0, block: 0 }),
    ])
    expect(marked.tools?.[0]?.cache_control).toEqual({ type: 'ephemeral', ttl: '1h' })
    expect(marked.messages[0]?.content).toEqual([
      { type: 'text', text: 'Hello', cache_control: { type: 'ephemeral' } },
    ])
  })

  it('splits the static beginning off, whether or not it is marked', () => {
    const marked = apply(PLAIN, [anchor({ at: 'system', block: 0 })], 8)
    expect(marked.system).toEqual([
      { type: 'text', text: 'You fix ', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: 'programs.' },
    ])
    expect(apply(PLAIN, [], 8).system).toHaveLength(2)
  })

  it('takes out nested and automatic markers, and leaves inputs and schemas of tools alone', () => {
    const marker = { type: 'ephemeral' } as const
    const input = { cache_control: { type: 'mine' } }
    const request = {
      ...PLAIN,
      cache_control: marker,
      messages: [
        {
          role: 'assistant' as const,
          content: [{ type: 'tool_use' as const, id: 't', name: 'bash', input }],
        },
        {
          role: 'user' as const,
          content: [
            {
              type: 'tool_result' as const,
              tool_use_id: 't',
              content: [{ type: 'text' as const, text: 'ok', cache_control: marker }],
            },
          ],
        },
      ],
    }
    const bare = apply(request, [])
    expect(countMarkers(bare)).toBe(0)
    expect(bare.messages[0]).toBe(request.messages[0])
    expect('cache_control' in bare).toBe(false)
  })
})

describe('properties', () => {
  it('case 3 on the wire: markers that the caller left in change nothing', () => {
    fc.assert(
      fc.property(requests(true), anchors, fc.nat(30), (request, wanted, staticSystem) => {
        deepFreeze(request)
        const clean = apply(request, [])
        expect(JSON.stringify(apply(request, wanted, staticSystem))).toBe(
          JSON.stringify(apply(clean, wanted, staticSystem)),
        )
        expect(countMarkers(clean)).toBe(0)
      }),
      { numRuns: 500 },
    )
  })

  it('applied three times is applied once, also to what went through JSON', () => {
    fc.assert(
      fc.property(requests(true), anchors, fc.nat(30), (request, wanted, staticSystem) => {
        const once = apply(request, wanted, staticSystem)
        const thrice = apply(apply(once, wanted, staticSystem), wanted, staticSystem)
        expect(JSON.stringify(thrice)).toBe(JSON.stringify(once))
        const read = JSON.parse(JSON.stringify(once)) as AnthropicRequest
        expect(JSON.stringify(apply(read, wanted))).toBe(JSON.stringify(once))
      }),
      { numRuns: 500 },
    )
  })

  it('what a marked request says is what it said: every block is read as before', () => {
    fc.assert(
      fc.property(requests(false), anchors, (request, wanted) => {
        const marked = apply(request, wanted)
        const read = ({ tools, system, messages }: ReturnType<typeof parts>) => [
          ...tools.map((tool) => readTool(tool, roughTokenCounter)),
          ...(system === null ? [] : readSystem(system, roughTokenCounter, undefined)),
          ...messages.flatMap((message) => readMessage(message, roughTokenCounter)),
        ]
        expect(read(parts(marked))).toEqual(read(parts(request)))
      }),
      { numRuns: 300 },
    )
  })

  it('a block carries exactly when an anchor there writes one marker', () => {
    const counts = { carries: 0, doesNot: 0 }
    fc.assert(
      fc.property(requests(false), fc.nat(30), (request, staticSystem) => {
        const { tools, system, messages } = parts(request)
        const systemBlocks = system === null ? [] : readSystem(system, roughTokenCounter, staticSystem)
        for (const ref of everyRef(request)) {
          const tool = ref.at === 'tool' ? tools[ref.index] : undefined
          const block =
            ref.at === 'tool'
              ? tool && readTool(tool, roughTokenCounter)
              : ref.at === 'system'
                ? systemBlocks[ref.block]
                : readMessage(messages[ref.index] ?? {}, roughTokenCounter)[ref.block]
          const isWritten = countMarkers(apply(request, [anchor(ref)], staticSystem)) === 1
          expect(isWritten).toBe(block?.carries ?? false)
          counts[isWritten ? 'carries' : 'doesNot']++
        }
      }),
      { numRuns: 200 },
    )
    expect(Math.min(counts.carries, counts.doesNot)).toBeGreaterThan(500)
  })
})
