import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPriceList } from '../../src/bill/bill-profile.ts'
import { UsageError } from '../../src/usage-error.ts'
import { priceFile } from './price-file.ts'

let folder: string
let mine: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-'))
  mine = await write('mine.json', [
    priceFile('mine', [
      { id: 'my-model', input: 7, output: 9, cached: 0.7 },
      { id: 'my-small', input: 1, output: 2, cached: 0.1 },
    ]),
    priceFile('anthropic', [{ id: 'claude-opus-5', input: 3, output: 4, cached: 0.3 }]),
  ])
})
afterAll(() => rm(folder, { recursive: true }))

async function write(name: string, json: unknown): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, typeof json === 'string' ? json : JSON.stringify(json))
  return path
}

const chosen = async (flags: { provider?: string; prices?: string }, recorded?: string) =>
  (await openPriceList(flags)).choose(recorded)
const refusal = async (flags: { provider?: string; prices?: string }) => {
  const error = await openPriceList(flags).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(UsageError)
  return error instanceof UsageError ? error.message : ''
}

describe('whose prices a bill has', () => {
  it.each<[provider: string | undefined, recorded: string | undefined, provider: string, model: string]>([
    [undefined, undefined, 'anthropic', 'claude-sonnet-5-5'],
    [undefined, 'claude-opus-5', 'anthropic', 'claude-opus-5'],
    [undefined, 'gemini:gemini-2.5-pro', 'gemini', 'gemini-2.5-pro'],
    [undefined, 'llama-4', 'anthropic', 'claude-sonnet-5-5'],
    ['openai', 'claude-opus-5', 'openai', 'gpt-6.2-sol'],
    ['OpenAI', undefined, 'openai', 'gpt-6.2-sol'],
    ['openai:gpt-5.5', 'claude-opus-5', 'openai', 'gpt-5.5'],
    ['gemini', undefined, 'gemini', 'gemini-3-flash-preview'],
    ['deepseek', undefined, 'deepseek', 'deepseek-v4.1-flash'],
    ['qwen', undefined, 'qwen', 'qwen3.8-max'],
    ['anthropic: claude-haiku-5-5 ', undefined, 'anthropic', 'claude-haiku-5-5'],
  ])('--provider %s, recorded %s: %s %s', async (flag, recorded, provider, model) => {
    const { profile, file } = await chosen(flag === undefined ? {} : { provider: flag }, recorded)
    expect(profile).toMatchObject({ provider, model })
    expect(file).toBeNull()
  })

  it.each<
    [provider: string | undefined, recorded: string | undefined, model: string, input: number, own: boolean]
  >([
    [undefined, undefined, 'my-model', 7, true],
    [undefined, 'llama-4', 'my-model', 7, true],
    [undefined, 'my-small', 'my-small', 1, true],
    [undefined, 'claude-opus-5', 'claude-opus-5', 3, true],
    [undefined, 'claude-haiku-5-5', 'claude-haiku-5-5', 0.5, false],
    ['mine', 'claude-opus-5', 'my-model', 7, true],
    ['mine:my-small', 'claude-opus-5', 'my-small', 1, true],
    ['anthropic', undefined, 'claude-opus-5', 3, true],
    ['anthropic:claude-haiku-5-5', undefined, 'claude-haiku-5-5', 0.5, false],
    ['deepseek', 'my-model', 'deepseek-v4.1-flash', 0.15, false],
  ])('--prices, --provider %s, recorded %s: %s', async (flag, recorded, model, input, own) => {
    const flags = { prices: mine, ...(flag !== undefined && { provider: flag }) }
    const { profile, file } = await chosen(flags, recorded)
    expect(profile.model).toBe(model)
    if (own) expect(profile).toMatchObject({ input, source: 'our contract', asOf: '2026-11-01' })
    expect(file).toBe(own ? mine : null)
  })

  it('says that a file of prices is of no use, and knows the models of it for who summarises', async () => {
    const list = await openPriceList({ prices: mine })
    const other = list.choose('claude-haiku-5-5')
    expect(list.unused(other, undefined)).toBe(
      `--prices: nothing of ${mine} is used: the bill has the prices of claude-haiku-5-5, which is not in it`,
    )
    expect(list.unused(other, 'gemini:gemini-2.5-flash')).not.toBeNull()
    expect(list.unused(other, 'house:my-small')).toBeNull()
    expect(list.unused(list.choose('claude-opus-5'), undefined)).toBeNull()
    expect((await openPriceList({})).unused(other, undefined)).toBeNull()
    expect(list.known('house:my-small')).toMatchObject({ provider: 'mine', input: 1 })
    expect(list.known('llama-4')).toBeUndefined()
  })
})

describe('flags that are refused', () => {
  it.each<[provider: string, message: string]>([
    [
      'mistral',
      '--provider: no prices are known for "mistral"; known are anthropic, openai, gemini, deepseek, qwen',
    ],
    [
      '__proto__',
      '--provider: no prices are known for "__proto__"; known are anthropic, openai, gemini, deepseek, qwen',
    ],
    [
      'openai:claude-sonnet-5-5',
      '--provider: claude-sonnet-5-5 is a model of anthropic; write anthropic:claude-sonnet-5-5',
    ],
    ['openai:', '--provider: name a model behind "openai:", or leave the colon out for the usual one'],
    [
      'deepseek:deepseek-chat',
      '--provider: no prices are known for the model "deepseek-chat"; there are prices for models of deepseek',
    ],
    [
      'openai:llama-4',
      '--provider: no prices are known for the model "llama-4"; there are prices for models of openai',
    ],
  ])('--provider %s', async (provider, message) => expect(await refusal({ provider })).toBe(message))

  it.each<[name: string, content: unknown, message: RegExp]>([
    ['no-json.json', 'prices', /no-json\.json cannot be used: .*JSON/],
    [
      'dear.json',
      priceFile('mine', [{ id: 'my-model', input: 1e308, output: 1, cached: 1 }]),
      /dear\.json cannot be used: models\.0\.input: expected number to be <=1000000$/,
    ],
    [
      'list.json',
      [priceFile('mine', [{ id: 'my-model', input: -1, output: 1, cached: 1 }])],
      /list\.json cannot be used: 0\.models\.0\.input: /,
    ],
  ])('--prices %s', async (name, content, message) => {
    expect(await refusal({ prices: await write(name, content) })).toMatch(message)
  })
})
