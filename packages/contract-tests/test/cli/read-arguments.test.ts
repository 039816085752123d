import { describe, expect, it } from 'vitest'
import { readArguments } from '../../src/cli/read-arguments.ts'

describe('readArguments', () => {
  it('takes a module, cases and options', () => {
    const args = [
      './engine.js',
      'C01',
      'P',
      '--options',
      '{"a": 1}',
      '--expect',
      'tools, lossless',
      '--seed=-3',
    ]
    expect(readArguments([...args, '--runs', '20', '--case-timeout', '9000', '--tap', '--verbose'])).toEqual({
      command: 'run',
      module: './engine.js',
      cases: ['C01', 'P'],
      options: { a: 1 },
      expect: ['tools', 'lossless'],
      seed: -3,
      runs: 20,
      caseTimeout: 9_000,
      format: 'tap',
      verbose: true,
    })
  })

  it('shows the help whatever else is there', () => {
    expect(readArguments(['.', '--json', '-h'])).toEqual({ command: 'help' })
  })

  it.each([
    [[], /which module\?/],
    [['.', '--jsn'], /Unknown option '--jsn'; --help shows/],
    [['.', '--seed'], /'--seed <value>' argument missing; --help/],
    [['.', '--seed', '1.5'], /--seed must be a whole number from -2147483648 to 2147483647, not "1.5"/],
    [['.', '--seed', ''], /--seed must be a whole number/],
    [['.', '--case-timeout', '0'], /--case-timeout must be a whole number from 1000 to/],
    [['.', '--runs', '0'], /--runs must be a whole number from 1 to/],
    [['.', '--options', '{'], /--options is not JSON: /],
    [['.', '--options', '[]'], /--options must be a JSON object/],
    [['.', '--options', 'null'], /--options must be a JSON object/],
    [['.', '--expect', 'toString'], /--expect does not know "toString"; there are tools, selection,/],
    [['.', '--json', '--tap'], /exclude each other/],
    [['--list', '--json'], /--list is for people/],
  ])('%j is refused', (args, message) => {
    expect(() => readArguments(args)).toThrow(message)
  })
})
