import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { engineChoice, parseConfig, setEngineChoice } from '../../../src/discovery.ts'
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
    ['a byte order mark', '\ufeff', '\ufeffcontext:\n  engine: lcm\n'],
    ['comments only', '# mine\n', '# mine\ncontext:\n  engine: lcm\n'],
    ['a comment without a last line end', '# mine', '# mine\ncontext:\n  engine: lcm'],
    ['blanks only', '\n  ', '\n  \ncontext:\n  engine: lcm'],
    ['a start marker', '---\n', '---\ncontext:\n  engine: lcm\n'],
    ['a bare start marker', '---', '---\ncontext:\n  engine: lcm'],
    ['an end marker', 'a: 1\n# end\n...\n# more\n', 'a: 1\n# end\ncontext:\n  engine: lcm\n...\n# more\n'],
    ['a null', '--- ~ # none\n', '--- {context: {engine: lcm}} # none\n'],
    ['braces', '{}\n', '{context: {engine: lcm}}\n'],
    [
      'braces with keys',
      '{ compression: {enabled: true} }',
      '{ context: {engine: lcm}, compression: {enabled: true} }',
    ],
    [
      'another section',
      'compression:\n    enabled: true\n',
      'compression:\n    enabled: true\ncontext:\n    engine: lcm\n',
    ],
    ['no last line end', 'a:\n b: 1', 'a:\n b: 1\ncontext:\n engine: lcm'],
    ['an indented file', '  a: 1\n', '  a: 1\n  context:\n    engine: lcm\n'],
    ['a block text at the end', 'a: |\n  text', 'a: |\n  text\ncontext:\n  engine: lcm'],
    ['Windows line ends', '# a\r\nb: 1\r\n', '# a\r\nb: 1\r\ncontext:\r\n  engine: lcm\r\n'],
  ])('adds a block to %s', (_, before, after) => {
    expect(setEngineChoice(before, 'lcm')).toBe(after)
  })

  it.each([
    ['nothing in it', 'context:\na: 1\n', 'context:\n  engine: lcm\na: 1\n'],
    ['nothing in it, at the end', 'context:', 'context:\n  engine: lcm'],
    ['comments only', 'context: # mine\n  # none yet\n', 'context: # mine\n  engine: lcm\n  # none yet\n'],
    ['null', 'context: ~ # none\n', 'context: {engine: lcm} # none\n'],
    ['an anchor only', 'context: &c\na: *c\n', 'context: &c\n  engine: lcm\na: null\n'],
    [
      'another key',
      'context:\n    # fail early\n    strict: true\n',
      'context:\n    engine: lcm\n    # fail early\n    strict: true\n',
    ],
    [
      'another key, with Windows line ends',
      'context: # c\r\n\r\n  strict: true',
      'context: # c\r\n  engine: lcm\r\n\r\n  strict: true',
    ],
    ['braces', 'context: {strict: true}', 'context: {engine: lcm, strict: true}'],
    ['wide braces', 'context: { strict: true }', 'context: { engine: lcm, strict: true }'],
    ['empty braces', 'context: {}', 'context: {engine: lcm}'],
    ['empty wide braces', 'context: { }', 'context: { engine: lcm }'],
    [
      'braces on lines',
      'context: { # c\n  strict: true,\n}\n',
      'context: { engine: lcm, # c\n  strict: true,\n}\n',
    ],
    [
      'an alias',
      'lcm: &c {strict: true}\ncontext: *c # c\n',
      'lcm: &c {strict: true}\ncontext: {"strict":true,"engine":"lcm"} # c\n',
    ],
    [
      'an anchor that others use',
      'context: &c\n  strict: true\nlcm: *c\n',
      'context: &c\n  engine: lcm\n  strict: true\nlcm: {"strict":true}\n',
    ],
    ['a key without a colon', '{context, a: 1}', '{context: {engine: lcm}, a: 1}'],
  ])('adds the key to a block with %s', (_, before, after) => {
    expect(setEngineChoice(before, 'lcm')).toBe(after)
  })

  it.each([
    ['plain', 'context:\n  engine:   old   # why\n', 'context:\n  engine:   lcm   # why\n'],
    ['in double quotes', 'context: {"engine":"old"}', 'context: {"engine":"lcm"}'],
    ['in single quotes', "context:\r\n  engine: 'old'\r\n", "context:\r\n  engine: 'lcm'\r\n"],
    ['missing', 'context:\n  engine: # pick one\n', 'context:\n  engine: lcm # pick one\n'],
    ['missing at the end', 'context:\n  engine:', 'context:\n  engine: lcm'],
    ['missing in braces', 'context: {engine, strict: true}', 'context: {engine: lcm, strict: true}'],
    ['missing behind a tag', 'context:\n  engine: !!str\n', 'context:\n  engine: !!str lcm\n'],
    ['a null', 'context:\n  engine: ~\n', 'context:\n  engine: lcm\n'],
    ['a number', 'context:\n  engine: 5\n', 'context:\n  engine: lcm\n'],
    [
      'a list',
      'context:\n  engine:\n    - a\n\n  strict: true\n',
      'context:\n  engine:\n    lcm\n\n  strict: true\n',
    ],
    [
      'a block text',
      'context:\n  engine: >- # c\n    old\n  strict: true\n',
      'context:\n  engine: lcm # c\n  strict: true\n',
    ],
    ['an alias', 'lcm: &e old\ncontext:\n  engine: *e\n', 'lcm: &e old\ncontext:\n  engine: lcm\n'],
    [
      'an anchor that others use',
      'context:\n  engine: &e old\nlcm: [*e]\n',
      'context:\n  engine: &e lcm\nlcm: ["old"]\n',
    ],
    [
      'in a file with directives',
      '%YAML 1.2\n---\ncontext: {engine: old}\n',
      '%YAML 1.2\n---\ncontext: {engine: lcm}\n',
    ],
    [
      'merged in',
      '%YAML 1.1\n---\nbase: &b {engine: old}\ncontext:\n  <<: *b\n',
      '%YAML 1.1\n---\nbase: &b {engine: old}\ncontext:\n  engine: lcm\n  <<: *b\n',
    ],
    ['under a quoted key', '"context":\n  "engine": old', '"context":\n  "engine": lcm'],
  ])('replaces a value that is %s', (_, before, after) => {
    expect(setEngineChoice(before, 'lcm')).toBe(after)
  })

  it.each([
    ['@acme/engine', 'engine: "@acme/engine"'],
    ['null', 'engine: "null"'],
    ['on', 'engine: "on"'],
    ['1e3', 'engine: "1e3"'],
    ['topic-window', 'engine: topic-window'],
    ['my.engine', 'engine: my.engine'],
  ])('quotes the name %s where YAML needs it', (name, line) => {
    expect(setEngineChoice('context:\n  engine: old\n', name)).toBe(`context:\n  ${line}\n`)
  })

  it.each([
    'context: {engine: "lcm" }   ',
    'base: &c {engine: lcm}\ncontext: *c',
    '%YAML 1.1\n---\nbase: &c {engine: lcm}\ncontext: {<<: *c}',
  ])('changes nothing where the name stands already: %j', (text) => {
    expect(setEngineChoice(text, 'lcm')).toBe(text)
  })

  it.each([
    ['context: [', 'lcm', /^config\.yaml line 1: /, ''],
    ['a: 1\n---\nb: 1', 'lcm', /^config\.yaml line 2: a second document/, ''],
    ['- a', 'lcm', /^config\.yaml: expected keys/, ''],
    ['a: *unknown', 'lcm', /^config\.yaml: Unresolved alias/, ''],
    ['a: &a [*a]', 'lcm', /^config\.yaml: an alias stands inside of what it refers to; write/, ''],
    ['context: 5', 'lcm', /^context: expected keys such as "engine:" in config\.yaml$/, 'context'],
    ['context: [a]', 'lcm', /^context: expected keys/, 'context'],
    ['context:\n  engine:\n  - a', 'lcm', /by hand$/, 'context.engine'],
    ['? context\n', 'lcm', /set context\.engine to "lcm" by hand$/, 'context.engine'],
    ['k: &k context\n*k : {strict: true}\n', 'lcm', /by hand$/, 'context.engine'],
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

  it('names the file', () => {
    expect(() => setEngineChoice('[', 'lcm', { fileName: 'team.yaml' })).toThrow(/^team\.yaml line 1/)
  })
})

/** Lines between the blocks of a configuration. */
const filler = fc.array(fc.constantFrom('', '# a comment', '   # engine: old', '  '), { maxLength: 2 })

/** A block, and what of it may be taken out. */
interface ContextBlock {
  readonly lines: readonly string[]
  readonly value: string
}

/** A value, and what follows it on its line. */
const engineValue = fc.tuple(
  fc.constantFrom('old', '"old"', "'old'", '', '~', '5', '"a # b: c"', '[a, b]'),
  fc.constantFrom('', '   # why'),
)

const blockContext: fc.Arbitrary<ContextBlock> = fc
  .record({
    indent: fc.constantFrom('  ', '    ', ' '),
    key: fc.constantFrom('context:', '"context":', 'context: # which engine', 'context: &anchor'),
    mark: fc.constantFrom('', '&e ', '!!str '),
    engine: fc.option(engineValue),
    strict: fc.option(fc.constantFrom('true', 'false # loud', '')),
    strictFirst: fc.boolean(),
    between: filler,
  })
  .map(({ indent, key, mark, engine, strict, strictFirst, between }) => {
    const [value, rest] = engine ?? ['', '']
    // A tag for texts does not go with a list.
    const tag = value.startsWith('[') ? '' : mark
    const members = [
      ...(engine === null ? [] : [`${indent}engine: ${tag}${value}${rest}`]),
      ...(strict === null ? [] : [`${indent}strict: ${strict}`]),
    ]
    return { lines: [key, ...between, ...(strictFirst ? members.reverse() : members)], value }
  })

const flowContext: fc.Arbitrary<ContextBlock> = fc.constantFrom(
  { lines: ['context: {}'], value: '' },
  { lines: ['context: { strict: true } # c'], value: '' },
  { lines: ['context: {engine: old,strict: true}'], value: 'old' },
  { lines: ['context: {', '  "engine": \'old\', # c', '}'], value: 'old' },
  { lines: ['context: ~ # c'], value: '~' },
  { lines: ['context:'], value: '' },
)

const others = fc.uniqueArray(
  fc.constantFrom(
    'compression:\n  enabled: true # yes',
    'lcm:\n    deep: { engine: old, context: {engine: old} }',
    'decisions:\n  text: |\n    context:\n      engine: old\n',
    'auxiliary:\n- context: 1\n- engine',
    "other: 'context: {engine: old}'",
  ),
  { maxLength: 3 },
)

const configuration = fc
  .record({
    start: fc.constantFrom('', '---\n', '# top\n---\n', '\ufeff', '%YAML 1.2\n---\n'),
    before: others,
    context: fc.option(fc.oneof(blockContext, flowContext), { freq: 6, nil: { lines: [], value: '' } }),
    after: others,
    fillers: fc.tuple(filler, filler),
    end: fc.constantFrom('', '\n', '\n\n', '\n# end', '\n...\n'),
    eol: fc.constantFrom('\n', '\r\n'),
  })
  .map(({ start, before, context, after, fillers, end, eol }) => {
    const rest = after.filter((block) => !before.includes(block))
    const body = [...before, ...fillers[0], ...context.lines, ...fillers[1], ...rest].join('\n')
    return { text: (start + body + end).replaceAll('\n', eol), value: context.value, eol }
  })

const name = fc.constantFrom('lcm', 'compressor', '@acme/topic-window', 'null', 'a.b')

it('only that value changes in any configuration', () => {
  fc.assert(
    fc.property(configuration, name, ({ text, value, eol }, engine) => {
      const before = parse(text) ?? {}
      const edited = setEngineChoice(text, engine)
      expect(parse(edited)).toEqual({ ...before, context: { ...before.context, engine } })
      expect(setEngineChoice(edited, engine)).toBe(edited)

      const { removed, added } = difference(text, edited)
      expect(value).toContain(removed)
      expect(added).not.toContain('#')
      expect(added.replaceAll(text.includes(eol) ? eol : '\n', '')).not.toMatch(/[\r\n]/)
    }),
    { numRuns: 1000 },
  )
})

it('any text at all is set or refused, never broken', () => {
  const piece = fc.constantFrom(
    ...[
      'context',
      'engine',
      ':',
      ': ',
      '\n',
      '\n  ',
      '\r\n',
      '{',
      '}',
      '[',
      ']',
      ', ',
      '- ',
      '? ',
      '#',
      ' # c',
      '---\n',
    ],
    ...[
      '&a ',
      '*a',
      '!!str ',
      '|\n',
      '"',
      "'",
      '~',
      'x',
      '\t',
      '<<: ',
      '...\n',
      '%YAML 1.1\n',
      '\ufeff',
      '\u2028',
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

it('a configuration stays one that can be read', () => {
  fc.assert(
    fc.property(
      fc.subarray(['compression: {enabled: true}', 'prompt_caching:\n  cache_ttl: 1h', '# c']),
      name,
      (parts, engine) => {
        expect(parseConfig(setEngineChoice(parts.join('\n'), engine)).context.engine).toBe(engine)
      },
    ),
  )
})

/** The middle that differs between two texts. */
function difference(before: string, after: string): { removed: string; added: string } {
  let start = 0
  while (start < before.length && before[start] === after[start]) start++
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before.at(-1 - end) === after.at(-1 - end)
  )
    end++
  return { removed: before.slice(start, before.length - end), added: after.slice(start, after.length - end) }
}
