import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { commandOf } from '../../../scripts/command-of.ts'
import { readTarget } from '../src/cli/load-target.ts'
import { readArguments } from '../src/cli/read-arguments.ts'
import { selectCases } from '../src/cli/select-cases.ts'
import { type ContractHost, contractCases } from '../src/index.ts'
import { referenceEngine } from './reference-engine.ts'

const folder = mkdtempSync(join(tmpdir(), 'contract-cli-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const CORE = new URL('../../core/src/index.ts', import.meta.url).href

/** The source of a module that exports a small engine. */
const engineSource = (name: string, parts = '', before = '') => `
import { defineContextEngine, InvalidOptionError, keptResult } from ${JSON.stringify(CORE)}
${before}
export default defineContextEngine({
  name: ${JSON.stringify(name)},
  apiVersion: 1,
  description: 'An engine of a test',
  create: (options, host) => ({
    shouldCompress: () => false,
    compress: async ({ messages }) => keptResult('unchanged', 'never', messages, host.tokens),
    ${parts}
  }),
})
`

const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "type": "module" }',
  'good.ts': engineSource('good'),
  'bad.js': engineSource('bad', `capabilities: ['tools #1'], contextLength: NaN,`),
  'loud.js': engineSource('loud', '', "console.log('{ a line of an engine')"),
  'exits.js': engineSource('exits', 'async compress() { process.exit(0) },'),
  'hangs.js': engineSource('hangs', 'compress: () => new Promise(() => {}),'),
  'picky.js': engineSource(
    'picky',
    `status: options.level && (() => { throw new InvalidOptionError('level', 'level: there is none') })(),`,
  ),
  'target.js': `import engine from './good.ts'
    export const contractTarget = {
      name: 'target',
      create: (host) => engine.create({}, host),
      expectCapabilities: ['lossless'],
      skip: { C02: 'left out' },
    }`,
  'throws.js': "throw new Error('no way\\nin here')",
  'node_modules/entry-engine/package.json':
    '{ "contextEngine": { "entry": "./engine.mjs" }, "exports": "./index.js" }',
  'node_modules/@scope/exporting/package.json':
    '{ "exports": { ".": { "types": "./a.d.ts", "import": { "default": "./engine.mjs" } } } }',
  'node_modules/unbuilt/package.json': '{ "main": "./dist/index.js" }',
  'plugins/mine/plugin.yaml': 'name: mine',
  'plugins/mine/index.ts': engineSource('mine'),
  'empty/readme.txt': '',
}
for (const [path, source] of Object.entries(FILES)) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), source)
}
for (const name of ['entry-engine', '@scope/exporting'])
  writeFileSync(join(folder, `node_modules/${name}/engine.mjs`), engineSource('installed'))

/** Runs the command as a person would, without a terminal. */
async function run(...args: readonly string[]) {
  const { FORCE_COLOR: _, ...env } = process.env
  const program = [...commandOf('packages/contract-tests/src/cli/main.ts'), ...args]
  const child = spawn(process.execPath, program, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.on('close', resolve)),
  ])
  return { stdout, stderr, code }
}

describe('the report', () => {
  it('ends with a line that sums up, and exits with 0 when all cases passed', async () => {
    expect(await run('./good.ts', 'C01-C05')).toEqual({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(
        /^declared: nothing\ngood: 4 passed, 0 failed, 0 skipped in \d+\.\d s\n$/,
      ),
    })
  })

  it('names each case that failed with its reason below it, and exits with 1', async () => {
    const { code, stdout } = await run('./bad.js', 'C01-C05')
    expect(stdout).toContain(
      'C03 declares exactly the capabilities that it has\n    unknown capability tools #1\n',
    )
    expect(stdout).toContain('bad: 2 passed, 2 failed, 0 skipped in')
    expect(code).toBe(1)
  })

  it('tells how a property is repeated', async () => {
    const { stdout } = await run('./good.ts', 'P05', '--seed=-4', '--runs', '7', '--options', `{"a":"it's"}`)
    expect(stdout).toContain(
      `    again: palimpsest-contract ./good.ts P05 --seed=-4 --options '{"a":"it'\\''s"}' --runs 7\n`,
    )
  })

  it('fails when nothing could run', async () => {
    const nothing = await run('./good.ts', 'C67')
    expect(nothing).toMatchObject({ code: 1, stdout: expect.stringContaining('nothing ran') })
  })

  it('is one object with everything about the run with --json, also when the engine prints', async () => {
    const { stdout, stderr } = await run('./loud.js', 'C01-C05', '--json', '--seed', '7', '--runs', '3')
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
    const report = JSON.parse(stdout)
    expect(report).toMatchObject({
      engine: 'loud',
      module: './loud.js',
      versions: { contractTests: version, core: version },
      seed: 7,
      propertyRuns: 3,
      counts: { passed: 4, failed: 0, skipped: 0 },
    })
    expect(report.cases[0]).toMatchObject({ id: 'C01', title: 'has apiVersion 1', status: 'passed' })
    expect(stderr).toContain('a line of an engine')
  })
})

describe('an engine that', () => {
  it('ends the process does not end it well, and the case is named', async () => {
    const { code, stderr } = await run('./exits.js', 'C02')
    expect(stderr).toContain('the engine ended the process in "C02 has a kebab-case name')
    expect(code).toBe(1)
  })

  it('never answers fails the case when its time is over, and the others run', async () => {
    const { code, stdout } = await run('./hangs.js', 'C01', 'C02', '--case-timeout', '1000')
    expect(stdout).toContain('    it was not over after 1 s, compress() had not settled; a slow engine')
    expect(stdout).toContain('hangs: 1 passed, 1 failed, 0 skipped')
    expect(code).toBe(1)
  })
})

it.each([
  ['entry-engine'],
  ['@scope/exporting'],
  ['node_modules/entry-engine'],
  ['./plugins/mine'],
  ['good.ts'],
  [`${folder}/good.ts`],
])('finds %s', async (module) => {
  expect(await run(module, 'C01')).toMatchObject({ code: 0 })
})

it.each([
  ['./missing.js', 'there is no file ./missing.js; was it built?'],
  ['missing', 'no package missing in node_modules of this folder and above; install it here first'],
  ['unbuilt', 'package.json of unbuilt names ./dist/index.js, which is not there; was it built?'],
  ['./empty', './empty is a folder without a package.json and without index.ts; name a file in it'],
  ['./throws.js', /^\.\/throws\.js threw while it was loaded: no way.*in here/],
])('tells in one line what is wrong with %s', async (module, expected) => {
  const { code, stdout, stderr } = await run(module)
  expect(stderr).toMatch(/^palimpsest-contract: .+\n$/)
  expect(stderr.slice('palimpsest-contract: '.length, -1)).toMatch(expected)
  expect([stdout, code]).toEqual(['', 2])
})

it('hears why an engine refuses its options', async () => {
  expect(await run('./picky.js', '--options', '{"level": 1}')).toMatchObject({
    code: 2,
    stderr:
      'palimpsest-contract: the engine of ./picky.js refuses its options: level: there is none; pass others with --options\n',
  })
})

it('lists the cases, and with a module which of them would be skipped', async () => {
  const { stdout } = await run('--list')
  expect(stdout.trimEnd().split('\n')).toHaveLength(contractCases.length)
  expect((await run('./target.js', '--list', 'C01', 'C02')).stdout).toBe(
    'C01 has apiVersion 1\nC02 has a kebab-case name that stays the same (skipped: left out)\nC03 declares exactly the capabilities that it has\n',
  )
})

it('has help with examples, and the versions', async () => {
  expect((await run('--help')).stdout).toContain('Examples\n  palimpsest-contract .\n')
  expect((await run('--version')).stdout).toMatch(/^palimpsest-contract \d+\.\d+\.\d+ \(core .+\)\n$/)
})

describe('readArguments', () => {
  it('takes a module, cases and options', () => {
    const args = ['./engine.js', 'C01', 'P', '--options', '{"a": 1}', '--seed=-3']
    expect(readArguments([...args, '--runs', '20', '--case-timeout', '9000', '--json'])).toEqual({
      ...{ module: './engine.js', cases: ['C01', 'P'], options: { a: 1 } },
      ...{ seed: -3, runs: 20, caseTimeout: 9_000, list: false, json: true },
    })
  })

  it.each([
    [[], /which module\?/],
    [['.', '--jsn'], /Unknown option '--jsn'; --help shows/],
    [['.', '--seed'], /'--seed <value>' argument missing; --help/],
    [['.', '--seed', '1.5'], /--seed must be a whole number from -2147483648 to 2147483647, not "1.5"/],
    [['.', '--case-timeout', '0'], /--case-timeout must be a whole number from 1000 to/],
    [['.', '--options', '{'], /--options is not JSON: /],
    [['.', '--options', '[]'], /--options must be a JSON object/],
  ])('refuses %j', (args, message) => {
    expect(() => readArguments(args)).toThrow(message)
  })
})

it('selects cases by id, range and letter, in the order of the suite', () => {
  const select = (...wanted: string[]) => selectCases(contractCases, wanted).map(({ id }) => id)
  expect(select('c05-C07', 'C01', 'C01')).toEqual(['C01', 'C05', 'C06', 'C07'])
  expect(select('P')).toContain('P02')
  expect(select('P')).not.toContain('L02')
  expect(select()).toHaveLength(contractCases.length)
  expect(() => select('Q1')).toThrow('no case is called "Q1"; --list shows all of them')
})

describe('readTarget', () => {
  const settings = { options: {}, seed: undefined, runs: undefined, caseTimeout: undefined }
  const host = { storage: '/tmp/$&', options: { fromCase: true } } as unknown as ContractHost

  it('gives a ContractTarget the options of the call', () => {
    const seen: unknown[] = []
    const contractTarget = {
      name: 'special',
      create: ({ options }: ContractHost) => void seen.push(options),
      expectCapabilities: ['tools'],
      propertyRuns: 9,
    }
    const options = { fromCase: false, deep: { file: '{storage}{storage}' } }
    const target = readTarget({ contractTarget }, './engine.js', {
      ...{ ...settings, options, seed: 5 },
    })
    expect(target).toMatchObject({
      ...{ name: 'special', expectCapabilities: ['tools'], seed: 5, propertyRuns: 9 },
    })
    target.create(host)
    target.reopen?.(host)
    const expected = { fromCase: true, deep: { file: '/tmp/$&/tmp/$&' } }
    expect(seen).toEqual([expected, expected])
  })

  it.each([
    [{}, './engine.js exports no engine, only nothing; it should export by default what'],
    [{ engine: referenceEngine }, 'exports no engine, only engine; '],
    [
      { default: { name: 'own', apiVersion: 1, create() {} } },
      'that defineContextEngine() did not make; wrap',
    ],
    [
      { default: { name: 'own', create() {} } },
      'or a ContractTarget with name, create and expectCapabilities',
    ],
  ])('says what is wrong with %j', (exports, message) => {
    expect(() => readTarget(exports, './engine.js', settings)).toThrow(message)
  })

  it('refuses an engine of another version of the contract', () => {
    const newer = { name: 'newer', apiVersion: 2, create() {} }
    Object.defineProperty(newer, Symbol.for('palimpsest.context-engine'), { value: 2 })
    expect(() => readTarget({ default: newer }, './x.js', settings)).toThrow('this suite tests apiVersion 1')
  })
})
