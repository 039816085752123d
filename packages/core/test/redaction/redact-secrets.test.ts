import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactSecrets } from '../../src/index.ts'
import { counted } from '../counted.ts'
import { CARRIERS, meant, plantedSecrets, SECRET_KINDS, tellingParts } from './planted-secrets.ts'
import { CONTEXTS, HARMLESS, PRIVATE_KEYS, TOKENS } from './secrets.ts'

describe('what is hidden', () => {
  it.each(TOKENS)('a token of the kind %s', (kind, secret) => {
    const text = `before ${secret} after`
    expect(redactSecrets(text)).toBe(`before [REDACTED:${kind}] after`)
    expect(redactSecrets(`"${secret}"`)).not.toContain(secret.slice(-12))
  })

  it.each(CONTEXTS)('%s in %s', (kind, text, secret) => {
    const hidden = redactSecrets(text.replace('§', secret))
    expect(hidden).not.toContain(secret)
    expect(hidden).toContain(`[REDACTED:${kind}]`)
  })

  it('keeps what stands around a secret', () => {
    const [, template = '', secret = ''] = CONTEXTS[0] ?? []
    expect(redactSecrets(template.replace('§', secret))).toBe(
      'postgres://app:[REDACTED:url-credentials]@db.internal:5432/shop',
    )
  })

  it('by the most telling name', () => {
    const [, secret = ''] = TOKENS.find(([kind]) => kind === 'openai') ?? []
    expect(redactSecrets(`api_key="${secret}"`)).toBe('api_key="[REDACTED:openai]"')
  })

  it.each(PRIVATE_KEYS)('a private key', (key) => {
    expect(redactSecrets(`a\n${key}\nb`)).toBe('a\n[REDACTED:private-key]\nb')
    // Inside the JSON of a tool's arguments, the line breaks are written out.
    expect(redactSecrets(JSON.stringify({ key }))).toBe('{"key":"[REDACTED:private-key]"}')
  })

  it.each(PRIVATE_KEYS)('a private key that was cut off', (key) => {
    const cut = key.slice(0, key.length - 80)
    const hidden = redactSecrets(`${cut}\n[output truncated]\nthe next command said ok`)
    expect(hidden).toBe('[REDACTED:private-key]\n[output truncated]\nthe next command said ok')
    expect(redactSecrets(cut.slice(0, -50))).toBe('[REDACTED:private-key]')
  })

  it('a private key that was cut off, in front of a whole one', () => {
    const [key = ''] = PRIVATE_KEYS
    const text = `${key.slice(0, 300)}\n[output truncated]\nnow the other: ${key}`
    const mark = '[REDACTED:private-key]'
    expect(redactSecrets(text)).toBe(`${mark}\n[output truncated]\nnow the other: ${mark}`)
  })

  it('each of two private keys, with the text between them', () => {
    const [a = '', b = ''] = PRIVATE_KEYS
    expect(redactSecrets(`${a} and ${b}`)).toBe('[REDACTED:private-key] and [REDACTED:private-key]')
  })
})

describe('a word that announces a secret', () => {
  const secret = 'blau7!Wolke-Nord'
  const forms = {
    'an assignment': (word: string) => `${word} = "${secret}"`,
    'a subscript': (word: string) => `settings["${word}"] = "${secret}"`,
    'a member of an object': (word: string) => `{'${word}': '${secret}'}`,
    'a setter': (word: string) => `config.set("${word}", "${secret}")`,
    'a label in Markdown': (word: string) => `**${word}:** ${secret}`,
    'a list of arguments': (word: string) => `run("login", "--${word.replaceAll(' ', '-')}", "${secret}")`,
    'a heading of a column': (word: string) => `user,${word},role\nann,${secret},admin\n`,
    'a heading of a table': (word: string) => `| user | ${word} |\n|---|---|\n| ann | ${secret} |\n`,
  }
  const words = ['password', 'Passwd', 'passphrase', 'passcode', 'PWD', 'DB_PASS', 'wifi psk', 'mnemonic']
  const foreign = [
    'Kennwort',
    'contraseña',
    'jelszó',
    'Пароль',
    '密码',
    'パスワード',
    '비밀번호',
    'mật khẩu',
    'hasło',
  ]
  const cases = Object.entries(forms).flatMap(([name, form]) =>
    [...words, ...foreign].map((word) => [word, name, form(word)] as const),
  )

  it.each(cases)('%s as %s', (_, __, text) => expect(redactSecrets(text)).not.toContain(secret))

  const key = 'q7Rk2mZx9LpT4vBn8sWc'
  const keys = [
    'api_key',
    'API key',
    'access-key',
    'client_secret',
    'authToken',
    'clave api',
    'credential',
    '密钥',
  ]
  const keyCases = Object.entries(forms).flatMap(([name, form]) =>
    keys.map((word) => [word, name, form(word).replace(secret, key)] as const),
  )
  it.each(keyCases)('%s as %s', (_, __, text) => expect(redactSecrets(text)).not.toContain(key))

  it.each(['bypass', 'compass', 'monkey', 'primary key', 'passport', 'token_count', 'public key'])(
    'not %s',
    (word) => {
      for (const form of Object.values(forms)) expect(redactSecrets(form(word))).toBe(form(word))
    },
  )
})

describe('secrets of many kinds', () => {
  const planted = plantedSecrets(13 * SECRET_KINDS.length, 20_260_301)

  it.each(Object.entries(CARRIERS))('in %s', (_, carry) => {
    const seen = planted.flatMap(({ kind, text, secret }) => {
      const hidden = redactSecrets(carry(text))
      const read = hidden + meant(hidden)
      const leaks = tellingParts(secret).filter((part) => read.includes(part))
      return leaks.length === 0 ? [] : [`${kind}: ${hidden}`]
    })
    expect(seen).toEqual([])
    expect(SECRET_KINDS.length).toBeGreaterThanOrEqual(60)
  })
})

describe('tokens that go on in the next line', () => {
  const breaks = {
    'a line': '\n',
    'a line of a mail': '\r\n> ',
    'a string that is joined': '" +\n    "',
    'a shell': '\\\n  ',
  }

  it.each(Object.entries(breaks))('of %s', (_, gap) => {
    const kinds = new Set([
      'aws',
      'github',
      'gitlab',
      'slack',
      'openai',
      'anthropic',
      'registries',
      'google',
      'trackers',
    ])
    const planted = plantedSecrets(11 * SECRET_KINDS.length, 5).filter(({ kind }) => kinds.has(kind))
    const seen = planted.flatMap(({ secret }) => {
      const middle = Math.ceil(secret.length * 0.6)
      const hidden = redactSecrets(`run ${secret.slice(0, middle)}${gap}${secret.slice(middle)}\nthen go on`)
      return hidden.includes(secret.slice(middle + 2)) || !hidden.includes('then go on') ? [hidden] : []
    })
    expect(planted.length).toBeGreaterThan(80)
    expect(seen).toEqual([])
  })
})

describe('what is left', () => {
  it.each(HARMLESS)('%s', (text) => {
    expect(redactSecrets(text)).toBe(text)
  })

  it('returns the same string when nothing is found', () => {
    const text = 'an ordinary text '.repeat(1000)
    expect(Object.is(redactSecrets(text), text)).toBe(true)
  })
})

describe('properties', () => {
  const fragment = fc.oneof(
    fc.constantFrom(...TOKENS.map(([, secret]) => secret)),
    fc.constantFrom(...CONTEXTS.map(([, text, secret]) => text.replace('§', secret))),
    fc.constantFrom(...HARMLESS, ...PRIVATE_KEYS),
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom(
      'token=',
      'password: "',
      "secret = '",
      'Bearer ',
      '://u:',
      '@',
      '"',
      "'",
      '\\"',
      '\n',
      '&',
      ';',
    ),
  )
  const text = fc.array(fragment, { maxLength: 12 }).map((fragments) => fragments.join(' '))

  it('is idempotent', async () => {
    await counted(
      'invariant 9, redaction is idempotent',
      fc.property(text, (input) => {
        const once = redactSecrets(input)
        expect(redactSecrets(once)).toBe(once)
      }),
      1000,
      'texts',
    )
  })

  it('hides a planted token in any text', async () => {
    await counted(
      'invariant 9, planted tokens',
      fc.property(text, text, fc.constantFrom(...TOKENS), (before, after, [, secret]) => {
        expect(redactSecrets(`${before} ${secret} ${after}`)).not.toContain(secret)
      }),
      1000,
      'texts',
    )
  })

  /** A pattern that is worse than linear does not come back from a megabyte of its own beginning. */
  it.each([
    'token=',
    'token="',
    'token: x.y.',
    'token=\'`"',
    'eyJ-',
    'eyJaaaaaaaa.',
    PRIVATE_KEYS[0]?.slice(0, 27) ?? '',
    PRIVATE_KEYS[0]?.slice(0, 90) ?? '',
    '://a:',
    'authorization: ',
    'bearer a',
    'api_key',
    '--a-b-c-token ',
    ' -u a:b curl',
    'cookie:a=',
    '?token=',
    '12345678:AA',
    'sk-a',
    'password: "letters letters ',
    'password=[REDACTED:x]',
    'identified by ',
    'user a password ',
    'seed phrase: word ',
    ': "password,',
    '+++ ',
    '\\',
  ])('takes a megabyte of %j', (unit) => {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length))
    expect(redactSecrets(text).length).toBeGreaterThan(0)
  })
})
