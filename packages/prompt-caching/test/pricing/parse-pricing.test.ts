import { InvalidOptionError } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { priceBill } from '../../src/cache/price-bill.ts'
import anthropic from '../../src/pricing/data/anthropic.json' with { type: 'json' }
import openai from '../../src/pricing/data/openai.json' with { type: 'json' }
import { findPricing } from '../../src/pricing/find-pricing.ts'
import { parsePricing } from '../../src/pricing/parse-pricing.ts'

type File = Record<string, unknown> & {
  families: Record<string, Record<string, unknown>>
  models: Record<string, unknown>[]
}

/** The file of Anthropic with one thing that is wrong. */
function broken(edit: (file: File) => void): File {
  const file = structuredClone(anthropic) as unknown as File
  edit(file)
  return file
}

function refusal(json: unknown): InvalidOptionError {
  try {
    parsePricing(json)
  } catch (error) {
    if (error instanceof InvalidOptionError) return error
    throw error
  }
  throw new Error('was not refused')
}

describe('parsePricing', () => {
  it('takes one file or several', () => {
    expect(parsePricing(anthropic).map(({ provider }) => provider)).toEqual(['anthropic'])
    expect(parsePricing([anthropic, openai]).map(({ provider }) => provider)).toEqual(['anthropic', 'openai'])
  })

  it.each<[what: string, path: string, text: RegExp, edit: (file: File) => void]>([
    ['a missing price', 'models.3.input', /expected number/, ({ models }) => delete models[3]?.input],
    [
      'a missing price of output',
      'models.0.output',
      /expected number/,
      ({ models }) => delete models[0]?.output,
    ],
    [
      'a missing price of reading',
      'models.1.cached',
      /expected number/,
      ({ models }) => delete models[1]?.cached,
    ],
    [
      'a negative price',
      'models.2.output',
      /expected number to be >=0/,
      (file) => set(file.models[2], 'output', -1),
    ],
    [
      'reading that costs something where input costs nothing',
      'models.2.cached',
      /expected 0, because input costs nothing/,
      (file) => set(file.models[2], 'input', 0),
    ],
    [
      'an absurd price',
      'models.2.output',
      /expected number to be <=1000000/,
      (file) => set(file.models[2], 'output', 1e308),
    ],
    [
      'a price too small to divide by',
      'models.2.input',
      /expected 0, or at least/,
      (file) => set(file.models[2], 'input', 5e-324),
    ],
    [
      'a multiple without measure',
      'families.claude.short.write',
      /expected number to be <=1000/,
      (file) => set(file.families.claude, 'short', { ttl: '5m', seconds: 300, write: 1e308 }),
    ],
    [
      'a tier without measure',
      'families.claude.tiers.0.factor',
      /expected number to be <=1000/,
      (file) => set(file.families.claude, 'tiers', [{ above: 1, factor: 1e308 }]),
    ],
    [
      'a price that is a text',
      'models.2.input',
      /expected number/,
      (file) => set(file.models[2], 'input', '5'),
    ],
    [
      'a price that is no number',
      'models.2.input',
      /expected number/,
      (file) => set(file.models[2], 'input', Number.NaN),
    ],
    [
      'a price without end',
      'models.2.input',
      /expected number/,
      (file) => set(file.models[2], 'input', Infinity),
    ],
    [
      'a day that there is not',
      'asOf',
      /expected a day as YYYY-MM-DD/,
      (file) => set(file, 'asOf', '2026-02-30'),
    ],
    ['a date in words', 'asOf', /expected a day as YYYY-MM-DD/, (file) => set(file, 'asOf', 'October 2026')],
    [
      'a date of a model',
      'models.0.asOf',
      /expected a day/,
      (file) => set(file.models[0], 'asOf', '16.10.2026'),
    ],
    ['a missing source', 'source', /expected string/, (file) => set(file, 'source', undefined)],
    ['another unit', 'unit', /US dollars for a million tokens/, (file) => set(file, 'unit', 'EUR')],
    ['an unknown key', 'models.0.imput', /not known here/, (file) => set(file.models[0], 'imput', 1)],
    [
      'an unknown key of a family',
      'families.claude.lookbak',
      /not known here/,
      (file) => set(file.families.claude, 'lookbak', 1),
    ],
    [
      'an unknown key of the file',
      'currency',
      /known keys: provider, asOf/,
      (file) => set(file, 'currency', 'USD'),
    ],
    [
      'a rule that is missing',
      'families.claude.matching',
      /expected one of/,
      (file) => delete file.families.claude?.matching,
    ],
    [
      'a lifetime without its price',
      'families.claude.short.write',
      /expected number/,
      (file) => set(file.families.claude, 'short', { ttl: '5m', seconds: 300 }),
    ],
    [
      'a lifetime that there is not',
      'families.claude.short.ttl',
      /expected one of/,
      (file) => set(file.families.claude, 'short', { ttl: '2h', seconds: 7200, write: 1 }),
    ],
    [
      'a family that is not there',
      'models.0.family',
      /families of this file: claude/,
      (file) => set(file.models[0], 'family', 'toString'),
    ],
    [
      'a route with an unknown key',
      'models.10.routes.bedrock.minimum',
      /not known here/,
      (file) => set(file.models[10], 'routes', { bedrock: { minimum: 1 } }),
    ],
    ['a name with capitals', 'models.0.id', /lower case/, (file) => set(file.models[0], 'id', 'Claude 5')],
    ['no models', 'models', />=1 items/, (file) => set(file, 'models', [])],
    ['models that are no list', 'models', /expected array/, (file) => set(file, 'models', {})],
    ['a model that is nothing', 'models.0', /expected object/, (file) => set(file.models, '0', null)],
  ])('refuses %s', (_what, path, text, edit) => {
    const error = refusal(broken(edit))
    expect(error.path).toBe(path)
    expect(error.message).toMatch(text)
    expect(error.message).toContain(path)
  })

  it('refuses a model that is there twice, also under its other spelling and in another file', () => {
    const twice = broken(({ models }) => models.push({ ...models[0], id: 'claude-haiku-5.5' }))
    expect(refusal(twice)).toMatchObject({
      path: 'models.14.id',
      message: expect.stringContaining('is there already, at models.0.id'),
    })
    expect(refusal([anthropic, openai, anthropic]).path).toBe('2.models.0.id')
  })

  it.each<[unknown, path: string]>([
    [null, ''],
    [undefined, ''],
    [5, ''],
    ['text', ''],
    [true, ''],
    [() => 0, ''],
    [[null], '0'],
    [[[]], '0'],
  ])('refuses %s', (json, path) => {
    expect(refusal(json)).toMatchObject({ path, message: expect.stringContaining('expected object') })
  })

  it('takes models that cost nothing, and everything stays finite', () => {
    const free = broken(({ models }) => {
      models.splice(1)
      for (const price of ['input', 'output', 'cached']) set(models[0], price, 0)
    })
    const data = parsePricing(free)
    const pricing = findPricing({ model: 'claude-haiku-5-5', data })
    expect(pricing).toMatchObject({ input: 0, output: 0, read: 1 })
    expect(JSON.stringify(pricing)).not.toContain('null')
    const onRoute = broken(({ models }) => {
      for (const price of ['input', 'cached']) set(models[0], price, 0)
      set(models[0], 'routes', { bedrock: { cached: 1 } })
    })
    expect(refusal(onRoute).path).toBe('models.0.cached')
  })

  it('prices at the edge of what is taken stay finite too', () => {
    const edge = broken(({ models }) => {
      models.splice(1)
      for (const price of ['output', 'cached']) set(models[0], price, 1_000_000)
      set(models[0], 'input', 1e-9)
    })
    const pricing = findPricing({ model: 'claude-haiku-5-5', data: parsePricing(edge) })
    expect(pricing.read).toBe(1e15)
    expect(pricing.short.write).toBeLessThan(Number.POSITIVE_INFINITY)
    expect(priceBill({ read: 1e9, write5m: 1e9, write1h: 0, uncached: 0 }, pricing).usd).toBeLessThan(
      Number.POSITIVE_INFINITY,
    )
  })

  it('refuses __proto__ as a key, and changes no prototype', () => {
    const text = JSON.stringify(anthropic)
    const first = JSON.stringify(anthropic.models[0])
    const inModel = JSON.parse(text.replace(first, first.replace('{', '{"__proto__":{"input":1},')))
    expect(refusal(inModel).path).toBe('models.0.__proto__')
    const inFamilies = JSON.parse(text.replace('"families":{', '"families":{"__proto__":{"polluted":1},'))
    expect(() => parsePricing(inFamilies)).not.toThrow()
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  it('refuses texts without end', () => {
    expect(refusal(broken((file) => set(file, 'source', 'x'.repeat(10_000)))).path).toBe('source')
  })
})

function set(target: object | undefined, key: string, value: unknown): void {
  Object.assign(target ?? {}, { [key]: value })
}
