import type { GenerateContentResponseUsageMetadata } from '@google/genai'
import { describe, expect, it } from 'vitest'
import { toUsage } from '../src/answer.ts'

const usageOf = (metadata: unknown) => toUsage(metadata as GenerateContentResponseUsageMetadata)

describe('toUsage', () => {
  it('counts cached tokens in the prompt, thoughts in the completion, and what tools fed back', () => {
    expect(
      usageOf({
        promptTokenCount: 1000,
        cachedContentTokenCount: 800,
        candidatesTokenCount: 50,
        thoughtsTokenCount: 30,
        toolUsePromptTokenCount: 20,
        totalTokenCount: 1100,
      }),
    ).toEqual({
      promptTokens: 1020,
      completionTokens: 80,
      totalTokens: 1100,
      cacheReadTokens: 800,
      reasoningTokens: 30,
    })
  })

  it.each([
    undefined,
    {},
    { promptTokenCount: '7' },
    { promptTokenCount: Number.NaN },
    { promptTokenCount: -1 },
  ])('is unknown, not zero, for %j', (metadata) => {
    expect(usageOf(metadata)).toBeUndefined()
  })
})
