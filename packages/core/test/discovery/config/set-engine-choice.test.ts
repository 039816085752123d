import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { engineChoice, setEngineChoice } from '../../../src/discovery.ts'
import { InvalidOptionError } from '../../../src/index.ts'

describe('engineChoice', () => {
  it.each([
    ['context:\n  engine: lcm', 'lcm'],
    ['context: {engine: "@acme/engine"}', '@acme/engine'],
    ['lcm: &e lcm\ncontext:\n  engine: *e', 'lcm'],
    ['context:\n  engine: lcm\n  unknown: 1\nanything: else', 'lcm'],
    ['', undefined],
    ['context:', undefined],
    ['context: 5', undefined],
    ['context:\n  engine: 5', undefined],
    ['context:\n  engine: ""', undefined],
    ['context:\n  __proto__: {engine: lcm}', undefined],
    ['__proto__: {context: {engine: lcm}}', undefined],
    ['- a', undefined],
    ['context: [', undefined],
    ['context: *unknown', undefined],
    ['context: &c {engine: lcm, self: *c}', undefined],
    ['context:\n  engine: lcm\n---\na: 1', undefined],
  ])('of %j is %j', (text, choice) => {
    expect(engineChoice(text)).toBe(choice)
  })
})

describe('setEngineChoice', () => {
  it.each([
    ['an empty file', '', 'context:\n  engine: lcm\n'],
    ['comments only', '# mine\n', '# mine\n\ncontext:\n  engine: lcm\n'],
    [
      'another section',
      'compression:\n  enabled: true # yes\n',
      'compression:\n  enabled: true # yes\ncontext:\n  engine: lcm\n',
    ],
    ['an empty block', 'context:\na: 1\n', 'context:\n  engine: lcm\na: 1\n'],
    [
      'a block with other keys',
      'context:\n  # fail early\n  strict: true\n',
      'context:\n  # fail early\n  strict: true\n  engine: lcm\n',
    ],
    ['braces', 'context: {strict: true}', 'context: { strict: true, engine: lcm }\n'],
    ['an alias', 'a: &c { b: 1 }\ncontext: *c\n', 'a: &c { b: 1 }\ncontext:\n  b: 1\n  engine: lcm\n'],
    ['another engine', 'context:\n  engine: old # why\n', 'context:\n  engine: lcm # why\n'],
    ['one in quotes', "context:\n  engine: 'old'\n", "context:\n  engine: 'lcm'\n"],
    ['Windows line ends', '# a\r\nb: 1\r\n', '# a\r\nb: 1\r\ncontext:\r\n  engine: lcm\r\n'],
    ['the same name', 'context: {engine: "lcm" }   ', 'context: {engine: "lcm" }   '],
  ])('writes the name into a file with %s', (_, before, after) => {
    expect(setEngineChoice(before, 'lcm')).toBe(after)
  })

  it.each(['@acme/engine', 'null', '1e3'])('quotes the name %s, which YAML needs', (name) => {
    expect(setEngineChoice('', name)).toBe(`context:\n  engine: "${name}"\n`)
  })

  it.each([
    ['context: [', 'lcm', /^config\.yaml line 1: /, ''],
    ['a: 1\n---\nb: 1', 'lcm', /^config\.yaml line 2: a second document/, ''],
    ['- a', 'lcm', /^config\.yaml: expected keys/, ''],
    ['a: *unknown', 'lcm', /^config\.yaml: Unresolved alias/, ''],
    ['a: &a [*a]', 'lcm', /^config\.yaml: an alias stands inside of what it refers to; write/, ''],
    ['context: 5', 'lcm', /^context: expected keys such as "engine:" in config\.yaml$/, 'context'],
    ['context: [a]', 'lcm', /^context: expected keys/, 'context'],
    [
      'context: &c {strict: true}\nlcm: *c\n',
      'lcm',
      /set context\.engine to "lcm" by hand$/,
      'context.engine',
    ],
    [
      '',
      '../x',
      /^context\.engine: "\.\.\/x" is neither the name of an engine, such as "my-engine", nor of an npm package$/,
      'context.engine',
    ],
    ['', 'a: b', /neither/, 'context.engine'],
    ['', '', /neither/, 'context.engine'],
    ['', 'x'.repeat(215), /neither/, 'context.engine'],
    ['', undefined as never, /neither/, 'context.engine'],
  ])('refuses %j with %j', (text, name, message, path) => {
    const call = () => setEngineChoice(text, name)
    expect(call).toThrow(InvalidOptionError)
    expect(call).toThrow(expect.objectContaining({ message: expect.stringMatching(message), path }))
  })
})

const name = fc.constantFrom('lcm', 'compressor', '@acme/topic-window', 'null', 'a.b')

it('any text at all is set or refused, never broken', () => {
  const piece = fc.constantFrom(
    ...'context engine : { } [ ] - ? # &a *a !!str | " ~ x <<:'.split(' '),
    ...[
      "'",
      ': ',
      ', ',
      ' # c',
      '\n',
      '\n  ',
      '\r\n',
      '\t',
      '---\n',
      '...\n',
      '%YAML 1.1\n',
      '\ufeff',
      '\ud83d',
    ],
  )
  const start = fc.constantFrom('', 'context:\n  engine: ', 'context: ', 'a: &a {engine: x}\n', '---\n')
  const anything = fc
    .tuple(start, fc.array(piece, { maxLength: 12 }))
    .map(([head, parts]) => head + parts.join(''))
  fc.assert(
    fc.property(anything, name, (text, engine) => {
      try {
        expect(engineChoice(setEngineChoice(text, engine))).toBe(engine)
      } catch (error) {
        if (!(error instanceof InvalidOptionError)) throw error
      }
    }),
    { numRuns: 2000 },
  )
})
