import { describe, expect, it } from 'vitest'
import { type FindCachingInput, findCaching } from '../../src/detect/find-caching.ts'

const ROWS: [input: FindCachingInput, kind: string, wire: string, pricing?: object][] = [
  [{ model: 'claude-opus-5' }, 'markers', 'anthropic', { matching: 'collapsed' }],
  [{ model: 'us.anthropic.claude-opus-4-7-v1:0' }, 'markers', 'anthropic', { minimumTokens: 4096 }],
  [{ model: 'claude-opus-5@20260724', provider: 'vertex' }, 'markers', 'anthropic'],
  [
    { model: 'claude-opus-5', baseUrl: 'https://proxy.example/anthropic' },
    'markers',
    'anthropic',
    { matching: 'per-block' },
  ],
  [
    { model: 'anthropic/claude-opus-5', provider: 'nous' },
    'markers',
    'openrouter',
    { matching: 'per-block' },
  ],
  [{ model: 'moonshotai/kimi-k3', provider: 'openrouter' }, 'markers', 'openrouter'],
  [{ model: 'qwen3.8-max', provider: 'nous' }, 'markers', 'openrouter', { matching: 'per-block' }],
  [{ model: 'claude-opus-5', provider: 'litellm' }, 'markers', 'litellm', { matching: 'per-block' }],
  [{ model: 'MiniMax-M3', baseUrl: 'https://api.minimax.io/anthropic' }, 'none', 'none'],
  [{ model: 'MiniMax-M2.7', baseUrl: 'https://api.minimax.io/anthropic' }, 'markers', 'anthropic'],
  [
    { model: 'qwen3.7-max', baseUrl: 'https://dashscope-intl.aliyuncs.com/apps/anthropic' },
    'markers',
    'anthropic',
    { matching: 'per-block' },
  ],
  [{ model: 'qwen3.7-max', provider: 'opencode-go' }, 'markers', 'openrouter', { matching: 'per-block' }],
  [{ model: 'gpt-6.2-sol', provider: 'openai' }, 'automatic', 'none', { matching: 'prefix' }],
  [{ model: 'gemini-3-flash-preview', provider: 'gemini' }, 'automatic', 'none', { matching: 'prefix' }],
  [{ model: 'deepseek-flash', provider: 'deepseek' }, 'automatic', 'none', { matching: 'prefix' }],
  [{ model: 'openai/gpt-5.5', provider: 'openrouter' }, 'automatic', 'none', { matching: 'prefix' }],
  [{ model: 'google/gemini-2.5-pro', provider: 'openrouter' }, 'automatic', 'none', { matching: 'prefix' }],
  [
    { model: 'deepseek/deepseek-v4-pro', provider: 'openrouter' },
    'automatic',
    'none',
    { matching: 'prefix' },
  ],
  [{ model: 'claude-opus-5', provider: 'openai', baseUrl: 'https://proxy.example/v1' }, 'none', 'none'],
]

describe('whether and how a model is cached where it is served', () => {
  it.each(ROWS)('%j: %s, %s', (input, kind, wire, pricing) => {
    const caching = findCaching(input)
    expect(caching).toMatchObject({ kind, wire, ttl: kind === 'markers' ? '5m' : null, isClamped: false })
    if (pricing !== undefined) expect(caching.pricing).toMatchObject(pricing)
  })
})
