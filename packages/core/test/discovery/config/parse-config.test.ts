import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../../src/discovery.ts'
import { InvalidOptionError } from '../../../src/index.ts'

const defaults = {
  context: { engine: 'compressor', strict: false },
  compression: { enabled: true, compact_at: 'idle' },
  auxiliary: { compression: {}, extraction: {} },
  prompt_caching: { cache_ttl: '5m', strategy: 'sticky' },
  store: { principal: 'local' },
  engines: {},
  warnings: [],
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
    const config = {
      context: { engine: 'lcm', strict: true },
      compression: {
        ...{ enabled: false, compact_at: 'threshold', threshold: 0.75 },
        ...{ target_ratio: 0.3, protect_last_n: 10, protect_first_n: 0 },
      },
      auxiliary: {
        compression: {
          ...{
            model: 'small',
            provider: 'openrouter',
            base_url: 'https://models.test/v1',
            key_env: 'MY_KEY',
          },
          ...{ timeout: 0.5, context_length: 64_000, extra_body: {} },
        },
        extraction: {},
      },
      prompt_caching: { cache_ttl: '1h', strategy: 'system_and_3', route: 'litellm' },
      store: {
        ...{ url: 'postgresql://ann:p%40ss@db:5433/talks', schema: 'agents', pool_size: 4 },
        ...{ principal: 'ann', statement_timeout: 5000, row_security: true, migrate: false },
      },
    }
    const compression = { ...config.auxiliary.compression, api_key: '' }
    const auxiliary = { compression, vision: { provider: 'auto', model: '' } }
    const text = JSON.stringify({ ...config, auxiliary, lcm: { fresh_tail: 4, deep: { key: null } } })
    expect(parseConfig(text, { engines: ['lcm'] })).toEqual({
      ...config,
      engines: { lcm: { fresh_tail: 4, deep: {} } },
      warnings: [
        {
          code: 'key-without-effect',
          message: 'keys without effect here: auxiliary.vision (in config.yaml)',
        },
      ],
    })
  })
})

describe("another program's keys", () => {
  it.each(['colour: red', 'memory: {memory_enabled: true}', '1: 2', '__proto__:\n  a: 1', 'constructor: 1'])(
    'are passed over: %j',
    (text) => {
      const config = parseConfig(text, { engines: ['lcm'] })
      expect(config).toEqual(defaults)
      expect(Object.getPrototypeOf(config)).toBe(Object.prototype)
    },
  )

  it('are told where one is near a key of ours', () => {
    const { warnings, ...config } = parseConfig('compresion: {threshold: 2}\nlmc: {}\ncron: {}', {
      engines: ['lcm'],
    })
    expect(config).toMatchObject({ compression: { enabled: true }, engines: {} })
    const known = 'known keys: context, compression, auxiliary, prompt_caching, store, lcm'
    expect(warnings).toEqual([
      {
        code: 'unknown-key',
        message: `compresion has no effect: this key is not known here (did you mean "compression"?); ${known}`,
      },
      {
        code: 'unknown-key',
        message: `lmc has no effect: this key is not known here (did you mean "lcm"?); ${known}`,
      },
    ])
  })
})

describe('a file of Hermes Agent', () => {
  const warned = (text: string) => {
    const { warnings, ...config } = parseConfig(text)
    return { config, messages: warnings.map(({ message }) => message) }
  }

  it('may have all of its keys, and those with a value are named', () => {
    const compression = [
      ...['checkpoint_required', 'progress_notices', 'model_thresholds', 'threshold_tokens'],
      ...['codex_gpt55_autoraise', 'min_tail_user_messages', 'max_attempts', 'codex_app_server_auto'],
      ...['codex_responses_native', 'codex_responses_compact_threshold', 'idle_compact_after_seconds'],
      ...['hygiene_max_turn_hold_seconds', 'hygiene_timeout_seconds', 'hygiene_hard_message_limit'],
      ...['proactive_prune_tokens', 'proactive_prune_min_result_chars', 'proactive_prune_min_reclaim_tokens'],
      ...[
        'context_timeout_seconds',
        'context_total_ceiling_seconds',
        'abort_on_summary_failure',
        'tail_mode',
      ],
      ...['micro_compact', 'in_place', 'summary_model', 'summary_provider', 'summary_base_url'],
    ]
    const task = [
      ...[
        'reasoning_effort',
        'max_concurrency',
        'no_progress_timeout',
        'fallback_chain',
        'api_mode',
        'key_cmd',
      ],
      ...['max_tokens', 'temperature', 'extra_headers', 'download_timeout', 'language', 'enabled'],
    ]
    const valued = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, 1]))
    const text = JSON.stringify({
      ...{ model: { default: 'large' }, providers: { local: {} }, fallback_model: { model: 'small' } },
      compression: { threshold: 0.5, ...valued(compression) },
      auxiliary: { compression: { model: 'small', ...valued(task) } },
      prompt_caching: { cache_ttl: '5m', layout: 1 },
    })
    const paths = [
      ...['model', 'providers', 'fallback_model', ...compression.map((key) => `compression.${key}`)],
      ...[...task.map((key) => `auxiliary.compression.${key}`), 'prompt_caching.layout'],
    ]
    const { config, messages } = warned(text)
    expect(messages).toEqual([`keys without effect here: ${paths.join(', ')} (in config.yaml)`])
    expect(config).toEqual({
      ...defaults,
      compression: { ...defaults.compression, threshold: 0.5 },
      auxiliary: { compression: { model: 'small' }, extraction: {} },
      warnings: undefined,
    })
  })

  it('says nothing of keys without a value', () => {
    const text = "auxiliary: { compression: { reasoning_effort: '', fallback_chain: [], max_tokens: } }"
    expect(warned(text)).toEqual({ config: { ...defaults, warnings: undefined }, messages: [] })
  })

  it.each(['codex', 'local'])(
    'with the provider %s takes the default, and says what to write',
    (provider) => {
      const block = `{ provider: ${provider}, model: x, api_key: k, timeout: 30 }`
      const { config, messages } = warned(`auxiliary: { compression: ${block} }`)
      expect(config.auxiliary.compression).toEqual({ timeout: 30 })
      expect(messages).toEqual([
        `auxiliary.compression.provider: "${provider}" is not known here, and the default is used in its place; for another service with OpenAI's API, write provider: custom, and its base_url, model and key_env`,
      ])
    },
  )

  it('with the address of an unknown provider has that asked', () => {
    const { config, messages } = warned(
      'auxiliary: { compression: { provider: ollama, model: x, base_url: http://127.0.0.1:11434/v1 } }',
    )
    const address = 'http://127.0.0.1:11434/v1'
    expect(config.auxiliary.compression).toEqual({ provider: 'custom', model: 'x', base_url: address })
    expect(messages).toEqual([])
  })

  it('is named in the warning, each file with its own keys', () => {
    const { warnings } = parseConfig('compression: { in_place: true }', {
      ...{ fileName: 'here.yaml', base: 'compression: { tail_mode: lean }', baseName: 'home.yaml' },
    })
    expect(warnings.map(({ message }) => message)).toEqual([
      'keys without effect here: compression.tail_mode (in home.yaml)',
      'keys without effect here: compression.in_place (in here.yaml)',
    ])
  })
})

describe('a configuration that adds to another one', () => {
  const base = `
context:
  engine: lcm
compression:
  threshold: 0.6
  protect_last_n: 5
lcm:
  fresh_tail: 4
  deep: {a: 1, b: [1, 2]}
`
  const read = (text: string) => parseConfig(text, { base, engines: ['lcm'] })

  it('wins key by key', () => {
    expect(read('compression:\n  threshold: 0.7\nlcm:\n  deep: {b: [3]}\nstore:\n  schema: s')).toEqual({
      ...defaults,
      context: { engine: 'lcm', strict: false },
      compression: { ...defaults.compression, threshold: 0.7, protect_last_n: 5 },
      store: { principal: 'local', schema: 's' },
      engines: { lcm: { fresh_tail: 4, deep: { a: 1, b: [3] } } },
    })
  })

  it('gives a key its default with nothing behind it', () => {
    expect(read('compression:\n  threshold:\ncontext:\n  engine:')).toMatchObject({
      context: { engine: 'compressor' },
      compression: { ...defaults.compression, protect_last_n: 5 },
    })
    expect(read('compression:\n  threshold:').compression.threshold).toBeUndefined()
  })
})

describe('a wrong key or value is named with its path and what would be right', () => {
  it.each([
    [
      'compression:\n  treshold: 0.5',
      'compression.treshold',
      'compression.treshold: this key is not known here (did you mean "threshold"?); known keys: enabled, compact_at, threshold, target_ratio, protect_last_n, protect_first_n, summariser, portable',
    ],
    [
      'compression:\n  threshold: 1.5',
      'compression.threshold',
      'compression.threshold: expected a share from 0 to 1: 0.5 is 50 %',
    ],
    [
      'prompt_caching:\n  cache_ttl: 2h',
      'prompt_caching.cache_ttl',
      /: expected one of "5m", "1h", "off", and is "2h"$/,
    ],
    [
      'auxiliary:\n  compression:\n    provider: opnrouter',
      'auxiliary.compression.provider',
      /: expected one of "auto", "main", .*, and is "opnrouter" \(did you mean "openrouter"\?\)$/,
    ],
    ['compression: true', 'compression', /expected object, received boolean/],
    ['lcm: 5', 'lcm', 'lcm: expected the options of the engine as keys and values'],
  ])('%j', (text, path, message) => {
    const error = failure(text, ['lcm'])
    expect(error.path).toBe(path)
    expect(error.code).toBe('INVALID_OPTION')
    if (typeof message === 'string') expect(error.message).toBe(message)
    else expect(error.message).toMatch(message)
  })

  it.each([
    ['store: postgres://ann:secret@db/talks', 'store: expected keys, such as "url: sessions.db"'],
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
    const { path, message } = failure('compression:\n  threshold: 2\n  target_ratio: x\n  protect_lst_n: 1')
    expect(path).toBe('compression.threshold')
    expect(message.split('\n').map((line) => line.split(':')[0])).toEqual([
      'compression.threshold',
      'compression.target_ratio',
      'compression.protect_lst_n',
    ])
  })
})

describe('what is not YAML is named with its line', () => {
  it.each([
    ['context:\n  engine: [lcm', /^config\.yaml line \d+: Flow sequence/],
    ['context:\n\tengine: lcm', /^config\.yaml line 2: Tabs are not allowed as indentation$/],
    ['- a\n- b', /^config\.yaml: expected keys such as "context:" and "compression:" at the top$/],
    ['context: *unknown', /^config\.yaml: Unresolved alias/],
  ])('%j', (text, message) => {
    const error = failure(text)
    expect(error.message).toMatch(message)
    expect(error.path).toBe('')
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
