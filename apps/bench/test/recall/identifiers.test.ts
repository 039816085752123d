import { describe, expect, it } from 'vitest'
import { identifiersOf } from '../../src/recall/identifiers.ts'

const found = (said: string, passed = ''): string[] => [...identifiersOf(said, passed)]

describe('an identifier', () => {
  const kinds = {
    path: [
      'src/a.ts',
      './lib/run',
      '../up/one.md',
      '~/notes/today',
      '/etc/hosts',
      '@palimpsest/core',
      'packages/core',
      '$HOME/bin/tool',
      'spotter/transcripts/jobs',
      'some-app/read_me',
    ],
    file: [
      'index.ts',
      'pnpm-lock.yaml',
      '.gitignore',
      '.eslintrc.json',
      '.env',
      '.formatter.exs',
      'Makefile',
      'read-csv.test.mjs',
    ],
    url: ['https://example.com/a/b?x=1#part', 'http://localhost:8080/health'],
    symbol: [
      'fooBar',
      'AshSqlite',
      'HTMLParser',
      'snake_case',
      'MAX_SIZE',
      'AshSqlite.DataLayer',
      'fs.readFile',
    ],
    hash: ['abcdef1', '9fceb02d0ae598e95dc970b74767f19372d61af8', '550e8400-e29b-41d4-a716-446655440000'],
    number: ['250 ms', '10px', '16,000 tokens', '50%', '1.5 GB', '3 days'],
    error: ['TS2345', 'ENOENT', 'ERR_MODULE_NOT_FOUND', 'SIGTERM', 'TypeError', 'E0308'],
  }
  for (const [kind, names] of Object.entries(kinds)) {
    it(`may be a ${kind}`, () => {
      for (const name of names) {
        expect(found(`Look at ${name}, then go on.`), name).toEqual([name])
        expect(found('', `(${name})`), name).toEqual([name])
      }
    })
  }

  it('may be a quoted name where something is said, not where code is passed to a tool', () => {
    expect(found('The "spotter" table, its `jobs` and \'rate-limit\'.')).toEqual([
      'spotter',
      'jobs',
      'rate-limit',
    ])
    expect(found('', 'const a = "spotter"')).toEqual([])
    expect(found('"two words", "it", don\'t say \'no to this\', "mixed`')).toEqual([])
  })

  it.each([
    'and/or',
    '1/2',
    'm/g',
    'km/h',
    'TCP/IP',
    'read/write',
    '/foo/g',
    '2024/01/15',
    'a/b/c',
    '</tasks>',
    '<br/>',
    '//TODO',
    'e.g. this',
    'i.e. that',
    'U.S.A.',
    'v1.2.3',
    '12 apples',
    'ERROR',
    'EVERY',
    'SIGNAL',
    'Error',
    'GET',
    'APIs',
    'decade',
    '1234567',
    '--dry',
    '.test.ts',
    '*.d.ts',
    '.module.css',
    'well-known',
    'wait...then',
    'a',
    '',
  ])('is not %s', (text) => {
    expect(found(text)).toEqual([])
  })

  it('stands without what is written around it', () => {
    expect(
      found('</task-id> src/a.ts:12:5, (lib/b.ts). +import --out=dist/c.js ...restOf .forEach(x)'),
    ).toEqual(['src/a.ts', 'lib/b.ts', 'dist/c.js', 'restOf', 'forEach'])
    expect(found('请检查src/a.ts文件')).toEqual(['src/a.ts'])
  })

  it('counts once, and as the longest where one stands in another', () => {
    expect(found('`src/fooBar.ts` and src/fooBar.ts and https://example.com/src/fooBar.ts')).toEqual([
      'src/fooBar.ts',
      'https://example.com/src/fooBar.ts',
    ])
  })

  it('is found in time linear in any text', () => {
    const size = 100_000
    for (const part of [
      '.',
      'a',
      'aA',
      '-a',
      '1,000',
      '1.',
      '/',
      '/a',
      '"',
      '"aaaa',
      '`a ',
      'https://',
      '$',
      'a_',
      '</',
      '1 ',
      'a.b ',
    ])
      identifiersOf(part.repeat(size / part.length), part.repeat(size / part.length))
    expect(found(`${'x'.repeat(size)} fooBar ${'-'.repeat(size)}`)).toEqual(['fooBar'])
  })
})
