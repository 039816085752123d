import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import type { BenchOptions } from '../src/commands/bench-options.ts'
import { createBench } from '../src/commands/create-bench.ts'
import type { Measured, PartInput } from '../src/commands/part.ts'
import { reportFailure } from '../src/commands/report-failure.ts'
import { runBench } from '../src/commands/run-bench.ts'
import type { BenchReport } from '../src/report/bench-report.ts'
import { fixtureReport } from './report/fixture-report.ts'

const scratch = mkdtempSync(join(tmpdir(), 'palimpsest-bench-test-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const folder = (name: string, files: Readonly<Record<string, string>> = {}): string => {
  const path = join(scratch, name)
  mkdirSync(path)
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text)
  return path
}

const empty = folder('empty')
const strangers = folder('strangers', { 'notes.txt': 'nothing of the kind' })
const session = folder('session', { 'talk.json': JSON.stringify([{ role: 'user', content: 'Hello.' }]) })

/** Surroundings that keep what is printed. */
function surroundings() {
  const stdout = new PassThrough()
  const root = new URL('..', import.meta.url)
  const now = () => new Date('2026-01-02T03:04:05Z')
  return { root, stdout, stderr: process.stderr, env: {}, now }
}

async function failureOf(...args: string[]): Promise<string> {
  const printed = new PassThrough()
  try {
    await createBench(surroundings()).parseAsync(args, { from: 'user' })
  } catch (error) {
    expect(reportFailure(error, printed)).toBe(2)
  }
  return String(printed.read())
}

describe('bench: a wrong call', () => {
  it.each([
    [['recal'], /^bench: .*'recal' is invalid.*recall, cost, speed\.\n$/],
    [
      ['--engines', 'lcm,mem'],
      /^bench: --engines: there is no ‘mem’\. There are: empty, full, truncate, .*lcm.*\n$/,
    ],
    [['--budgets', '1999'], /^bench: .*at least 2000 tokens.*\n$/],
    [['recall', '--budgets', 'many'], /^bench: .*Use whole numbers\.\n$/],
    [['--data', join(scratch, 'nowhere')], /^bench: .*There is no such folder\. Name one.*\n$/],
    [['--data', join(session, 'talk.json')], /^bench: .*It is a file\. Name the folder.*\n$/],
    [['--data', empty], /^bench: --data: no sessions in .*it has no files\. Name a folder.*JSONL\n$/],
    [
      ['recall', '--data', strangers],
      /^bench: --data: no sessions in .*none of them a session \(notes\.txt: .*\n$/,
    ],
    [['--judge'], /^bench: --judge: there is no key; set GEMINI_API_KEY.*\n$/],
    [['speed', '--judge'], /^bench: --judge changes nothing of speed: it is for recall\n$/],
    [['speed', '--messages', '20'], /^bench: .*at least 200 messages\.\n$/],
    [['--json', join(scratch, 'no', 'x.json')], /^bench: --json: .*the folder .* is missing or read-only\n$/],
    [['--html', scratch], /^bench: --html: .* is a folder; name a file\n$/],
    [
      ['--html', join(scratch, 'x'), '--json', join(scratch, 'x')],
      /^bench: --html names the same file as --json\n$/,
    ],
    [['lcm', '--json', scratch], /^bench: --json: .* is a folder; name a file\n$/],
    [['lcm', '--budgets', '8000'], /^bench: unknown option '--budgets'.*\n$/],
  ])('%j: one line that says what is wrong, before anything is measured', async (args, line) => {
    expect(await failureOf(...args)).toMatch(line)
  })

  it('ends the process with 2', async () => {
    const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
    const args = ['--conditions=@palimpsest/source', main, '--budgets', '1']
    await expect(promisify(execFile)(process.execPath, args)).rejects.toMatchObject({ code: 2, stdout: '' })
  })

  it.each([
    [['--help'], ['[recall|cost|speed]', 'Examples:', '--report', 'lcm', 'dialogues', 'decisions']],
    [
      ['speed', '--help'],
      ['--messages <list>', 'bench speed --messages 1000,10000'],
    ],
  ])('prints help with examples to who asks for it: %j', async (args, parts) => {
    const around = surroundings()
    const asked = createBench(around).parseAsync(args, { from: 'user' })
    await expect(asked).rejects.toSatisfy((error) => reportFailure(error, around.stdout) === 0)
    const help = String(around.stdout.read())
    for (const part of parts) expect(help).toContain(part)
  })
})

describe('bench: a run', () => {
  const options: BenchOptions = {
    data: session,
    budgets: [8_000],
    seed: 1,
    seeds: 1,
    windows: [],
    engines: ['LCM'],
  }

  /** Figures of the fixture instead of hours of measuring. */
  const measure = async ({ part }: PartInput): Promise<Measured> => {
    const { recall, bills, speed } = fixtureReport
    if (recall === undefined || bills === undefined || speed === undefined)
      throw new Error('not in the fixture')
    return { recall: { recall }, cost: { bills, times: { planning: [] } }, speed: { speed } }[part]
  }

  it('runs all parts in turn, shows each, and writes one JSON value, a page and its pictures', async () => {
    const inputs: PartInput[] = []
    const around = surroundings()
    const files = {
      json: join(scratch, 'all.json'),
      html: join(scratch, 'all.html'),
      report: join(scratch, 'all.md'),
    }
    await runBench({
      part: undefined,
      options: { ...options, ...files },
      command: 'pnpm bench --data session',
      surroundings: around,
      measure: (input) => {
        inputs.push(input)
        return measure(input)
      },
    })
    expect(inputs.map(({ part }) => part)).toEqual(['recall', 'cost', 'speed'])
    expect(inputs[0]?.arms.map(({ name }) => name)).toEqual(['empty', 'full', 'truncate', 'lcm'])
    expect(inputs[0]?.data.sessions.map(({ name }) => name)).toEqual(['talk'])

    const report: BenchReport = JSON.parse(readFileSync(files.json, 'utf8'))
    const { machine, versions, date, arms, command, times } = report
    expect(Object.keys(report)).toEqual(expect.arrayContaining(['recall', 'bills', 'speed', 'seeds']))
    expect({ date, command, times }).toEqual({
      date: '2026-01-02',
      command: 'pnpm bench --data session',
      times: { planning: [] },
    })
    expect(machine).toMatchObject({
      cores: expect.any(Number),
      platform: expect.stringContaining(process.platform),
    })
    expect(versions).toMatchObject({
      node: process.versions.node,
      '@palimpsest/lcm': expect.any(String),
      langchain: expect.any(String),
      ai: expect.any(String),
    })
    expect(arms.map(({ name }) => name)).toContain('lcm')

    const printed = String(around.stdout.read())
    // Each table once, and nothing that is not in the page.
    for (const text of ['Recall on recorded', 'Cost on recorded', 'Speed', 'In short', 'Where peers win'])
      expect(printed.split(`\n## ${text}`)).toHaveLength(2)
    expect(printed).toContain('`notes.txt` was skipped: it is none')
    expect(printed).toMatch(/│ lcm +│ +0\.600 \(0\.54 to 0\.63\) │/)
    const page = readFileSync(files.report, 'utf8')
    const pictures = [...page.matchAll(/\]\((all\/[\w-]+\.svg)\)/g)].map(([, path]) => path)
    expect(pictures.toSorted()).toEqual(
      readdirSync(join(scratch, 'all'))
        .map((file) => `all/${file}`)
        .toSorted(),
    )
    expect(readFileSync(files.html, 'utf8')).toContain('<!doctype html>')
  })

  it('keeps what was measured when a later part fails', async () => {
    const json = join(scratch, 'partial.json')
    const run = runBench({
      part: undefined,
      options: { ...options, json },
      command: '',
      surroundings: surroundings(),
      measure: (input) => (input.part === 'cost' ? Promise.reject(new Error('no more')) : measure(input)),
    })
    await expect(run).rejects.toThrow('no more')
    expect(JSON.parse(readFileSync(json, 'utf8'))).toHaveProperty('recall')
  })

  it('falls back on the bundled session', async () => {
    const { data: _, ...bundled } = options
    const names: string[] = []
    await runBench({
      part: 'recall',
      options: bundled,
      command: '',
      surroundings: surroundings(),
      measure: (input) => {
        names.push(...input.data.sessions.map(({ name }) => name))
        return measure(input)
      },
    })
    expect(names).toEqual(['ledger'])
  })
})
