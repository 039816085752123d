import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type FindCachingInput, findCaching } from '../../src/detect/find-caching.ts'

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

describe('what wins', () => {
  const unknown = { model: 'claude-opus-5', provider: 'openai', baseUrl: 'https://proxy.example/v1' }

  it('off switches everything off, also what was switched on by name', () => {
    for (const input of [{ model: 'claude-opus-5' }, { ...unknown, enabled: true }])
      expect(findCaching({ ...input, setting: 'off' })).toMatchObject({
        kind: 'none',
        ttl: null,
        pricing: null,
      })
  })

  it('an explicit answer wins over the table', () => {
    expect(findCaching(unknown).kind).toBe('none')
    expect(findCaching({ ...unknown, enabled: true })).toMatchObject({
      kind: 'markers',
      wire: 'openrouter',
      ttl: '5m',
      pricing: { model: 'claude-opus-5', matching: 'per-block' },
    })
    expect(findCaching({ model: 'claude-opus-5', enabled: false }).kind).toBe('none')
    expect(findCaching({ model: 'MiniMax-M3', provider: 'anthropic', enabled: true }).wire).toBe('anthropic')
    expect(findCaching({ model: 'qwen3.8-max', provider: 'x', enabled: true }).pricing).toMatchObject({
      matching: 'per-block',
    })
  })
})

describe('any input', () => {
  it('any texts give an answer that hangs together', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom(
        'claude-opus-5',
        'gpt-5.5',
        'gpt-6.2-sol',
        'qwen3.8-max',
        'openrouter',
        'anthropic',
        '__proto__',
      ),
      fc.webUrl(),
    )
    const input = fc.record(
      {
        model: text.filter((model) => model !== ''),
        provider: text,
        baseUrl: text,
        route: text,
        setting: fc.constantFrom('5m', '1h', 'off' as const),
        enabled: fc.boolean(),
      },
      { requiredKeys: ['model'] },
    )
    const seen = { markers: 0, automatic: 0, none: 0 }
    fc.assert(
      fc.property(input, (any) => {
        const { kind, wire, ttl, reason } = findCaching(any as FindCachingInput)
        seen[kind]++
        expect(ttl !== null).toBe(kind === 'markers')
        if (kind === 'markers') expect(wire).not.toBe('none')
        expect(reason !== null).toBe(kind === 'none')
      }),
      { numRuns: 1000 },
    )
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(10)
  })
})
