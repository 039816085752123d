import { describe, expect, it } from 'vitest'
import { findPricing, UnknownModelError } from '../../src/pricing/find-pricing.ts'

const idOf = (model: string) => findPricing({ model }).model

function errorOf(model: string): UnknownModelError {
  try {
    findPricing({ model })
  } catch (error) {
    if (UnknownModelError.isInstance(error)) return error
    throw error
  }
  throw new Error(`${model} is known`)
}

describe('names of models', () => {
  it.each([
    ['claude-sonnet-4-5-20250929', 'claude-sonnet-4-5'],
    ['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5'],
    ['claude-opus-5[1m]', 'claude-opus-5'],
    ['anthropic/claude-opus-5.5', 'claude-opus-5-5'],
    ['openrouter/anthropic/claude-sonnet-4.6:thinking', 'claude-sonnet-4-6'],
    ['us.anthropic.claude-opus-4-7-v1:0', 'claude-opus-4-7'],
    ['anthropic.claude-haiku-4-5-20251001-v1:0', 'claude-haiku-4-5'],
    ['bedrock/eu.anthropic.claude-opus-4-7', 'claude-opus-4-7'],
    ['models/gemini-2.5-flash-001', 'gemini-2.5-flash'],
    ['gemini-2.5-pro-preview-05-06', 'gemini-2.5-pro'],
    ['gemini:gemini-3-flash-preview', 'gemini-3-flash-preview'],
    ['gpt-5-2025-08-07', 'gpt-5'],
    ['openai/gpt-5.4-mini-2026-03-05', 'gpt-5.4-mini'],
    ['  GPT-5.6-Terra ', 'gpt-5.6-terra'],
    ['alibaba/qwen3.8-max-0902', 'qwen3.8-max'],
    ['deepseek/deepseek-v4.1-flash', 'deepseek-v4.1-flash'],
  ])('%s is %s', (name, id) => expect(idOf(name)).toBe(id))

  it('a preview has the prices of the model that followed it', () => {
    expect(idOf('gemini-3.1-flash-lite-preview')).toBe('gemini-3.1-flash-lite')
    expect(idOf('gpt-5.1-codex-mini')).toBe('gpt-5.1-codex-mini')
  })

  it.each([
    'claude-opus-5-6',
    'claude-opus-5-mini',
    'claude-opus',
    'claude',
    'gpt-5.5-pro',
    'gpt-5.9',
    'gpt-5.3-codex',
    'gpt-55',
    'gemini-3-flash',
    'deepseek-v4-pro-max',
  ])('%s is another model, with other prices, and not taken for one that is known', (name) => {
    expect(errorOf(name)).toBeInstanceOf(UnknownModelError)
  })
})

describe('an unknown model', () => {
  it('is named with the nearest known one', () => {
    const error = errorOf('anthropic/claude-opus-5-6')
    expect(error).toMatchObject({ name: 'UnknownModelError', code: 'UNKNOWN_MODEL' })
    expect(error.model).toBe('anthropic/claude-opus-5-6')
    expect(error.message).toBe(
      'no prices are known for the model "anthropic/claude-opus-5-6"; the nearest that is known: claude-opus-5-5',
    )
  })

  it.each(['', ' ', '__proto__', 'constructor', '\0', '\ud800', '/', ':', 'claude-opus-5/'])(
    '%j is one',
    (name) => {
      expect(errorOf(name).model).toBe(name)
    },
  )
})

describe('routes', () => {
  it.each(['__proto__', 'constructor', 'toString', ''])(
    '%j is a route like any other that is not known',
    (route) => {
      expect(findPricing({ model: 'claude-opus-5', route }).matching).toBe('per-block')
    },
  )
})
