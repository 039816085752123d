import { describe, expect, it } from 'vitest'
import { findAnsweringModel } from '../../src/models/find-answering-model.ts'

const LOCAL = 'http://127.0.0.1:11434/v1'
const GEMINI = { GEMINI_API_KEY: 'key' }
const OPENAI = { OPENAI_API_KEY: 'key' }

interface Flags {
  readonly model?: string
  readonly baseUrl?: string
}

function find({ model, baseUrl }: Flags, environment: NodeJS.ProcessEnv) {
  return findAnsweringModel({ option: '--model', model, baseUrl }, environment)
}

describe('the model that answers', () => {
  it.each<[name: string | undefined, flags: Flags, environment: NodeJS.ProcessEnv]>([
    ['gemini:gemini-3-flash-preview', {}, { ...GEMINI, ...OPENAI, OPENAI_MODEL: 'gpt-5' }],
    ['gemini:gemini-2.5-pro', { model: 'gemini:gemini-2.5-pro' }, GEMINI],
    ['openai:gpt-5', {}, { ...OPENAI, OPENAI_MODEL: 'gpt-5' }],
    ['openai:qwen3:8b', { baseUrl: LOCAL, model: 'qwen3:8b' }, GEMINI],
    ['openai:llama', {}, { OPENAI_BASE_URL: LOCAL, OPENAI_MODEL: 'llama' }],
    ['openrouter:z-ai/glm', { model: 'openrouter:z-ai/glm' }, { OPENROUTER_API_KEY: 'key' }],
    ['openai:ft:gpt-5-mini:shop::1', { model: 'ft:gpt-5-mini:shop::1' }, OPENAI],
    ['anthropic:claude-haiku-4-5', { model: 'anthropic:claude-haiku-4-5' }, { ANTHROPIC_API_KEY: 'key' }],
    [undefined, {}, { OPENROUTER_API_KEY: 'key', ANTHROPIC_API_KEY: 'key' }],
  ])('%s is found with %j and %j', (name, flags, environment) => {
    const found = find(flags, environment)
    expect(found && `${found.provider}:${found.model}`).toBe(name)
  })

  it('is at its provider unless another address is named, and gets the key of that provider alone', () => {
    const keys = {
      OPENROUTER_API_KEY: 'or',
      OPENAI_API_KEY: 'oa',
      ANTHROPIC_API_KEY: 'an',
      OPENAI_BASE_URL: LOCAL,
    }
    expect(find({ model: 'openrouter:x' }, keys)).toMatchObject({
      baseUrl: 'https://openrouter.ai/api/v1',
      apiKey: 'or',
    })
    expect(find({ model: 'anthropic:x' }, keys)).toMatchObject({
      baseUrl: 'https://api.anthropic.com/v1',
      apiKey: 'an',
    })
    expect(find({ model: 'openai:x' }, keys)).toMatchObject({ baseUrl: LOCAL, apiKey: 'oa' })
    expect(find({ model: 'anthropic:x', baseUrl: 'http://127.0.0.1:1/v1' }, keys)).toMatchObject({
      baseUrl: 'http://127.0.0.1:1/v1',
      apiKey: 'an',
    })
  })

  it.each<[message: RegExp, flags: Flags, environment: NodeJS.ProcessEnv]>([
    [/needs a key: set GEMINI_API_KEY/, { model: 'gemini:gemini-2.5-pro' }, {}],
    [
      /needs a key: set OPENAI_API_KEY \(a name without a provider is taken for one of openai; .*anthropic:<name>/,
      { model: 'gpt-5' },
      {},
    ],
    [/does not start with a known provider: .*anthropic:<name>/, { model: 'antropic:claude-x' }, OPENAI],
    [/does not name a model; write/, { model: 'openai:' }, OPENAI],
    [/--model <name> or OPENAI_MODEL/, { baseUrl: LOCAL }, {}],
  ])('%s is said of %j with %j', (message, flags, environment) => {
    expect(() => find(flags, environment)).toThrow(message)
  })
})
