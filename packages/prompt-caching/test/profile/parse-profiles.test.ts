import { InvalidOptionError } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import anthropic from '../../src/profile/data/anthropic.json' with { type: 'json' }
import openai from '../../src/profile/data/openai.json' with { type: 'json' }
import { parseProfiles } from '../../src/profile/parse-profiles.ts'

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
    parseProfiles(json)
  } catch (error) {
    if (error instanceof InvalidOptionError) return error
    throw error
  }
  throw new Error('was not refused')
}

describe('parseProfiles', () => {
  it('takes one file or several', () => {
    expect(parseProfiles(anthropic).map(({ provider }) => provider)).toEqual(['anthropic'])
    expect(parseProfiles([anthropic, openai]).map(({ provider }) => provider)).toEqual([
      'anthropic',
      'openai',
    ])
  })

  it.each<[what: string, path: string, text: RegExp, edit: (file: File) => void]>([
    [
      'a missing price',
      'profiles.models.3.input',
      /expected number/,
      ({ models }) => delete models[3]?.input,
    ],
    [
      'a missing price of output',
      'profiles.models.0.output',
      /expected number/,
      ({ models }) => delete models[0]?.output,
    ],
    [
      'a missing price of reading',
      'profiles.models.1.cached',
      /expected number/,
      ({ models }) => delete models[1]?.cached,
    ],
    [
      'a negative price',
      'profiles.models.2.output',
      /expected number to be >=0/,
      (file) => set(file.models[2], 'output', -1),
    ],
    [
      'input for nothing',
      'profiles.models.2.input',
      /expected number to be >0/,
      (file) => set(file.models[2], 'input', 0),
    ],
    [
      'a price that is a text',
      'profiles.models.2.input',
      /expected number/,
      (file) => set(file.models[2], 'input', '5'),
    ],
    [
      'a price that is no number',
      'profiles.models.2.input',
      /expected number/,
      (file) => set(file.models[2], 'input', Number.NaN),
    ],
    [
      'a price without end',
      'profiles.models.2.input',
      /expected number/,
      (file) => set(file.models[2], 'input', Infinity),
    ],
    [
      'a day that there is not',
      'profiles.asOf',
      /expected a day as YYYY-MM-DD/,
      (file) => set(file, 'asOf', '2026-02-30'),
    ],
    [
      'a date in words',
      'profiles.asOf',
      /expected a day as YYYY-MM-DD/,
      (file) => set(file, 'asOf', 'October 2026'),
    ],
    [
      'a date of a model',
      'profiles.models.0.asOf',
      /expected a day/,
      (file) => set(file.models[0], 'asOf', '16.10.2026'),
    ],
    ['a missing source', 'profiles.source', /expected string/, (file) => set(file, 'source', undefined)],
    ['another unit', 'profiles.unit', /US dollars for a million tokens/, (file) => set(file, 'unit', 'EUR')],
    [
      'an unknown key',
      'profiles.models.0.imput',
      /did you mean "input"\?/,
      (file) => set(file.models[0], 'imput', 1),
    ],
    [
      'an unknown key of a family',
      'profiles.families.claude.lookbak',
      /did you mean "lookback"\?/,
      (file) => set(file.families.claude, 'lookbak', 1),
    ],
    [
      'an unknown key of the file',
      'profiles.currency',
      /known keys: provider, asOf/,
      (file) => set(file, 'currency', 'USD'),
    ],
    [
      'a rule that is missing',
      'profiles.families.claude.matching',
      /expected one of/,
      (file) => delete file.families.claude?.matching,
    ],
    [
      'a lifetime without its price',
      'profiles.families.claude.short.write',
      /expected number/,
      (file) => set(file.families.claude, 'short', { ttl: '5m', seconds: 300 }),
    ],
    [
      'a lifetime that there is not',
      'profiles.families.claude.short.ttl',
      /expected one of/,
      (file) => set(file.families.claude, 'short', { ttl: '2h', seconds: 7200, write: 1 }),
    ],
    [
      'a family that is not there',
      'profiles.models.0.family',
      /families of this file: claude/,
      (file) => set(file.models[0], 'family', 'toString'),
    ],
    [
      'a route with an unknown key',
      'profiles.models.10.routes.bedrock.minimum',
      /not known here/,
      (file) => set(file.models[10], 'routes', { bedrock: { minimum: 1 } }),
    ],
    [
      'a name with capitals',
      'profiles.models.0.id',
      /lower case/,
      (file) => set(file.models[0], 'id', 'Claude 5'),
    ],
    ['no models', 'profiles.models', />=1 items/, (file) => set(file, 'models', [])],
    ['models that are no list', 'profiles.models', /expected array/, (file) => set(file, 'models', {})],
    [
      'a model that is nothing',
      'profiles.models.0',
      /expected object/,
      (file) => set(file.models, '0', null),
    ],
  ])('refuses %s', (_what, path, text, edit) => {
    const error = refusal(broken(edit))
    expect(error.path).toBe(path)
    expect(error.message).toMatch(text)
    expect(error.message).toContain(path)
  })

  it('refuses a model that is there twice, also under its other spelling and in another file', () => {
    const twice = broken(({ models }) => models.push({ ...models[0], id: 'claude-haiku-5.5' }))
    expect(refusal(twice)).toMatchObject({
      path: 'profiles.models.14.id',
      message: expect.stringContaining('is there already, at profiles.models.0.id'),
    })
    expect(refusal([anthropic, openai, anthropic]).path).toBe('profiles.2.models.0.id')
  })

  it.each([null, undefined, 5, 'text', true, () => 0, [null], [[]]])('refuses %s', (json) => {
    expect(refusal(json).path).toMatch(/^profiles/)
  })

  it('refuses __proto__ as a key, and changes no prototype', () => {
    const text = JSON.stringify(anthropic)
    const first = JSON.stringify(anthropic.models[0])
    const inModel = JSON.parse(text.replace(first, first.replace('{', '{"__proto__":{"input":1},')))
    expect(refusal(inModel).path).toBe('profiles.models.0.__proto__')
    const inFamilies = JSON.parse(text.replace('"families":{', '"families":{"__proto__":{"polluted":1},'))
    expect(() => parseProfiles(inFamilies)).not.toThrow()
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  it('refuses texts without end', () => {
    expect(refusal(broken((file) => set(file, 'source', 'x'.repeat(10_000)))).path).toBe('profiles.source')
  })
})

function set(target: object | undefined, key: string, value: unknown): void {
  Object.assign(target ?? {}, { [key]: value })
}
