import { parseConfig } from '@palimpsest/core/discovery'
import { knownPricing } from '@palimpsest/prompt-caching'
import { describe, expect, it } from 'vitest'
import { chooseSummaryModel } from '../../src/models/choose-summary-model.ts'
import { findSummaryModel } from '../../src/models/find-summary-model.ts'
import type { ModelAccess } from '../../src/models/model-access.ts'
import { PROVIDER_NAMES, PROVIDERS } from '../../src/models/providers.ts'

const MAIN: ModelAccess = { provider: 'openai', model: 'big', apiKey: 'main-key', contextLength: 64_000 }
const LOCAL = 'http://127.0.0.1:8000/v1'
const KEYS = {
  OPENROUTER_API_KEY: 'or-key',
  NOUS_API_KEY: 'nous-key',
  OPENAI_API_KEY: 'oa-key',
  GEMINI_API_KEY: 'ge-key',
  ANTHROPIC_API_KEY: 'an-key',
}

interface Given {
  readonly main?: ModelAccess
  readonly environment?: NodeJS.ProcessEnv
}

/** `block`: YAML in braces, as it stands behind `compression:`. */
function input(block: string, { main, environment = {} }: Given) {
  const { auxiliary } = parseConfig(`auxiliary: {compression: ${block}}`)
  return { block: auxiliary.compression, main, environment }
}

const choose = (block: string, given: Given = {}) => chooseSummaryModel(input(block, given))

describe('who writes summaries', () => {
  it('is the model that answers when nothing is configured, and no model where none answers', () => {
    expect(choose('{}', { main: MAIN, environment: KEYS })).toEqual({
      access: MAIN,
      isMain: true,
      notices: [],
    })
    expect(choose('{}', { environment: KEYS })).toEqual({ isMain: false, notices: [] })
    expect(choose('{timeout: 30}', { environment: KEYS }).access).toBeUndefined()
  })

  it.each(PROVIDER_NAMES)(
    '%s has a key of its own, an address and a default model with a known price',
    (provider) => {
      const { access, notices } = choose(`{provider: ${provider}}`, { main: MAIN, environment: KEYS })
      const { key, summaries } = PROVIDERS[provider]
      expect(notices).toEqual([])
      expect(access).toMatchObject({ provider, apiKey: KEYS[key], ...summaries })
      expect(knownPricing(`${provider}:${summaries.model}`)).toBeDefined()
      const missing = choose(`{provider: ${provider}}`, { main: MAIN })
      expect(missing).toEqual({
        isMain: false,
        notices: [`${key} is not set: summaries are made offline, without a model`],
      })
    },
  )

  it('is with auto the provider that answers, else the first with a key', () => {
    expect(choose('{provider: auto, model: small}', { main: MAIN, environment: KEYS }).access).toEqual({
      provider: 'openai',
      model: 'small',
      apiKey: 'main-key',
    })
    const order = PROVIDER_NAMES.map((_, index) => {
      const left = Object.fromEntries(PROVIDER_NAMES.slice(index).map((name) => [PROVIDERS[name].key, 'k']))
      return choose('{provider: auto}', { environment: left }).access?.provider
    })
    expect(order).toEqual(['openrouter', 'nous', 'openai', 'gemini', 'anthropic'])
    expect(choose('{provider: auto}').notices[0]).toMatch(
      /^none of OPENROUTER_API_KEY, .* is set: summaries are made offline/,
    )
    expect(choose('{model: "anthropic:claude-x"}', { main: MAIN, environment: KEYS }).access).toMatchObject({
      provider: 'anthropic',
      model: 'claude-x',
    })
  })

  it('is with main another model of the same service, or none where none answers', () => {
    expect(choose('{provider: main, model: small}', { main: MAIN }).access).toMatchObject({
      model: 'small',
      apiKey: 'main-key',
    })
    expect(choose('{provider: main}', { environment: KEYS }).notices).toEqual([
      'auxiliary.compression.provider is main, and no model answers here: summaries are made offline, without a model',
    ])
  })

  it('is with an address a model there, which gets no key that was not named for it', () => {
    for (const block of [
      `{base_url: "${LOCAL}", model: m}`,
      `{provider: custom, base_url: "${LOCAL}", model: m}`,
    ])
      expect(choose(block, { main: MAIN, environment: KEYS }).access).toEqual({
        provider: 'custom',
        model: 'm',
        baseUrl: LOCAL,
      })
    expect(
      choose(`{provider: openrouter, base_url: "${LOCAL}", model: m}`, { environment: KEYS }).access,
    ).toMatchObject({
      baseUrl: LOCAL,
      apiKey: 'or-key',
    })
    expect(choose(`{provider: custom, base_url: "${LOCAL}"}`).notices[0]).toMatch(
      /compression\.model is not set.*offline/,
    )
  })

  it.each([
    ['{provider: custom, model: m}', /provider custom needs base_url/],
    [`{provider: main, base_url: "${LOCAL}"}`, /write provider: custom/],
    ['{api_key: k}', /whose key is it\? Name the provider/],
    ['{provider: main, key_env: K}', /whose key is it/],
  ])('cannot be %s, which says what to write', (block, message) => {
    expect(() => choose(block, { main: MAIN, environment: KEYS })).toThrow(message)
  })
})

describe('the key of who writes summaries', () => {
  it.each([`{provider: openai, api_key: "\${MY_KEY}"}`, '{provider: openai, key_env: MY_KEY}'])(
    'is the variable that %s names, and is said when that is not set',
    (block) => {
      expect(choose(block, { environment: { ...KEYS, MY_KEY: 'mine' } }).access?.apiKey).toBe('mine')
      expect(choose(block, { environment: KEYS }).notices).toEqual([
        'MY_KEY is not set: summaries are made offline, without a model',
      ])
    },
  )

  it('works in the file, is told to move to the environment, and is printed nowhere', async () => {
    const given = input('{provider: openrouter, api_key: sk-or-secret-0123456789}', { environment: KEYS })
    const { model, ...said } = await findSummaryModel(given)
    expect(chooseSummaryModel(given).access?.apiKey).toBe('sk-or-secret-0123456789')
    expect(said.line).toBe('Summaries: openrouter:google/gemini-3-flash-preview (auxiliary.compression)')
    expect(said.notices).toEqual([
      expect.stringMatching(
        /^auxiliary.compression.api_key is a key in a file: set it as OPENROUTER_API_KEY in the/,
      ),
    ])
    expect(JSON.stringify([said, model])).not.toContain('secret')
  })
})
