import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { IMAGE_TOKENS } from '../../src/budget/media-tokens.ts'
import { needsHygiene } from '../../src/budget/threshold.ts'
import {
  type Message,
  normalizeUsage,
  thresholdTokens,
  roughTokenCounter as tokens,
} from '../../src/index.ts'
import { brokenConversation, conversation, deepFreeze } from '../arbitraries.ts'
import { counted } from '../counted.ts'

describe('needsHygiene', () => {
  it.each([
    [169_999, 4, false],
    [170_000, 4, true],
    [200_000, 3, false],
  ])('at %i tokens and %i messages: %s', (promptTokens, messageCount, expected) => {
    expect(needsHygiene({ contextLength: 200_000, messageCount, promptTokens })).toBe(expected)
  })
})

describe('thresholdTokens', () => {
  it.each([
    [{ contextLength: 200_000 }, 100_000],
    [{ contextLength: 200_000, maxOutputTokens: 20_000 }, 90_000],
    [{ contextLength: 200_000, maxOutputTokens: 20_000, threshold: 0.75 }, 135_000],
    [{ contextLength: 200_000, maxOutputTokens: 20_000, threshold: 1 }, 180_000],
    [{ contextLength: 200_000, maxOutputTokens: 20_000, threshold: 0 }, 180_000],
    [{ contextLength: 200_000, maxOutputTokens: 200_000 }, 100_000],
    [{ contextLength: 200_000, maxOutputTokens: 0.5 }, 100_000],
    [{ contextLength: 200_000, maxOutputTokens: -5 }, 100_000],
    [{ contextLength: 1 }, 1],
  ])('of %j is %i', (input, expected) => {
    expect(thresholdTokens(input)).toBe(expected)
  })
})

describe('normalizeUsage', () => {
  it.each([
    [
      { promptTokens: 5, completionTokens: 2 },
      { promptTokens: 5, completionTokens: 2, totalTokens: 7 },
    ],
    [
      { prompt_tokens: 5, completion_tokens: 2, total_tokens: 9 },
      { promptTokens: 5, completionTokens: 2, totalTokens: 9 },
    ],
    [
      {
        prompt_tokens: 5,
        prompt_tokens_details: { cached_tokens: 3 },
        completion_tokens_details: { reasoning_tokens: 1 },
      },
      { promptTokens: 5, completionTokens: 0, totalTokens: 5, cacheReadTokens: 3, reasoningTokens: 1 },
    ],
    [
      { promptTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 2 },
      { promptTokens: 5, completionTokens: 0, totalTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 2 },
    ],
    // Anthropic: what was cached is not in `input_tokens`.
    [
      {
        input_tokens: 3,
        output_tokens: 10,
        cache_read_input_tokens: 900,
        cache_creation_input_tokens: 100,
        cache_creation: { ephemeral_5m_input_tokens: 60, ephemeral_1h_input_tokens: 40 },
      },
      {
        promptTokens: 1003,
        completionTokens: 10,
        totalTokens: 1013,
        cacheReadTokens: 900,
        cacheWriteTokens: 100,
        cacheWrite1hTokens: 40,
      },
    ],
    // LiteLLM: Anthropic's names beside OpenAI's count, which includes them.
    [
      {
        prompt_tokens: 1003,
        completion_tokens: 10,
        cache_read_input_tokens: 900,
        cache_creation_input_tokens: 100,
      },
      {
        promptTokens: 1003,
        completionTokens: 10,
        totalTokens: 1013,
        cacheReadTokens: 900,
        cacheWriteTokens: 100,
      },
    ],
    // Anthropic after a compaction of its own, and then a tool of its own: the last sampling is the context.
    [
      {
        input_tokens: 60,
        output_tokens: 7,
        cache_read_input_tokens: 0,
        iterations: [
          { type: 'compaction', input_tokens: 20, cache_read_input_tokens: 900, output_tokens: 300 },
          { type: 'message', input_tokens: 25, cache_read_input_tokens: 0, output_tokens: 3 },
          { type: 'advisor_message', input_tokens: 5, output_tokens: 5 },
          { type: 'message', input_tokens: 35, cache_read_input_tokens: 10, output_tokens: 4 },
        ],
      },
      {
        promptTokens: 45,
        completionTokens: 4,
        totalTokens: 49,
        cacheReadTokens: 10,
        beside: { promptTokens: 945, completionTokens: 303, totalTokens: 1248, cacheReadTokens: 900 },
      },
    ],
    // OpenAI's Responses API.
    [
      { input_tokens: 50, output_tokens: 2, input_tokens_details: { cached_tokens: 40 }, total_tokens: 52 },
      { promptTokens: 50, completionTokens: 2, totalTokens: 52, cacheReadTokens: 40 },
    ],
    // Case 43: DeepSeek's two parts are the prompt.
    [
      { prompt_tokens: 50, prompt_cache_hit_tokens: 40, prompt_cache_miss_tokens: 10, completion_tokens: 1 },
      { promptTokens: 50, completionTokens: 1, totalTokens: 51, cacheReadTokens: 40 },
    ],
    [
      { promptTokenCount: 50, candidatesTokenCount: 4, thoughtsTokenCount: 6, cachedContentTokenCount: 30 },
      { promptTokens: 50, completionTokens: 10, totalTokens: 60, cacheReadTokens: 30, reasoningTokens: 6 },
    ],
    // AI SDK 7: `inputTokens` is the whole prompt; `raw` is what the provider said.
    [
      {
        inputTokens: 1003,
        inputTokenDetails: { noCacheTokens: 3, cacheReadTokens: 900, cacheWriteTokens: 100 },
        outputTokens: 10,
        outputTokenDetails: { textTokens: 6, reasoningTokens: 4 },
        totalTokens: 1013,
        raw: { input_tokens: 3, cache_creation: { ephemeral_1h_input_tokens: 40 } },
      },
      {
        promptTokens: 1003,
        completionTokens: 10,
        totalTokens: 1013,
        cacheReadTokens: 900,
        cacheWriteTokens: 100,
        cacheWrite1hTokens: 40,
        reasoningTokens: 4,
      },
    ],
    // What its provider does not say is unknown.
    [
      {
        inputTokens: 50,
        inputTokenDetails: { noCacheTokens: undefined, cacheReadTokens: 0, cacheWriteTokens: undefined },
        outputTokens: undefined,
        outputTokenDetails: { textTokens: undefined, reasoningTokens: undefined },
        totalTokens: undefined,
      },
      { promptTokens: 50, completionTokens: 0, totalTokens: 50, cacheReadTokens: 0 },
    ],
    // AI SDK 6, by its older names.
    [
      { inputTokens: 50, outputTokens: 9, totalTokens: 59, cachedInputTokens: 40, reasoningTokens: 5 },
      { promptTokens: 50, completionTokens: 9, totalTokens: 59, cacheReadTokens: 40, reasoningTokens: 5 },
    ],
    [
      { promptTokens: Number.NaN, completionTokens: -1, totalTokens: '7' },
      { promptTokens: 0, completionTokens: 0, totalTokens: 0 },
    ],
    [
      { prompt_tokens_details: null, unknown: 1 },
      { promptTokens: 0, completionTokens: 0, totalTokens: 0 },
    ],
  ])('reads %j', (usage, expected) => {
    expect(normalizeUsage(usage)).toEqual(expected)
  })
})

describe('roughTokenCounter', () => {
  it.each([
    ['', 0],
    ['abcd', 1],
    ['abcde', 2],
    ['日本語', 3],
    ['日本語abcd', 4],
    ['👍', 2],
  ])('counts %j as %i', (text, count) => {
    expect(tokens.countText(text)).toBe(count)
  })

  it('counts images at a flat rate', () => {
    const image = {
      role: 'user',
      content: [{ type: 'image_url', image_url: { url: 'data:...' } }],
    } as Message
    const plain = tokens.countMessage({ role: 'user', content: '' })
    expect(tokens.countMessage(image) - plain).toBe(IMAGE_TOKENS)
  })

  it('counts calls, reasoning and opaque fields, and no ids', () => {
    const base: Message = { role: 'assistant', content: 'abcd' }
    const count = (extra: object) => tokens.countMessage({ ...base, ...extra }) - tokens.countMessage(base)
    expect(count({ reasoning: 'x'.repeat(40) })).toBe(10)
    expect(count({ providerData: { gemini: { signature: 'x'.repeat(400) } } })).toBeGreaterThan(100)
    expect(count({ id: 'x'.repeat(400) })).toBe(0)
    expect(
      count({
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: 'x'.repeat(40) } }],
      }),
    ).toBe(8 + 1 + 10)
  })

  it('gives a finite number for any message, the same once it is frozen', async () => {
    await counted(
      'counts are finite and stable',
      fc.property(fc.oneof(conversation(), brokenConversation()), (messages) => {
        for (const message of messages) {
          const count = tokens.countMessage(message)
          expect(Number.isFinite(count)).toBe(true)
          expect(tokens.countMessage(deepFreeze(structuredClone(message)))).toBe(count)
        }
      }),
      200,
    )
  })

  it('survives what JSON cannot write', () => {
    const cyclic: Record<string, unknown> = { role: 'user', content: 'a' }
    cyclic.self = cyclic
    expect(tokens.countMessage(cyclic as never)).toBeGreaterThan(0)
    expect(tokens.countTools([{ type: 'function', function: { name: 'f', parameters: { big: 1n } } }])).toBe(
      0,
    )
    expect(tokens.countTools([])).toBe(0)
  })
})
