import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { deepFreeze } from '../../../../core/test/arbitraries.ts'
import type { OpenAIRequest } from '../../../src/wire/openai/openai-wire.ts'
import {
  checkOpenAIAnchors,
  openaiWire,
  promptCacheKey,
  withPromptCacheKey,
} from '../../../src/wire/openai/openai-wire.ts'
import { blocksOf, carriersOf, onMessage, onSystem, onTool, sentBytes } from '../openai-messages/harness.ts'

const EXPLICIT = { mode: 'explicit' }
const request: OpenAIRequest = deepFreeze({
  model: 'gpt-6.1',
  messages: [
    { role: 'developer', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: 'https://images.test/a.png' } },
        { type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } },
        { type: 'file', file: { file_id: 'f' } },
      ],
    },
    {
      role: 'assistant',
      content: 'Let me see.',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: 'A cat.' },
  ],
  tools: [{ type: 'function', function: { name: 'look' } }],
})

describe('breakpoints of OpenAI', () => {
  it('stand on parts of every kind that is put in, and not on what the model wrote', () => {
    expect(blocksOf(openaiWire, request).map(({ kind, carries }) => [kind, carries])).toEqual([
      ['tool', false],
      ['system', true],
      ['text', true],
      ['image', true],
      ['other', true],
      ['document', true],
      ['text', false],
      ['tool-use', false],
      ['tool-result', true],
    ])
  })

  it('reach the wire byte for byte as planned, with the mode that caches only them and the key', async () => {
    const anchors = [onTool(0), onSystem(0, '30m'), onMessage(1, 3, '30m'), onMessage(3, 0, '30m')]
    const sent = await sentBytes(withPromptCacheKey(openaiWire.apply(request, anchors), 'session-1'))
    expect(sent).toBe(
      JSON.stringify({
        model: 'gpt-6.1',
        messages: [
          {
            role: 'developer',
            content: [{ type: 'text', text: 'Be brief.', prompt_cache_breakpoint: EXPLICIT }],
          },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'What is this?' },
              { type: 'image_url', image_url: { url: 'https://images.test/a.png' } },
              { type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } },
              { type: 'file', file: { file_id: 'f' }, prompt_cache_breakpoint: EXPLICIT },
            ],
          },
          request.messages[2],
          {
            role: 'tool',
            tool_call_id: 'a',
            content: [{ type: 'text', text: 'A cat.', prompt_cache_breakpoint: EXPLICIT }],
          },
        ],
        tools: [{ type: 'function', function: { name: 'look' } }],
        prompt_cache_options: EXPLICIT,
        prompt_cache_key: promptCacheKey('session-1'),
      }),
    )
  })

  it('are what the SDK takes without a cast', async () => {
    const client = new OpenAI({
      apiKey: 'test',
      maxRetries: 0,
      fetch: async () => new Response('{"choices":[]}', { headers: { 'content-type': 'application/json' } }),
    })
    const params: OpenAI.Chat.ChatCompletionCreateParamsNonStreaming = {
      model: 'gpt-6.1',
      messages: [{ role: 'user', content: 'hi' }],
    }
    const answer = await client.chat.completions.create(openaiWire.apply(params, [onMessage(0)]))
    expect(answer.choices).toEqual([])
  })

  it('bring the mode only when one is placed', () => {
    expect(openaiWire.apply(request, [onTool(0), onMessage(2)])).toBe(request)
    expect(openaiWire.apply(request, [onMessage(3)]).prompt_cache_options).toEqual(EXPLICIT)
  })

  it("keep the caller's options and key, and stripping gives them back", () => {
    const own = { ...request, prompt_cache_options: { ttl: '30m' as const }, prompt_cache_key: 'mine' }
    const marked = withPromptCacheKey(openaiWire.apply(own, [onMessage(3)]), 'session-1')
    expect(marked.prompt_cache_options).toEqual({ ttl: '30m', mode: 'explicit' })
    expect(marked.prompt_cache_key).toBe('mine')
    expect(JSON.stringify(openaiWire.strip(marked))).toBe(JSON.stringify(own))
    const again = openaiWire.apply(openaiWire.apply(marked, [onMessage(3)]), [onMessage(3)])
    expect(JSON.stringify(openaiWire.strip(again))).toBe(JSON.stringify(own))

    const explicit = { ...request, prompt_cache_options: { mode: 'explicit' as const } }
    expect(openaiWire.strip(openaiWire.apply(explicit, [onMessage(3)]))).toEqual(explicit)
  })

  it('go from a copy too, with the mode without which nothing at all would be cached', () => {
    const copied = structuredClone(openaiWire.apply(request, [onMessage(1)]))
    const bare = openaiWire.strip(copied)
    expect(carriersOf(bare)).toEqual([])
    expect(bare).not.toHaveProperty('prompt_cache_options')
    // These were not marked: the caller wants no cache, or said more than the mode.
    const off = { ...request, prompt_cache_options: { mode: 'explicit' as const } }
    expect(openaiWire.strip(off)).toBe(off)
    const more = { ...copied, prompt_cache_options: { mode: 'explicit' as const, ttl: '30m' as const } }
    expect(openaiWire.strip(more).prompt_cache_options).toEqual({ mode: 'explicit', ttl: '30m' })
  })

  it('of 12 hours are written with the lifetime there is, and the rule is named', () => {
    const anchors = [onSystem(0, '12h'), onMessage(3, 0, '30m')]
    expect(checkOpenAIAnchors(anchors)).toMatchObject([{ rule: 'openai-12h-needs-responses' }])
    expect(checkOpenAIAnchors([onMessage(3, 0, '30m')])).toEqual([])
    for (const carrier of carriersOf(openaiWire.apply(request, anchors)))
      expect(carrier.prompt_cache_breakpoint).toEqual(EXPLICIT)
  })

  it('is another prompt with another model, schema of the answer or effort', () => {
    const { settings } = openaiWire.parts({
      ...request,
      response_format: { type: 'json_object' },
      reasoning_effort: 'high',
      tool_choice: 'none',
    } as OpenAIRequest)
    expect(settings).toEqual({
      model: 'gpt-6.1',
      beforeSystem: { response_format: { type: 'json_object' } },
      effort: 'high',
    })
  })
})

describe('the key of a session', () => {
  it('is short, the same for the same session, and does not tell the id', () => {
    const key = promptCacheKey('ann@example.test')
    expect(key).toMatch(/^[0-9a-f]{32}$/)
    expect(promptCacheKey('ann@example.test')).toBe(key)
    expect(promptCacheKey('bob@example.test')).not.toBe(key)
    expect(promptCacheKey('')).toHaveLength(32)
  })

  it('does not replace a key that the caller chose', () => {
    expect(withPromptCacheKey({ prompt_cache_key: 'mine' }, 's')).toEqual({ prompt_cache_key: 'mine' })
    expect(withPromptCacheKey({ prompt_cache_key: null }, 's')).toEqual({
      prompt_cache_key: promptCacheKey('s'),
    })
  })
})
