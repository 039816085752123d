import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { contractCases } from '../../src/index.ts'
import { engineSource, temporaryFolder, writeFiles } from './engine-files.ts'
import { parseTap } from './parse-tap.ts'
import { runCli } from './run-cli.ts'

const compressor = fileURLToPath(new URL('../../../compressor', import.meta.url))
const folder = temporaryFolder()

/** Cases C01 to C05 are about what an engine is; these two engines pass and fail some of them. */
const FEW = 'C01-C05'
writeFiles(folder, {
  'good.ts': engineSource('good'),
  'target.js': `import engine from './good.ts'
    export const contractTarget = {
      name: 'target',
      create: (host) => engine.create({}, host),
      expectCapabilities: [],
      skip: { C02: 'left out' },
    }`,
  'expecting.js': `import engine from './good.ts'
    export const contractTarget = {
      name: 'expecting',
      create: (host) => engine.create({}, host),
      expectCapabilities: ['lossless'],
    }`,
  'loud.js': engineSource('loud', { before: "console.log('\\n{ not ok # a line of an engine')" }),
  'bad.js': engineSource('bad', { parts: `capabilities: ['tools #1'], contextLength: NaN,` }),
})

/** A report without what differs from run to run. */
function steady(stdout: string) {
  const report = JSON.parse(stdout)
  return {
    ...report,
    durationMs: 0,
    cases: report.cases.map((entry: object) => ({ ...entry, durationMs: 0 })),
  }
}

describe('the report for people', () => {
  it('ends with a line that sums up, and exits with 0 when all cases passed', async () => {
    const { code, stdout, stderr } = await runCli(['./good.ts', FEW], { cwd: folder })
    expect(stdout).toMatch(/^declared: nothing\ngood: 5 passed, 0 failed, 0 skipped in \d+\.\d s\n$/)
    expect(stderr).toBe('')
    expect(code).toBe(0)
  })

  it('names each case that failed with its reason below it, and exits with 1', async () => {
    const { code, stdout } = await runCli(['./bad.js', FEW], { cwd: folder })
    expect(stdout).toContain(
      'C03 declares what it can do, and can do what it declares\n    unknown capability tools #1',
    )
    expect(stdout).toMatch(/bad: 3 passed, 2 failed, 0 skipped in/)
    expect(code).toBe(1)
  })

  it('says what was expected and is not declared', async () => {
    const { code, stdout } = await runCli(['./good.ts', 'C03', '--expect', 'tools,lossless'], { cwd: folder })
    expect(stdout).toContain('the engine does not declare tools, which expectCapabilities names')
    expect(stdout).toContain('declared: nothing (expected: tools, lossless)\n')
    expect(code).toBe(1)
  })
})

describe('a run that could say nothing', () => {
  it.each([['./good.ts', '--expect', 'lossless'], ['./expecting.js']])(
    'asks for what %s is expected to declare too',
    async (...args) => {
      const { code, stdout } = await runCli([...args, 'C67', '--tap'], { cwd: folder })
      expect(parseTap(stdout)).toMatchObject([
        { ok: false, description: expect.stringMatching(/^C03 /) },
        { ok: true, skip: 'the engine does not declare lossless' },
      ])
      expect(code).toBe(1)
    },
  )

  it('lists what it would run', async () => {
    const { stdout } = await runCli(['./expecting.js', '--list', 'C67'], { cwd: folder })
    expect(stdout).toMatch(/^C03 .+\nC67 .+ \(skipped: .+\)\n$/)
  })

  it.each(['people', 'tap'])('fails when every case is skipped, and says so (%s)', async (format) => {
    const flags = format === 'tap' ? ['--tap'] : []
    const { code, stdout } = await runCli(['./good.ts', 'C67', ...flags], { cwd: folder })
    expect(stdout).toMatch(/^(?:# )?nothing ran: every case that was asked for is skipped$/m)
    expect(code).toBe(1)
  })
})

describe('--json', () => {
  it('is one object with everything about the run', async () => {
    const { code, stdout } = await runCli(['./bad.js', FEW, '--json', '--seed', '7', '--runs', '3'], {
      cwd: folder,
    })
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    const report = JSON.parse(stdout)
    expect(report).toMatchObject({
      engine: 'bad',
      module: './bad.js',
      versions: { contractTests: version, core: version },
      capabilities: ['tools #1'],
      expected: [],
      options: {},
      seed: 7,
      propertyRuns: 3,
      durationMs: expect.any(Number),
      counts: { passed: 3, failed: 2, skipped: 0 },
    })
    expect(report.cases).toHaveLength(5)
    expect(report.cases[0]).toEqual({
      id: 'C01',
      title: 'speaks apiVersion 1',
      status: 'passed',
      notes: [],
      durationMs: expect.any(Number),
    })
    expect(report.cases[2]).toMatchObject({
      id: 'C03',
      status: 'failed',
      reason: 'unknown capability tools #1',
    })
    expect(code).toBe(1)
  })

  it('is the same for the same engine but for times', async () => {
    const run = () => runCli(['./good.ts', FEW, '--json'], { cwd: folder })
    const [one, other] = [await run(), await run()]
    expect(steady(one.stdout)).toEqual(steady(other.stdout))
  })

  it('stays readable when the engine prints', async () => {
    const { stdout, stderr } = await runCli(['./loud.js', FEW, '--json'], { cwd: folder })
    expect(JSON.parse(stdout).counts).toEqual({ passed: 5, failed: 0, skipped: 0 })
    expect(stderr).toContain('a line of an engine')
  })
})

describe('--tap', () => {
  it('gives failures their diagnostics', async () => {
    const { code, stdout } = await runCli(['./bad.js', FEW, '--tap'], { cwd: folder })
    const points = parseTap(stdout)
    expect(points.map(({ ok }) => ok)).toEqual([true, true, false, true, false])
    expect(points[2]).toEqual({
      ok: false,
      description: 'C03 declares what it can do, and can do what it declares',
      diagnostics: { message: 'unknown capability tools #1', duration_ms: expect.any(Number) },
    })
    expect(code).toBe(1)
  })

  it('has a point for every case of the suite', async () => {
    const { code, stdout } = await runCli(['.', '--tap', '--runs', '5'], { cwd: compressor })
    const points = parseTap(stdout)
    expect(points.map(({ description }) => description)).toEqual(
      contractCases.map(({ id, title }) => `${id} ${title}`),
    )
    expect(code).toBe(points.every(({ ok }) => ok) ? 0 : 1)
  })
})

describe('a ContractTarget', () => {
  it('skips with its own reasons', async () => {
    const { code, stdout } = await runCli(['./target.js', FEW, '--tap'], { cwd: folder })
    expect(parseTap(stdout)[1]).toEqual({
      ok: true,
      description: 'C02 has a kebab-case name that stays the same',
      skip: 'left out',
    })
    expect(code).toBe(0)
  })
})

describe('--list', () => {
  it('lists every case without a module', async () => {
    const { code, stdout } = await runCli(['--list'])
    expect(stdout.trimEnd().split('\n')).toHaveLength(contractCases.length)
    expect(stdout).toMatch(/^C01 speaks apiVersion 1\n/)
    expect(code).toBe(0)
  })

  it('says with a module which cases would be skipped', async () => {
    const { code, stdout } = await runCli(['./target.js', '--list', 'C01', 'C02'], { cwd: folder })
    expect(stdout).toBe(
      'C01 speaks apiVersion 1\nC02 has a kebab-case name that stays the same (skipped: left out)\n',
    )
    expect(code).toBe(0)
  })
})
