import { InvalidOptionError } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import anthropic from '../../src/pricing/data/anthropic.json' with { type: 'json' }
import openai from '../../src/pricing/data/openai.json' with { type: 'json' }
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
  const inFile = (key: string, value: unknown) => (file: File) => set(file, key, value)
  const inModel = (key: string, value: unknown) => (file: File) => set(file.models[0], key, value)
  const inFamily = (key: string, value: unknown) => (file: File) => set(file.families.claude, key, value)
  it.each<[what: string, path: string, text: RegExp, edit: (file: File) => void]>([
    ['a missing price', 'models.0.cached', /expected number/, inModel('cached', undefined)],
    ['a negative price', 'models.0.output', /expected number to be >=0/, inModel('output', -1)],
    ['a price that is a text', 'models.0.input', /expected number/, inModel('input', '5')],
    ['a price without end', 'models.0.input', /expected number/, inModel('input', Infinity)],
    ['an absurd price', 'models.0.output', /<=1000000/, inModel('output', 1e308)],
    ['a price too small to divide by', 'models.0.input', /0, or at least/, inModel('input', 5e-324)],
    ['reading that costs more than input', 'models.0.cached', /input costs nothing/, inModel('input', 0)],
    ['a day that there is not', 'asOf', /a day as YYYY-MM-DD/, inFile('asOf', '2026-02-30')],
    ['a missing source', 'source', /expected string/, inFile('source', undefined)],
    ['a source without end', 'source', /expected string/, inFile('source', 'x'.repeat(10_000))],
    ['another unit', 'unit', /US dollars for a million tokens/, inFile('unit', 'EUR')],
    ['an unknown key of the file', 'currency', /known keys: provider, asOf/, inFile('currency', 'USD')],
    ['an unknown key of a model', 'models.0.imput', /not known here/, inModel('imput', 1)],
    ['an unknown key of a family', 'families.claude.lookbak', /not known here/, inFamily('lookbak', 1)],
    ['a rule that is missing', 'families.claude.matching', /one of/, inFamily('matching', undefined)],
    [
      'a lifetime that there is not',
      'families.claude.short.ttl',
      /expected one of/,
      inFamily('short', { ttl: '2h', seconds: 7200, write: 1 }),
    ],
    [
      'a multiple without measure',
      'families.claude.short.write',
      /expected number to be <=1000/,
      inFamily('short', { ttl: '5m', seconds: 300, write: 1e308 }),
    ],
    [
      'a family that is not there',
      'models.0.family',
      /families of this file: claude/,
      inModel('family', 'toString'),
    ],
    ['a name with capitals', 'models.0.id', /lower case/, inModel('id', 'Claude 5')],
    ['no models', 'models', />=1 items/, inFile('models', [])],
    ['a model that is nothing', 'models.0', /expected object/, inFile('models', [null])],
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

  it('refuses __proto__ as a key, and changes no prototype', () => {
    const text = JSON.stringify(anthropic)
    const first = JSON.stringify(anthropic.models[0])
    const inModel = JSON.parse(text.replace(first, first.replace('{', '{"__proto__":{"input":1},')))
    expect(refusal(inModel).path).toBe('models.0.__proto__')
    const inFamilies = JSON.parse(text.replace('"families":{', '"families":{"__proto__":{"polluted":1},'))
    expect(() => parsePricing(inFamilies)).not.toThrow()
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})

function set(target: object | undefined, key: string, value: unknown): void {
  Object.assign(target ?? {}, { [key]: value })
}
