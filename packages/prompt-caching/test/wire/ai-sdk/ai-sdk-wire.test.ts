import { renderSummary, roughTokenCounter } from '@palimpsest/core'
import { jsonSchema, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createLayouter } from '../../../src/layout/create-layouter.ts'
import type { AiSdkRequest } from '../../../src/wire/ai-sdk/ai-sdk-request.ts'
import { aiSdkWire } from '../../../src/wire/ai-sdk/ai-sdk-wire.ts'
import { anchor, blocksOf, findAll, onMessage } from '../blocks.ts'

const wire = aiSdkWire()
const layoutOf = (request: AiSdkRequest) => createLayouter(wire, roughTokenCounter).layout(request)
const lastHash = (request: AiSdkRequest) => layoutOf(request).hashes.at(-1)
const said = (text: string) => ({ role: 'user' as const, content: text })

describe('the system prompt', () => {
  const onStatic = [anchor({ at: 'system', block: 0 })]

  it('stays under the name that the host uses', () => {
    const older: AiSdkRequest = { system: 'You help.', messages: [] }
    const marked = wire.apply(older, onStatic)
    expect(Object.keys(marked)).toEqual(['system', 'messages'])
    expect(findAll(marked, 'cacheControl')).toHaveLength(1)
  })
})

describe('tools', () => {
  const schema = (type: string) =>
    jsonSchema({ type: 'object', properties: { path: { type: type as 'string' } } })
  const request: AiSdkRequest = {
    tools: {
      b: { type: 'provider' },
      c: tool({ inputSchema: schema('string') }),
      a: tool({ inputSchema: schema('string') }),
    },
    messages: [],
  }

  it('are counted as they are sent: without the inactive ones, in the order of the host', () => {
    const sent = (more: Partial<AiSdkRequest>) =>
      wire.parts({ ...request, ...more }).tools.map((one) => (one as { name: string }).name)
    expect(sent({})).toEqual(['b', 'c', 'a'])
    expect(sent({ activeTools: ['b', 'a'] })).toEqual(['b', 'a'])
  })

  it('never carry: what prepareStep returns of them is ignored, and a place would be wasted', () => {
    expect(blocksOf(wire, request).map(({ carries }) => carries)).toEqual([false, false, false])
    expect(wire.apply(request, [anchor({ at: 'tool', index: 1 })])).toEqual(request)
    const marked = { a: { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } } }
    expect(wire.apply({ messages: [], tools: marked }, [])).toEqual({ messages: [], tools: { a: {} } })
  })

  it('are another prompt with another schema, of JSON or of zod', () => {
    const withSchema = (inputSchema: never) =>
      lastHash({ messages: [], tools: { read: tool({ inputSchema }) } })
    const shapes = [
      schema('string'),
      schema('number'),
      z.object({ path: z.string() }),
      z.object({ path: z.number() }),
    ]
    const hashes = new Set(shapes.map((shape) => withSchema(shape as never)))
    expect(hashes.size).toBe(4)
    expect(withSchema(z.object({ path: z.string() }) as never)).toBe(withSchema(shapes[2] as never))
  })

  it('whose schema cannot be had at once are told by name and description', () => {
    const lazy = { inputSchema: () => Promise.resolve({}) }
    const broken = {
      inputSchema: () => {
        throw new Error('later')
      },
    }
    expect(() => layoutOf({ messages: [], tools: { lazy, broken } as never })).not.toThrow()
  })
})

describe('messages', () => {
  it('a text and a part with that text are the same prompt, marked or not', () => {
    const text: AiSdkRequest = { messages: [said('Hello.')] }
    const part: AiSdkRequest = {
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello.' } as never] }],
    }
    expect(lastHash(part)).toBe(lastHash(text))
    expect(lastHash(wire.apply(text, [onMessage(0)]))).toBe(lastHash(text))
    expect(lastHash({ messages: [said('Hello!')] })).not.toBe(lastHash(text))
  })

  it('bytes are the same prompt as their base64, and other bytes another one', () => {
    const image = (data: unknown): AiSdkRequest => ({
      messages: [{ role: 'user', content: [{ type: 'file', mediaType: 'image/png', data } as never] }],
    })
    const bytes = Buffer.from('hello')
    expect(lastHash(image(bytes))).toBe(lastHash(image('aGVsbG8=')))
    expect(lastHash(image(new Uint8Array(bytes).buffer))).toBe(lastHash(image('aGVsbG8=')))
    expect(lastHash(image(Buffer.from('world')))).not.toBe(lastHash(image(bytes)))
    expect(layoutOf(image(bytes)).tokens).toBeGreaterThan(1000)
  })

  it('that stand for earlier ones are known as summaries', () => {
    const request: AiSdkRequest = { messages: [said(renderSummary('They met.')), said('Go on.')] }
    expect(blocksOf(wire, request).map(({ isSummary = false }) => isSummary)).toEqual([true, false])
  })
})

describe('a call', () => {
  const request: AiSdkRequest = { instructions: 'You help.', messages: [said('Hello.')] }

  it('automatic caching of the call takes a slot, and goes', () => {
    const automatic = {
      ...request,
      providerOptions: { anthropic: { effort: 'low', cacheControl: { type: 'ephemeral' } } },
    }
    expect(wire.apply(automatic, []).providerOptions).toEqual({ anthropic: { effort: 'low' } })
  })
})
