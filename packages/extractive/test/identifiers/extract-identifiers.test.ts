import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { extractIdentifiers, type IdentifierKind } from '../../src/index.ts'

const found = (text: string): string[] =>
  extractIdentifiers(text).map((identifier) => `${identifier.kind} ${identifier.text}`)

describe('extractIdentifiers', () => {
  it.each<[string, IdentifierKind, string]>([
    ['see src/theme/theme.ts:148:9.', 'path', 'src/theme/theme.ts'],
    ['(README.md)', 'path', 'README.md'],
    ['in ~/.config/app', 'path', '~/.config/app'],
    ['C:\\Users\\me\\a.txt', 'path', 'C:\\Users\\me\\a.txt'],
    ['文件src/app.ts在', 'path', 'src/app.ts'],
    ['the .gitignore', 'path', '.gitignore'],
    ['<https://a.example/c?d=e&f=1#x>.', 'url', 'https://a.example/c?d=e&f=1#x'],
    ['at localhost:3000', 'url', 'localhost:3000'],
    ['commit 1ffa464', 'hash', '1ffa464'],
    ['color #8abeb7', 'hash', '#8abeb7'],
    ['123e4567-e89b-12d3-a456-426614174000', 'hash', '123e4567-e89b-12d3-a456-426614174000'],
    ['took 200 ms', 'number', '200 ms'],
    ['a 4KB page', 'number', '4KB'],
    ['at 80%', 'number', '80%'],
    ['v4.0.2-rc.1', 'version', 'v4.0.2-rc.1'],
    ['code ENOENT', 'error', 'ENOENT'],
    ['error TS2345:', 'error', 'TS2345'],
    ['java.lang.NullPointerException', 'error', 'java.lang.NullPointerException'],
    ['call fooBar()', 'symbol', 'fooBar'],
    ['HTMLElement', 'symbol', 'HTMLElement'],
    ['snake_case', 'symbol', 'snake_case'],
    ['MAX_RETRIES', 'symbol', 'MAX_RETRIES'],
    ['Foo::bar', 'symbol', 'Foo::bar'],
    ['Ash.Query.filter', 'symbol', 'Ash.Query.filter'],
    ['@scope/pack-age', 'symbol', '@scope/pack-age'],
    ['named "The Big One"', 'quoted', 'The Big One'],
    ['«большой дом»', 'quoted', 'большой дом'],
    ['use `render`', 'quoted', 'render'],
    ['branch feature/foo-bar', 'branch', 'feature/foo-bar'],
    ['--no-color', 'setting', '--no-color'],
    ['TIMEOUT_MS=500', 'setting', 'TIMEOUT_MS=500'],
    ['$HOME', 'setting', '$HOME'],
    ['fixes #123', 'reference', '#123'],
    ['JIRA-12', 'reference', 'JIRA-12'],
  ])('finds in "%s" the %s %s', (text, kind, name) => {
    expect(extractIdentifiers(text)).toContainEqual({ text: name, kind })
  })

  it.each([
    'This is a plain sentence, with e.g. and/or other words. Another one...',
    "It doesn't matter; don't worry about 3 of 12 or 1/2.",
    '</div><p>text</p>',
    'at 12:30:45 on 2025-11-20T23:33:50.805Z',
    'UTF-8 and SHA-256 are JSON',
    'text\u001b[39mtext',
  ])('finds nothing in "%s"', (text) => {
    expect(found(text)).toEqual([])
  })

  it('lists each once, in order of first occurrence', () => {
    expect(found('fooBar, src/b.ts, fooBar and src/a.ts')).toEqual([
      'symbol fooBar',
      'path src/b.ts',
      'path src/a.ts',
    ])
  })

  it('finds only what stands in the text, whatever the text is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        for (const identifier of extractIdentifiers(text)) expect(text).toContain(identifier.text)
      }),
      { numRuns: 500 },
    )
  })
})
