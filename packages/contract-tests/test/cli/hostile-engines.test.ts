import { readdirSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { WorkerLimits } from '../../src/cli/supervise-job.ts'
import { superviseJob } from '../../src/cli/supervise-job.ts'
import type { CaseResult } from '../../src/index.ts'
import { engineSource, temporaryFolder, writeFiles } from './engine-files.ts'
import { parseTap } from './parse-tap.ts'
import { runCli } from './run-cli.ts'

const folder = temporaryFolder()
const tmp = temporaryFolder()

/** In these cases, `compress` of the engine is called: C02 and C04. */
const compressing = (code: string) => `async compress() { ${code} },`

writeFiles(folder, {
  'exits.js': engineSource('exits', { parts: compressing('process.exit(0)') }),
  'hangs.js': engineSource('hangs', { parts: compressing('await new Promise(() => {})') }),
  'loops.js': engineSource('loops', { parts: compressing('for (;;);') }),
  'loses.js': engineSource('loses', {
    parts: compressing("Promise.reject(new Error('lost')); throw new Error('told')"),
  }),
  'throws-later.js': engineSource('throws-later', {
    parts: compressing(
      "for (let i = 0; i < 30; i++) setTimeout(() => { throw new Error('later') }); throw new Error('told')",
    ),
  }),
  'never.js': 'await new Promise(() => {})',
  'slow.js': engineSource('slow', {
    parts: 'ingest: () => new Promise((resolve) => setTimeout(resolve, 40)),',
  }),
  'chatty.js': engineSource('chatty', {
    before: "setInterval(() => {}, 1000); process.send({ type: 'hello' }); process.send(null)",
  }),
})

describe('an engine that', () => {
  it('ends the process fails that case, and the others run', async () => {
    const { code, stdout } = await runCli(['./exits.js', 'C01-C05', '--tap'], { cwd: folder })
    const points = parseTap(stdout)
    expect(points.map(({ ok }) => ok)).toEqual([true, false, true, false, true])
    expect(points[1]?.diagnostics?.message).toBe('the engine ended the process with exit code 0')
    expect(code).toBe(1)
  })

  it('never resolves fails instead of hanging the command', async () => {
    const { code, stdout } = await runCli(['./hangs.js', 'C01', 'C02'], { cwd: folder })
    expect(stdout).toContain('    compress() did not settle within 5000 ms\n')
    expect(stdout).toContain('hangs: 1 passed, 1 failed, 0 skipped')
    expect(code).toBe(1)
  })

  it('is slow fails the cases that take too long, with what took the time, and the others run', async () => {
    // A hundred generated conversations, each taken in several times.
    const cases = ['./slow.js', 'C01', 'C71', 'P01', '--tap']
    const { code, stdout } = await runCli([...cases, '--case-timeout', '1500'], { cwd: folder })
    const points = parseTap(stdout)
    const slow = points[2]?.diagnostics?.message
    expect(points.map(({ ok }) => ok)).toEqual([true, false, false])
    expect(slow).toMatch(
      /^the case was not over after 1.5 s, which is its limit: ingest\(\) took \d+ ms \d+ times.*--case-timeout of the command\)$/,
    )
    expect(code).toBe(1)
  })

  it('leaves a rejection behind is told so beside what the case found', async () => {
    const { stdout } = await runCli(['./loses.js', 'C02'], { cwd: folder })
    expect(stdout).toMatch(/ {4}told.*\n {4}the engine left an unhandled rejection \(lost\)\n/)
  })

  it('throws the same from many timers is told so once, with how often', async () => {
    const { stdout } = await runCli(['./throws-later.js', 'C02'], { cwd: folder })
    expect(stdout).toMatch(/ {4}told.*\n {4}the engine left an uncaught error \(later\), 30 times\ndeclared/)
  })

  it('leaves a timer running and uses the channel of its process disturbs nothing', async () => {
    const { code } = await runCli(['./chatty.js', 'C01'], { cwd: folder })
    expect(code).toBe(0)
  })
})

describe('limits', () => {
  const supervise = async (
    module: string,
    cases: readonly string[],
    limits: WorkerLimits,
    caseTimeoutMs?: number,
  ) => {
    const results: CaseResult[] = []
    // The worker is a process of its own and needs the condition of the sources too.
    vi.stubEnv('NODE_OPTIONS', '--conditions=@palimpsest/source')
    onTestFinished(() => void vi.unstubAllEnvs())
    await superviseJob({
      worker: new URL('../../src/cli/worker.ts', import.meta.url),
      job: {
        url: new URL(module, `file://${folder}/`).href,
        label: module,
        options: {},
        expect: [],
        cases,
        caseTimeoutMs,
        planOnly: false,
      },
      reporter: { finished: (result) => results.push(result) },
      signal: new AbortController().signal,
      limits,
    })
    return results
  }

  it('end a case in which the engine never leaves a loop, sooner from the second on, and others run', async () => {
    const limits = { loadMs: 60_000, graceMs: 1_000, caseAgainMs: 2_000 }
    const results = await supervise('./loops.js', ['C02', 'C03', 'C04'], limits, 4_000)
    const reason = (seconds: number) =>
      `the engine did not come to an end within ${seconds} s: it is stuck in a loop that never yields`
    expect(results).toMatchObject([
      { id: 'C02', status: 'failed', reason: reason(4) },
      { id: 'C03', status: 'passed' },
      { id: 'C04', status: 'failed', reason: reason(2) },
    ])
  })

  it('end a module that never finishes loading', async () => {
    const supervised = supervise('./never.js', ['C01'], {
      loadMs: 2_000,
      graceMs: 60_000,
      caseAgainMs: 60_000,
    })
    await expect(supervised).rejects.toThrow('./never.js did not finish loading within 2 s')
  })
})

describe('Ctrl-C', () => {
  it('ends an engine in a loop, leaves no temporary files and exits with 130', async () => {
    const { code, stdout } = await runCli(['./loops.js', 'C01', 'C02', '--tap'], {
      cwd: folder,
      tmp,
      onOutput: (text, child) => {
        if (text.includes('ok 1 - ') && !child.killed) child.kill('SIGINT')
      },
    })
    expect(stdout).toMatch(/^TAP version 14\n1\.\.2\nok 1 - .+\nBail out! interrupted\n$/)
    expect(readdirSync(tmp)).toEqual([])
    expect(code).toBe(130)
  })
})
