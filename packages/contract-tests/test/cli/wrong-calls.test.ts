import { describe, expect, it } from 'vitest'
import { engineSource, temporaryFolder, writeFiles } from './engine-files.ts'
import { runCli } from './run-cli.ts'

const folder = temporaryFolder()
const core = new URL('../../../core/src/index.ts', import.meta.url).href

writeFiles(folder, {
  'package.json': '{ "type": "module" }',
  'picky.js': engineSource('picky', {
    before: `import { InvalidOptionError } from ${JSON.stringify(core)}`,
    parts: `status: options.level === undefined ? undefined : (() => {
      throw new InvalidOptionError('level', 'level: there is none')
    })(),`,
  }),
  'throws.js': "throw new Error('no way\\nin here')",
  'throws.cjs': "\nthrow new TypeError('odd')",
  'throws-odd.js': 'throw Object.create(null)',
  'syntax.js': 'export const = 1',
  'old.js': `throw new TypeError('Unknown file extension ".mts" for /x.mts')`,
  'needs.js': "import 'not-installed-anywhere'",
  'exits.js': 'process.exit(3)',
  'rejects.js': "Promise.reject(new Error('lost'))",
  'crashes.js': "queueMicrotask(() => { throw new Error('later') })",
})

describe('a wrong call', () => {
  it.each([
    ['./missing.js', 'there is no file ./missing.js; was it built?'],
    ['./throws.js', './throws.js threw while it was loaded: no way; in here (throws.js:1)'],
    ['./throws.cjs', './throws.cjs threw while it was loaded: odd (throws.cjs:2)'],
    [
      './throws-odd.js',
      './throws-odd.js threw while it was loaded: something that cannot be shown was thrown',
    ],
    ['./syntax.js', /^\.\/syntax\.js threw while it was loaded: .+ \("node \.\/syntax\.js" shows where\)$/],
    [
      './needs.js',
      /^\.\/needs\.js threw while it was loaded: Cannot find package 'not-installed-anywhere'.*; install it: npm install not-installed-anywhere$/,
    ],
    [
      './old.js',
      './old.js threw while it was loaded: Unknown file extension ".mts" for /x.mts (old.js:1); TypeScript needs Node 22.18 or later, and this is ' +
        process.versions.node,
    ],
    ['./exits.js', './exits.js ended the process with exit code 3 while it was loaded'],
    ['./rejects.js', './rejects.js left an unhandled rejection (lost) while it was loaded'],
    ['C10', 'C10 is a case, and the module comes first: palimpsest-contract . C10'],
    ['./crashes.js', './crashes.js left an uncaught error (later) while it was loaded'],
  ])('with %s is told in one line', async (module, expected) => {
    const { code, stdout, stderr } = await runCli([module], { cwd: folder })
    expect(stderr).toMatch(/^palimpsest-contract: .+\n$/)
    const text = stderr.slice('palimpsest-contract: '.length, -1)
    if (typeof expected === 'string') expect(text).toBe(expected)
    else expect(text).toMatch(expected)
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })

  it('gives the engine options that it refuses, and hears why', async () => {
    const { code, stderr } = await runCli(['./picky.js', '--options', '{"level": 1}'], { cwd: folder })
    expect(stderr).toBe(
      'palimpsest-contract: the engine of ./picky.js refuses its options: level: there is none\n',
    )
    expect(code).toBe(2)
  })
})

describe('help', () => {
  it('shows examples', async () => {
    const { code, stdout } = await runCli(['--help'])
    expect(stdout).toContain('Examples\n  palimpsest-contract .\n')
    expect(code).toBe(0)
  })

  it('has the versions', async () => {
    const { code, stdout } = await runCli(['--version'])
    expect(stdout).toMatch(/^palimpsest-contract \d+\.\d+\.\d+ \(core \d+\.\d+\.\d+\)\n$/)
    expect(code).toBe(0)
  })
})
