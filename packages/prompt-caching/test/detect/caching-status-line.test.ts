import { describe, expect, it } from 'vitest'
import { cachingStatusLine, type FindCachingInput, findCaching } from '../../src/detect/find-caching.ts'

const lineOf = (input: FindCachingInput) => cachingStatusLine(findCaching(input))

describe('cachingStatusLine', () => {
  it.each<[FindCachingInput, string]>([
    [{ model: 'claude-sonnet-5-5' }, 'Prompt caching: on for claude-sonnet-5-5 at Anthropic, 5 minutes'],
    [{ model: 'claude-opus-5', setting: '1h' }, 'Prompt caching: on for claude-opus-5 at Anthropic, 1 hour'],
    [
      { model: 'qwen3.8-max', setting: '1h' },
      'Prompt caching: on for qwen3.8-max at Alibaba Model Studio, 5 minutes (longer is not known there)',
    ],
    [
      { model: 'gemini-3-flash-preview' },
      'Prompt caching: automatic for gemini-3-flash-preview at Gemini; nothing to mark',
    ],
    [
      { model: 'claude-opus-5', setting: 'off' },
      'Prompt caching: off (switched off by prompt_caching.cache_ttl)',
    ],
    [
      { model: 'gemini-3-flash-preview', setting: 'off' },
      'Prompt caching: automatic for gemini-3-flash-preview at Gemini; prompt_caching.cache_ttl: off cannot switch that off',
    ],
    [
      { model: 'gemini-3-flash-preview', setting: '1h' },
      'Prompt caching: automatic for gemini-3-flash-preview at Gemini; nothing to mark, prompt_caching.cache_ttl: 1h has no effect',
    ],
    [
      { model: 'gpt-6.2-sol', setting: '1h' },
      'Prompt caching: automatic for gpt-6.2-sol at OpenAI; nothing to mark, prompt_caching.cache_ttl: 1h has no effect',
    ],
    [
      { model: 'claude-opus-5', baseUrl: 'https://proxy.example/v1' },
      'Prompt caching: off (it is not known whether this endpoint passes markers on to Claude; prompt_caching.route can tell)',
    ],
    [{ model: 'llama-4' }, 'Prompt caching: off (it is not known whether this model is cached there)'],
  ])('%j: %s', (input, line) => expect(lineOf(input)).toBe(line))

  it('is one short line that no terminal obeys, whatever the model is called', () => {
    const line = lineOf({
      model: `claude-\u001b[2J\n\r\0\u2028\u202e\ud800${'x'.repeat(1_000_000)}`,
      provider: 'anthropic',
      enabled: true,
    })
    expect(line).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
    expect(line.length).toBeLessThan(200)
  })
})
