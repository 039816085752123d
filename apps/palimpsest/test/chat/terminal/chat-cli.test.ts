import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type CliResult, MAIN, runCli } from '../../run-cli.ts'
import { temporaryFolder } from '../../serve/temporary-folder.ts'

/** What an environment may tell of a model. */
const NO_MODEL = { OPENAI_API_KEY: '', OPENAI_BASE_URL: '', OPENAI_MODEL: '' }

async function emptyFolder() {
  const folder = await temporaryFolder()
  const workspace = join(folder, 'shop')
  await mkdir(workspace)
  const env = { ...NO_MODEL, PALIMPSEST_HOME: join(folder, 'home') }
  return {
    workspace,
    chat: (...args: string[]) => runCli(['chat', ...args], { cwd: workspace, env }),
    /** With a question on standard input. */
    pipe: (input: string, ...args: string[]) => runWithInput(input, ['chat', ...args], workspace, env),
  }
}

function runWithInput(
  input: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<CliResult> {
  const { GEMINI_API_KEY: _, ...rest } = process.env
  const child = spawn(process.execPath, ['--conditions=@palimpsest/source', MAIN, ...args], {
    cwd,
    env: { ...rest, ...env },
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output.stderr += text
  })
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ code, ...output }))
  })
}

it('answers without a key, says what answers, remembers, and lists what can be resumed', async () => {
  const { workspace, chat, pipe } = await emptyFolder()
  const first = await chat('We decided to use port 8080 for the shop.')
  expect(first.code).toBe(0)
  expect(first.stderr).toMatch(/^palimpsest: offline, engine decisions, session \S+$/m)
  expect(first.stderr).toContain('No model is configured')
  expect(first.stderr).toContain('Prompt caching:')
  expect(first.stdout).toMatch(/\S\n$/)

  // The argument, and behind it what is piped.
  const second = await pipe('of the shop?\n', 'Which port', '--resume', 'latest', '--json')
  expect(second.code).toBe(0)
  expect(second.stderr).toBe('')
  const events = second.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(events[0]).toMatchObject({ type: 'start', offline: true, workspace })
  expect(events.at(-1)).toMatchObject({
    type: 'end',
    reason: 'answered',
    text: expect.stringContaining('8080'),
  })

  const list = await chat('--list')
  expect(list.stdout).toMatch(/^SESSION +LAST CHANGE +MESSAGES +WORKSPACE +BEGAN WITH$/m)
  expect(list.stdout).toMatch(
    new RegExp(`^${events[0].session} .* 4 +${workspace} +We decided to use port`, 'm'),
  )
})

it.each([
  ['no question', [], 'there is no terminal to chat in, and no question'],
  ['a command', ['/reset'], '/reset is a command of the chat in a terminal'],
  ['no such folder', ['hello', '--workspace', 'nowhere'], '--workspace: there is no folder'],
  ['no such session', ['hello', '--resume', 'nothing'], '"nothing"'],
] as const)('refuses a wrong call in one line: %s', async (_name, args, message) => {
  const { chat } = await emptyFolder()
  const { code, stdout, stderr } = await chat(...args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/^palimpsest: [^\n]+\n$/)
  expect(stderr).toContain(message)
})

it('fails with one line when nothing answers at the address of the model', async () => {
  const { chat } = await emptyFolder()
  const { code, stdout, stderr } = await chat('hello', '--base-url', 'http://127.0.0.1:9/v1', '--model', 'm')
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/^palimpsest: .*127\.0\.0\.1:9/)
  expect(stderr).not.toMatch(/^ +at /m)
})
