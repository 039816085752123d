import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import { InvalidOptionError } from '../../src/index.ts'

const defaults = {
  context: { engine: 'compressor', strict: false },
  compression: { enabled: true },
  auxiliary: { compression: {} },
  prompt_caching: { cache_ttl: '5m', compact_at: 'threshold' },
  store: {},
  engines: {},
}

function failure(text: string, engines: readonly string[] = []): InvalidOptionError {
  try {
    parseConfig(text, { engines })
  } catch (error) {
    if (error instanceof InvalidOptionError) return error
    throw error
  }
  throw new Error('the configuration was taken')
}

describe('a configuration', () => {
  it.each([
    '',
    '\n',
    '# nothing but a comment',
    '---',
    'context:',
    'compression: {}',
    'auxiliary:\n  compression:',
    'store:\n  url:',
  ])('of %j is the default', (text) => {
    expect(parseConfig(text)).toEqual(defaults)
  })

  it('is read with everything that the seed names', () => {
    const text = `
context:
  engine: lcm
  strict: true
compression:
  enabled: false
  profile: lean
  threshold: 0.75
  target_ratio: 0.3
  protect_last_n: 10
  protect_first_n: 0
auxiliary:
  compression:
    model: small
    provider: gemini
    base_url: https://models.test/v1
prompt_caching:
  cache_ttl: 1h
  compact_at: cheapest
store:
  url: postgresql://ann:p%40ss@db:5433/talks
  schema: agents
  pool_size: 4
  statement_timeout: 5000
  row_security: true
  migrate: false
lcm:
  fresh_tail: 4
  deep: { key: ~ }
`
    expect(parseConfig(text, { engines: ['lcm'] })).toEqual({
      context: { engine: 'lcm', strict: true },
      compression: {
        enabled: false,
        profile: 'lean',
        threshold: 0.75,
        target_ratio: 0.3,
        protect_last_n: 10,
        protect_first_n: 0,
      },
      auxiliary: { compression: { model: 'small', provider: 'gemini', base_url: 'https://models.test/v1' } },
      prompt_caching: { cache_ttl: '1h', compact_at: 'cheapest' },
      store: {
        url: 'postgresql://ann:p%40ss@db:5433/talks',
        schema: 'agents',
        pool_size: 4,
        statement_timeout: 5000,
        row_security: true,
        migrate: false,
      },
      engines: { lcm: { fresh_tail: 4, deep: {} } },
    })
  })

  it('takes a byte order mark, and an empty block of an engine', () => {
    expect(parseConfig('\ufefflcm:', { engines: ['lcm'] })).toEqual({ ...defaults, engines: { lcm: {} } })
  })
})

describe('a wrong key or value is named with its path and what would be right', () => {
  it.each([
    [
      'compression:\n  treshold: 0.5',
      'compression.treshold',
      'compression.treshold: this key is not known here (did you mean "threshold"?); known keys: enabled, profile, threshold, target_ratio, protect_last_n, protect_first_n',
    ],
    ['compression:\n  treshold:', 'compression.treshold', /did you mean "threshold"/],
    [
      'compresion: {}',
      'compresion',
      'compresion: this key is not known here (did you mean "compression"?); known keys: context, compression, auxiliary, prompt_caching, store, lcm',
    ],
    [
      'auxiliary:\n  compression:\n    Model: x',
      'auxiliary.compression.Model',
      /did you mean "model"\?\); known keys: model, provider, base_url/,
    ],
    [
      'colour: red',
      'colour',
      'colour: this key is not known here; known keys: context, compression, auxiliary, prompt_caching, store, lcm',
    ],
    ['__proto__:\n  a: 1', '__proto__', /this key is not known here/],
    ['compression:\n  __proto__: {a: 1}', 'compression.__proto__', /this key is not known here/],
    ['constructor: 1', 'constructor', /this key is not known here/],
    ['1: 2', '1', /this key is not known here/],
    [
      'compression:\n  threshold: 1.5',
      'compression.threshold',
      'compression.threshold: expected number to be <1',
    ],
    [
      'compression:\n  threshold: 0',
      'compression.threshold',
      'compression.threshold: expected number to be >0',
    ],
    [
      'compression:\n  threshold: "0.5"',
      'compression.threshold',
      'compression.threshold: expected number, received string',
    ],
    ['compression:\n  threshold: .nan', 'compression.threshold', /expected number, received NaN/],
    ['compression:\n  protect_last_n: -1', 'compression.protect_last_n', /expected number to be >0/],
    ['compression:\n  protect_last_n: 1.5', 'compression.protect_last_n', /expected int/],
    ['compression:\n  profile: leen', 'compression.profile', /expected one of "lean"\|"classic"/],
    [
      'prompt_caching:\n  cache_ttl: 2h',
      'prompt_caching.cache_ttl',
      /expected one of "5m"\|"1h"\|"auto"\|"off"/,
    ],
    ['auxiliary:\n  compression:\n    base_url: nope', 'auxiliary.compression.base_url', /URL/],
    ['store:\n  pool_size: 0', 'store.pool_size', /expected number to be >0/],
    ['store:\n  statement_timeout: 1e9', 'store.statement_timeout', /expected number to be <=86400000/],
    ['store:\n  schema: ""', 'store.schema', />=1 characters/],
    ['store:\n  adress: x', 'store.adress', /known keys: url, schema, pool_size, statement_timeout/],
    ['compression: true', 'compression', /expected object, received boolean/],
    ['context:\n  - engine', 'context', /expected object, received array/],
    ['lcm: 5', 'lcm', 'lcm: expected the options of the engine as keys and values'],
    ['lcm: [1]', 'lcm', 'lcm: expected the options of the engine as keys and values'],
  ])('%j', (text, path, message) => {
    const error = failure(text, ['lcm'])
    expect(error.path).toBe(path)
    expect(error.code).toBe('INVALID_OPTION')
    if (typeof message === 'string') expect(error.message).toBe(message)
    else expect(error.message).toMatch(message)
  })

  it.each([
    ['store: postgres://ann:secret@db/talks', 'store: expected keys, such as "url: postgres://…"'],
    ['store: [postgres://ann:secret@db/talks]', 'store: expected keys, such as "url: postgres://…"'],
    ['store:\n  url: mysql://ann:secret@db/talks', /^store\.url: expected an address such as postgres:/],
    ['store:\n  url: "postgres://ann:secret@db/talks\n  schema: x', /Missing closing/],
    [
      'store:\n  url: postgres://ann:secret@db/talks\n  url: postgres://ann:secret@db/talks',
      /must be unique/,
    ],
  ])('and not a password: %j', (text, message) => {
    const error = failure(text)
    if (typeof message === 'string') expect(error.message).toBe(message)
    else expect(error.message).toMatch(message)
    expect(`${error.stack}`).not.toContain('secret')
  })

  it('names every fault, one a line', () => {
    const { path, message } = failure('compression:\n  threshold: 2\n  target_ratio: x\n  extra: 1')
    expect(path).toBe('compression.threshold')
    expect(message.split('\n').map((line) => line.split(':')[0])).toEqual([
      'compression.threshold',
      'compression.target_ratio',
      'compression.extra',
    ])
  })
})

describe('what is not YAML is named with its line', () => {
  it.each([
    ['context:\n  engine: [lcm', /^config\.yaml line \d+: Flow sequence/],
    ['context:\n\tengine: lcm', /^config\.yaml line 2: Tabs are not allowed as indentation$/],
    ['context: {}\ncontext: {}', /^config\.yaml line 2: Map keys must be unique$/],
    ['a: 1\n---\nb: 2', /^config\.yaml line 2: a second document begins here/],
    ['- a\n- b', /^config\.yaml: expected keys such as "context:" and "compression:" at the top$/],
    ['just a text', /^config\.yaml: expected keys/],
    ['context: *nobody', /^config\.yaml: Unresolved alias/],
  ])('%j', (text, message) => {
    const error = failure(text)
    expect(error.message).toMatch(message)
    expect(error.path).toBe('')
  })

  it('by the name of the file', () => {
    expect(() => parseConfig('[', { fileName: 'team.yaml' })).toThrow(/^team\.yaml line/)
  })

  it('does not let aliases fill the memory', () => {
    const levels = 'abcdefghij'.split('')
    const bomb = levels.map((name, index) => {
      const members = index === 0 ? 'x' : `*${levels[index - 1]}`
      return `${name}: &${name} [${Array(10).fill(members).join(', ')}]`
    })
    expect(failure(bomb.join('\n')).message).toMatch(
      /^config\.yaml: Excessive alias count .*; write the values out$/,
    )
  })
})
