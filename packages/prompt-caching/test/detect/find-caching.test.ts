import { describe, expect, it } from 'vitest'
import { cachingStatusLine, type FindCachingInput, findCaching } from '../../src/detect/find-caching.ts'

describe('where requests go', () => {
  it.each<[FindCachingInput, string]>([
    [{ model: 'claude-opus-5' }, 'Anthropic'],
    [{ model: 'anthropic.claude-opus-5' }, 'Amazon Bedrock'],
    [{ model: 'gpt-5.5' }, 'OpenAI'],
    [{ model: 'gemini-2.5-pro' }, 'Gemini'],
    [{ model: 'deepseek-flash' }, 'DeepSeek'],
    [{ model: 'qwen3.8-max' }, 'Alibaba Model Studio'],
    [{ model: 'claude-opus-5', provider: 'OpenRouter' }, 'OpenRouter'],
    [{ model: 'claude-opus-5', provider: 'openai', baseUrl: 'https://openrouter.ai/api/v1' }, 'OpenRouter'],
    [
      { model: 'claude-opus-5', baseUrl: 'https://bedrock-runtime.us-east-1.amazonaws.com' },
      'Amazon Bedrock',
    ],
    [{ model: 'claude-opus-5', baseUrl: 'https://us-east5-aiplatform.googleapis.com/v1' }, 'Vertex AI'],
    [{ model: 'claude-opus-5', provider: 'litellm', baseUrl: 'http://localhost:4000' }, 'LiteLLM'],
    [{ model: 'claude-opus-5', route: 'bedrock', baseUrl: 'https://vpc.example' }, 'Amazon Bedrock'],
    [
      { model: 'claude-opus-5', baseUrl: 'https://lb.us-east-1.elb.amazonaws.com' },
      'lb.us-east-1.elb.amazonaws.com',
    ],
    [
      { model: 'claude-opus-5', baseUrl: 'https://openrouter.ai.evil.example/v1' },
      'openrouter.ai.evil.example',
    ],
    [{ model: 'claude-opus-5', baseUrl: 'https://notopenrouter.ai/v1' }, 'notopenrouter.ai'],
    [{ model: 'claude-opus-5', baseUrl: 'no address' }, 'an unknown endpoint'],
    [{ model: 'claude-opus-5', provider: 'unheard-of' }, 'an unknown endpoint'],
    [{ model: 'llama-4' }, 'an unknown endpoint'],
  ])('%j is at %s', (input, endpoint) => expect(findCaching(input).endpoint).toBe(endpoint))

  it('an address shows its host, and never what is secret in it', () => {
    const caching = findCaching({
      model: 'claude-opus-5',
      baseUrl: 'https://user:hunter2@proxy.example/v1?key=hunter2',
    })
    expect(JSON.stringify(caching)).not.toContain('hunter2')
  })
})

describe('lifetimes', () => {
  const ttlOf = (input: FindCachingInput) => {
    const { ttl, isClamped } = findCaching(input)
    return [ttl, isClamped]
  }

  it('case 47: an hour is clamped to five minutes on routes that know no more', () => {
    const onlyShort: FindCachingInput[] = [
      { model: 'qwen3.8-max', provider: 'alibaba' },
      { model: 'qwen3.8-max', provider: 'nous' },
      { model: 'qwen-next', provider: 'opencode' },
      { model: 'MiniMax-M2.5', provider: 'anthropic', baseUrl: 'https://api.minimaxi.com/anthropic' },
      { model: 'moonshotai/kimi-k3', provider: 'openrouter' },
    ]
    for (const input of onlyShort) {
      expect(ttlOf({ ...input, setting: '1h' })).toEqual(['5m', true])
      expect(ttlOf({ ...input, setting: '5m' })).toEqual(['5m', false])
    }
  })
})

it('off switches markers off', () => {
  expect(findCaching({ model: 'claude-opus-5', setting: 'off' })).toMatchObject({
    kind: 'none',
    ttl: null,
    pricing: null,
  })
  expect(findCaching({ model: 'gpt-5.5', setting: 'off' })).toMatchObject({
    kind: 'automatic',
    ignored: 'off',
  })
})

it('the line on caching is short, and no terminal obeys it, whatever the model is called', () => {
  const model = `claude-\u001b[2J\n\r\0\u2028\u202e\ud800${'x'.repeat(1_000_000)}`
  const line = cachingStatusLine(findCaching({ model, provider: 'anthropic' }))
  expect(line).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
  expect(line.length).toBeLessThan(200)
})
