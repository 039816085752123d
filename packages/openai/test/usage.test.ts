import { describe, expect, it } from 'vitest'
import { toUsage } from '../src/answer.ts'

describe('toUsage', () => {
  it('counts cached tokens in the prompt, and reasoning in the completion', () => {
    const usage = {
      prompt_tokens: 1000,
      completion_tokens: 80,
      total_tokens: 1080,
      prompt_tokens_details: { cached_tokens: 800 },
      completion_tokens_details: { reasoning_tokens: 30 },
    }
    expect(toUsage(usage)).toEqual({
      promptTokens: 1000,
      completionTokens: 80,
      totalTokens: 1080,
      cacheReadTokens: 800,
      reasoningTokens: 30,
    })
  })

  it.each([undefined, null, {}, { prompt_tokens: 0, completion_tokens: 0 }, { prompt_tokens: 'many' }])(
    'is unknown, not zero, for %j',
    (usage) => {
      expect(toUsage(usage)).toBeUndefined()
    },
  )
})
