import { describe, expect, it } from 'vitest'
import { CACHING_RULES } from '../../src/detect/caching-rules.ts'
import { type FindCachingInput, findCaching } from '../../src/detect/find-caching.ts'

const reasonOf = (id: string) => CACHING_RULES.find((rule) => rule.id === id)?.reason

/** One input for each row of the table, and what comes of it. */
const ROWS: [rule: string, input: FindCachingInput, kind: string, wire: string, ttl: string | null][] = [
  ['anthropic', { model: 'claude-sonnet-5-5', provider: 'anthropic' }, 'markers', 'anthropic', '5m'],
  ['bedrock', { model: 'us.anthropic.claude-opus-4-7-v1:0' }, 'markers', 'anthropic', '5m'],
  ['vertex', { model: 'claude-opus-5@20260724', provider: 'vertex' }, 'markers', 'anthropic', '5m'],
  [
    'anthropic-wire',
    { model: 'claude-opus-5', baseUrl: 'https://proxy.example/anthropic' },
    'markers',
    'anthropic',
    '5m',
  ],
  [
    'openrouter-claude',
    { model: 'anthropic/claude-opus-5', provider: 'nous' },
    'markers',
    'openrouter',
    '5m',
  ],
  ['openrouter-kimi', { model: 'moonshotai/kimi-k3', provider: 'openrouter' }, 'markers', 'openrouter', '5m'],
  ['nous-qwen', { model: 'qwen3.8-max', provider: 'nous' }, 'markers', 'openrouter', '5m'],
  ['litellm-claude', { model: 'claude-opus-5', provider: 'litellm' }, 'markers', 'litellm', '5m'],
  ['minimax-m3', { model: 'MiniMax-M3', baseUrl: 'https://api.minimax.io/anthropic' }, 'none', 'none', null],
  [
    'minimax',
    { model: 'MiniMax-M2.7', baseUrl: 'https://api.minimax.io/anthropic' },
    'markers',
    'anthropic',
    '5m',
  ],
  [
    'qwen-anthropic-wire',
    { model: 'qwen3.7-max', baseUrl: 'https://dashscope-intl.aliyuncs.com/apps/anthropic' },
    'markers',
    'anthropic',
    '5m',
  ],
  ['qwen', { model: 'qwen3.7-max', provider: 'opencode-go' }, 'markers', 'openrouter', '5m'],
  ['openai', { model: 'gpt-6.2-sol', provider: 'openai' }, 'markers', 'openai', '30m'],
  ['gemini-explicit', { model: 'gemini-2.5-pro', route: 'gemini-explicit' }, 'markers', 'gemini', '5m'],
  ['gemini', { model: 'gemini-3-flash-preview', provider: 'gemini' }, 'automatic', 'none', null],
  ['deepseek', { model: 'deepseek-flash', provider: 'deepseek' }, 'automatic', 'none', null],
  ['gpt-elsewhere', { model: 'openai/gpt-5.5', provider: 'openrouter' }, 'automatic', 'none', null],
  ['gemini-elsewhere', { model: 'google/gemini-2.5-pro', provider: 'openrouter' }, 'automatic', 'none', null],
  [
    'deepseek-gateway',
    { model: 'deepseek/deepseek-v4-pro', provider: 'openrouter' },
    'automatic',
    'none',
    null,
  ],
  [
    'claude-elsewhere',
    { model: 'claude-opus-5', provider: 'openai', baseUrl: 'https://proxy.example/v1' },
    'none',
    'none',
    null,
  ],
]

describe('the table', () => {
  it.each(ROWS)('%s: %j is %s', (rule, input, kind, wire, ttl) => {
    expect(findCaching(input)).toMatchObject({ kind, wire, ttl, isClamped: false, reason: reasonOf(rule) })
  })

  it(`all of its ${CACHING_RULES.length} rows are tried here, and each has a name of its own`, () => {
    expect(ROWS.map(([rule]) => rule)).toEqual(CACHING_RULES.map(({ id }) => id))
    expect(new Set(CACHING_RULES.map(({ id }) => id)).size).toBe(CACHING_RULES.length)
  })
})
