import { expect, it } from 'vitest'
import { billPrices } from '../../src/bill/bill-prices.ts'

it.each([
  [undefined, undefined, 'anthropic', 'claude-sonnet-5-5'],
  [undefined, 'claude-opus-5', 'anthropic', 'claude-opus-5'],
  [undefined, 'gemini:gemini-2.5-pro', 'gemini', 'gemini-2.5-pro'],
  [undefined, 'llama-4', 'anthropic', 'claude-sonnet-5-5'],
  ['OpenAI', 'claude-opus-5', 'openai', 'gpt-6.2-sol'],
  ['openai:gpt-5.5', 'claude-opus-5', 'openai', 'gpt-5.5'],
  ['anthropic: claude-haiku-5-5 ', undefined, 'anthropic', 'claude-haiku-5-5'],
])('--provider %s, recorded %s: %s %s', (flag, recorded, provider, model) => {
  expect(billPrices(flag, recorded).profile).toMatchObject({ provider, model })
})

it.each([
  ['mistral', 'no prices are known for "mistral"; known are anthropic, openai, gemini, deepseek, qwen'],
  ['__proto__', 'no prices are known for "__proto__"'],
  [
    'openai:claude-sonnet-5-5',
    'claude-sonnet-5-5 is a model of anthropic; write anthropic:claude-sonnet-5-5',
  ],
  ['openai:', 'name a model behind "openai:"'],
  ['openai:llama-4', 'no prices are known for the model "llama-4"'],
])('--provider %s is refused', (flag, message) => {
  expect(() => billPrices(flag, undefined)).toThrow(`--provider: ${message}`)
})
