import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { createBench } from '../src/commands/create-bench.ts'
import { reportFailure } from '../src/commands/usage-error.ts'
import type { Run } from '../src/report/runs.ts'
import { fixtureRuns } from './report/fixture-runs.ts'

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
const runs = folder(
  'runs',
  Object.fromEntries(fixtureRuns.map((run) => [`${run.bench}.json`, JSON.stringify(run)])),
)
const fileOf = (bench: string) => join(runs, `${bench}.json`)

/** Surroundings that keep what is printed. */
function surroundings() {
  const stdout = new PassThrough()
  const root = new URL('..', import.meta.url)
  const now = () => new Date('2026-01-02T03:04:05Z')
  return { root, stdout, stderr: process.stderr, env: {}, now }
}

async function call(...args: string[]): Promise<string> {
  const around = surroundings()
  await createBench(around).parseAsync(args, { from: 'user' })
  return String(around.stdout.read())
}

async function failureOf(...args: string[]): Promise<string> {
  const printed = new PassThrough()
  try {
    await call(...args)
  } catch (error) {
    expect(reportFailure(error, printed)).toBe(2)
  }
  return String(printed.read())
}

describe('bench: a wrong call', () => {
  it.each([
    [['recal'], /^bench: .*recal.*\n$/],
    [
      ['dialogues', '--engines', 'lcm,mem'],
      /^bench: --engines: there is no ‘mem’\. There are: full, truncate, .*lcm.*\n$/,
    ],
    [['cost', '--budgets', '1999'], /^bench: .*at least 2000 tokens.*\n$/],
    [['cost', '--budgets', 'many'], /^bench: .*Use whole numbers\.\n$/],
    [['grep', '--data', join(scratch, 'nowhere')], /^bench: .*There is no such folder\. Name one.*\n$/],
    [['kept', '--data', join(session, 'talk.json')], /^bench: .*It is a file\. Name the folder.*\n$/],
    [['kept', '--data', empty], /^bench: --data: no sessions in .*it has no files\. Name a folder.*JSONL\n$/],
    [
      ['kept', '--data', strangers],
      /^bench: --data: no sessions in .*none of them a session \(notes\.txt: .*\n$/,
    ],
    [['judge'], /^bench: judge: there is no key; set GEMINI_API_KEY\n$/],
    [['speed', '--messages', '20'], /^bench: .*at least 200 messages\.\n$/],
    [
      ['kept', '--json', join(scratch, 'no', 'x.json')],
      /^bench: --json: .*the folder .* is missing or read-only\n$/,
    ],
    [['lcm', '--json', scratch], /^bench: --json: .* is a folder; name a file\n$/],
    [['lcm', '--budgets', '8000'], /^bench: unknown option '--budgets'.*\n$/],
    [['report', fileOf('kept')], /^bench: required option '--page <file>' not specified\n$/],
    [
      ['hosts', '--json', join(scratch, 'x'), '--report', join(scratch, 'x')],
      /^bench: --report names the same file as --json\n$/,
    ],
    [
      ['report', join(session, 'talk.json'), '--page', join(scratch, 'x')],
      /^bench: .*talk\.json: it is no file that --json of bench wrote\n$/,
    ],
    [
      ['report', fileOf('cost'), fileOf('cost'), '--page', join(scratch, 'x')],
      /^bench: two files are of bench cost; name one\n$/,
    ],
  ])('%j: one line that says what is wrong, before anything is measured', async (args, line) => {
    expect(await failureOf(...args)).toMatch(line)
  })

  it('ends the process with 2', async () => {
    const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
    const args = ['--conditions=@palimpsest/source', main, 'cost', '--budgets', '1']
    await expect(promisify(execFile)(process.execPath, args)).rejects.toMatchObject({ code: 2, stdout: '' })
  })
})

describe('bench: help', () => {
  it('is printed without a command', async () => {
    expect(await call()).toContain('Examples:')
  })

  it.each([
    [['--help'], ['Examples:', 'report', 'kept', 'dialogues', 'decisions']],
    [['report', '--help'], ['--page <file>']],
  ])('is printed to who asks for it: %j', async (args, parts) => {
    const around = surroundings()
    const asked = createBench(around).parseAsync(args, { from: 'user' })
    await expect(asked).rejects.toSatisfy((error) => reportFailure(error, around.stdout) === 0)
    const help = String(around.stdout.read())
    for (const part of parts) expect(help).toContain(part)
  })
})

describe('bench: a run', () => {
  it('prints its tables, and writes a file that says how it was made', async () => {
    const json = join(scratch, 'kept.json')
    const printed = await call(
      'kept',
      '--data',
      session,
      '--windows',
      '8000',
      '--engines',
      'lcm',
      '--on',
      'sessions',
      '--json',
      json,
    )
    expect(printed).toContain('## What is kept behind a compaction')
    const run: Run<'kept'> = JSON.parse(readFileSync(json, 'utf8'))
    expect(run).toMatchObject({
      bench: 'kept',
      command: 'bench kept --data session --windows 8000 --engines lcm --on sessions',
      date: '2026-01-02',
      versions: { node: process.versions.node, langchain: expect.any(String), ai: expect.any(String) },
      figures: { sessions: [] },
    })
  })

  it('is a part of the page that is made of the files', async () => {
    const page = join(scratch, 'page.md')
    const files = fixtureRuns.map(({ bench }) => fileOf(bench))
    await call('report', ...files, '--page', page)
    expect(readFileSync(page, 'utf8')).toMatch(/^# Benchmarks\n/)
  })

  it('of kept may be in several files, one for each engine', async () => {
    const page = join(scratch, 'joined.md')
    await call('report', fileOf('kept'), fileOf('kept'), '--page', page)
    expect(readFileSync(page, 'utf8').match(/^\| 32,000, lcm/gm)).toHaveLength(4)
  })
})
