import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUNDLED_SESSION } from '../src/bundled-session.ts'
import { runHere } from './lcm/run-here.ts'
import { runCli } from './run-cli.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Runs a replay that must fail: one clear line, no stack, an exit code, and no file is written. */
async function expectOneLine(args: string[], pattern: RegExp, run = runHere) {
  const before = await readdir(folder)
  const outputs = ['--html', join(folder, 'out.html')]
  const { code, stdout, stderr } = await run(['replay', ...args, ...outputs], folder)
  expect(stderr).toMatch(pattern)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  expect(stderr).not.toMatch(/\n\s+at /)
  expect(code).toBe(2)
  expect(stdout).toBe('')
  expect(await readdir(folder)).toEqual(before)
}

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

/** In a process of its own, whose memory ends with it. */
const inProcess: typeof runHere = (args, cwd) => runCli(args, { cwd })

const lines = (...messages: unknown[]) => messages.map((message) => `${JSON.stringify(message)}\n`).join('')

describe('a file that is no session', () => {
  it('is missing', () => expectOneLine(['nowhere.jsonl'], /nowhere\.jsonl/, inProcess))
  it('is a directory', () => expectOneLine([folder], /director|folder/i))
  it.each([
    ['empty', '', /empty/i],
    ['prose', 'Dear diary,\nnothing happened.\n', /JSON|format/i],
    ['binary', Uint8Array.from([0, 159, 146, 150, 0, 1]), /binary|text/i],
    ['odd', lines({ temperature: 21 }, { temperature: 22 }), /format/i],
    ['nobody', lines({ role: 'system', content: 'x' }, { role: 'assistant', content: 'hi' }), /user/i],
  ])('is %s', async (name, content, pattern) => expectOneLine([await file(name, content)], pattern))
})

describe('an option that makes no sense', () => {
  it.each([
    [['--window', '10'], /window.*2000/i],
    [['--window', '1e300'], /window/i],
    [['--threshold', '1.5'], /threshold.*between 0 and 1/i],
    [['--engine', 'psychic'], /psychic.*compressor/],
    [
      ['--profile', 'fat'],
      /^palimpsest: compressor\.profile: this key is not known here.*\(from --profile\)$/m,
    ],
    [['--model', 'oracle:delphi'], /gemini:<name>/],
    [['--config', 'nowhere.yaml'], /nowhere\.yaml/],
  ])('%j', async (flags, pattern) => expectOneLine([BUNDLED_SESSION, ...flags], pattern))

  it.each([
    ['repaly', "unknown command 'repaly' (Did you mean replay?)"],
    ['replay --modle x', "unknown option '--modle' (Did you mean --model?)"],
    ['xyz', "unknown command 'xyz'"],
    ['hook', "missing required argument 'agent'"],
    ['run claude -p', "unknown option '-p' (the client's own options go after --)"],
  ])('says what is wrong in one line: %s', async (line, said) => {
    expect((await runHere(line.split(' '), folder)).stderr).toBe(`palimpsest: ${said}\n`)
  })
})

describe('a configuration that makes no sense', () => {
  it.each([
    ['compression:\n  treshold: 0.5\n', /compression\.treshold/],
    ['compression:\n  threshold: high\n', /compression\.threshold/],
    ['context: [\n', /config\.yaml.*line/i],
  ])('%j', async (text, pattern) => {
    const path = await file('config.yaml', text)
    await expectOneLine([BUNDLED_SESSION], pattern)
    await rm(path)
  })
})

describe('a session with faults', () => {
  const user = { role: 'user', content: 'Go.' }
  const call = {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{}' } }],
  }
  const result = { role: 'tool', tool_call_id: 'a', content: 'text' }
  const answer = { role: 'assistant', content: 'Done.' }

  it.each([
    ['a call without a result', lines(user, call, user, answer)],
    ['a line that is cut off', `${lines(user)}{"role":"assi\n${lines(answer)}`],
  ])('%s is skipped or mended and replayed without a violation', async (_, text) => {
    const { code, stdout } = await runHere(['replay', await file('faulty.jsonl', text), '--json'], folder)
    expect(code).toBe(0)
    expect(JSON.parse(stdout).invariants.violations).toEqual([])
  })

  it.each([
    [
      'an orphaned result',
      lines(user, { ...result, tool_call_id: 'ghost' }, answer),
      /line 2 .*without a call/,
    ],
    ['a duplicated result', lines(user, call, result, result, answer), /line 4 .*second result/],
    [
      'an unknown role',
      lines(user, { role: 'robot', content: 'beep' }, answer),
      /line 2 .*unknown role "robot"/,
    ],
  ])('%s in a file of plain messages is refused', async (_, text, pattern) => {
    await expectOneLine([await file('broken.jsonl', text)], pattern)
  })

  it('names the malformed line', async () => {
    const path = await file('cut.jsonl', `${lines(user)}{"role":"assi\n${lines(answer)}`)
    expect((await runHere(['replay', path], folder)).stderr).toMatch(/line 2/)
  })
})
