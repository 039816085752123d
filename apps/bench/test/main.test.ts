import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { createBench } from '../src/commands/create-bench.ts'
import { reportFailure } from '../src/commands/usage-error.ts'

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
  return { root, stdout, stderr: process.stderr, now }
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
      ['cost', '--engines', 'lcm,mem'],
      /^bench: --engines: there is no ‘mem’\. There are: full, truncate, .*lcm.*\n$/,
    ],
    [['answers', '--arm', 'lcn'], /^bench: --arm: there is no ‘lcn’\. There are: whole, compressor, .*\n$/],
    [['cost', '--budgets', '1999'], /^bench: .*at least 2000 tokens.*\n$/],
    [['cost', '--budgets', 'many'], /^bench: .*Use whole numbers\.\n$/],
    [['grep', '--data', join(scratch, 'nowhere')], /^bench: .*There is no such folder\. Name one.*\n$/],
    [['grep', '--data', join(session, 'talk.json')], /^bench: .*It is a file\. Name the folder.*\n$/],
    [['grep', '--data', empty], /^bench: --data: no sessions in .*it has no files\. Name a folder.*JSONL\n$/],
    [
      ['grep', '--data', strangers],
      /^bench: --data: no sessions in .*none of them a session \(notes\.txt: .*\n$/,
    ],
    [['speed', '--messages', '20'], /^bench: .*at least 200 messages\.\n$/],
    [['grep', '--budgets', '8000'], /^bench: unknown option '--budgets'.*\n$/],
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

  it('is printed to who asks for it', async () => {
    const around = surroundings()
    const asked = createBench(around).parseAsync(['--help'], { from: 'user' })
    await expect(asked).rejects.toSatisfy((error) => reportFailure(error, around.stdout) === 0)
    const help = String(around.stdout.read())
    for (const part of ['Examples:', 'answers', 'cost', 'hosts']) expect(help).toContain(part)
  })
})

describe('bench: a run', () => {
  it('prints its tables', async () => {
    expect(await call('grep', '--data', session)).toContain('## Facts by the words near them')
  })

  it('prints its figures, and how they were made, with --json', async () => {
    expect(JSON.parse(await call('grep', '--data', session, '--json'))).toMatchObject({
      bench: 'grep',
      command: 'bench grep --data session',
      date: '2026-01-02',
      figures: expect.any(Array),
    })
  })
})
