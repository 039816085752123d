import { defineContextEngine, type EngineHost, type EngineParts, keptResult } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { readTarget } from '../../src/cli/run-job.ts'
import type { ContractHost } from '../../src/index.ts'

const engineParts = (host: EngineHost): EngineParts => ({
  shouldCompress: () => false,
  compress: async ({ messages }) => keptResult('unchanged', 'never', messages, host.tokens),
})
const seen: unknown[] = []
const definition = defineContextEngine<Record<string, unknown>>({
  name: 'mine',
  apiVersion: 1,
  description: 'An engine of a test',
  create(options, host) {
    seen.push(options)
    return engineParts(host)
  },
})
const host = { storage: '/tmp/$&', options: { fromCase: true } } as unknown as ContractHost
const read = (exports: Record<string, unknown>, more = {}) =>
  readTarget({ exports, label: './engine.js', options: {}, expect: [], ...more })

describe('readTarget', () => {
  it('makes a target of an engine, with the options of the call below those of the case', () => {
    const options = { fromCase: false, list: ['{storage}/a', 1], deep: { file: '{storage}{storage}' } }
    const target = read({ default: definition }, { options, expect: ['tools'], seed: 5 })
    expect(target).toMatchObject({ name: 'mine', expectCapabilities: ['tools'], seed: 5, propertyRuns: 100 })
    target.create(host)
    expect(seen.pop()).toEqual({
      fromCase: true,
      list: ['/tmp/$&/a', 1],
      deep: { file: '/tmp/$&/tmp/$&' },
    })
  })

  it('prefers a ContractTarget, and adds to what it expects', async () => {
    const contractTarget = {
      name: 'special',
      prefix: 'p',
      create: (given: ContractHost) => definition.create({ ...given.options }, given),
      async recall() {
        return `${this.prefix} from the target`
      },
      expectCapabilities: ['tools'],
      skip: { C02: 'because' },
      propertyRuns: 9,
    }
    const target = read(
      { default: definition, contractTarget },
      { options: { level: 1 }, expect: ['lossless'] },
    )
    expect(target).toMatchObject({
      name: 'special',
      expectCapabilities: ['tools', 'lossless'],
      skip: { C02: 'because' },
      seed: 1,
      propertyRuns: 9,
    })
    target.reopen?.(host)
    expect(seen.pop()).toEqual({ level: 1, fromCase: true })
    await expect(Reflect.apply(target.recall ?? fail, undefined, [])).resolves.toBe('p from the target')
  })

  it('takes a target that is exported by default', () => {
    expect(read({ default: { name: 'plain', create: engineParts, expectCapabilities: [] } }).name).toBe(
      'plain',
    )
  })

  it.each([
    [{}, './engine.js exports no engine: it exports nothing; it should export by default what'],
    [{ engine: definition }, 'it has no default export, only engine; '],
    [{ default: null }, 'its default export is null; '],
    [{ default: () => {} }, 'its default export is of type function; '],
    [
      { default: { name: 'own', apiVersion: 1, create() {} } },
      'that defineContextEngine() did not make; wrap',
    ],
    [{ default: { name: 'own' } }, 'exports an object without name and create'],
    [{ default: { name: 5, create() {} } }, 'exports an object without name and create'],
    [{ contractTarget: { name: 'own', create() {} } }, 'of ./engine.js needs expectCapabilities: what'],
  ])('says what is wrong with %j', (exports, message) => {
    expect(() => read(exports)).toThrow(message)
  })

  it('refuses an engine of another version of the contract', () => {
    const newer = { name: 'newer', apiVersion: 2, create() {} }
    Object.defineProperty(newer, Symbol.for('palimpsest.context-engine'), { value: 2 })
    expect(() => read({ default: newer })).toThrow('has apiVersion 2; this suite tests apiVersion 1')
  })
})

function fail(): never {
  throw new Error('there is no recall')
}
