import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../serve/temporary-folder.ts'
import { startMockAnthropic } from './mock-anthropic.ts'
import { startMockUpstream } from './mock-upstream.ts'
import { startTestGateway } from './test-gateway.ts'

const EXAMPLES = fileURLToPath(new URL('../../../../examples', import.meta.url))
const WINDOW = 6_000
/** Milliseconds for the installation. */
const INSTALL_LIMIT = 60_000

interface Ended {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

function run(program: string, args: readonly string[], input = '', env = {}, limit?: number): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env } }
    const child = spawn(program, args, { ...options, ...(limit !== undefined && { timeout: limit }) })
    let [output, errors] = ['', '']
    child.stdout.on('data', (piece) => (output += piece))
    child.stderr.on('data', (piece) => (errors += piece))
    child.on('error', (error) => resolve({ code: null, output, errors: String(error) }))
    child.on('close', (code) => resolve({ code, output, errors }))
    child.stdin.on('error', () => {}).end(input)
  })
}

/** A Python with what an example needs, or why there is none. */
async function installPython(
  example: string,
): Promise<{ readonly python?: string; readonly missing?: string }> {
  const folder = join(await temporaryFolder(), 'venv')
  const python = join(folder, 'bin', 'python')
  const made = await run('python3', ['-m', 'venv', '--without-pip', folder])
  if (made.code !== 0) return { missing: `no venv of python3 could be made: ${lastLine(made)}` }
  // Putting a pip into the folder takes as long as installing. One that is old cannot install for another Python.
  const own = ['-m', 'pip', '--python', python]
  const hasPip = (await run('python3', [...own, '--version'])).code === 0
  if (!hasPip) await run('python3', ['-m', 'venv', folder])
  const pip = [
    ...['install', '--quiet', '--retries', '0', '--timeout', '15', '--no-compile'],
    ...['-r', join(EXAMPLES, example, 'requirements.txt')],
  ]
  const [program, ...before] = hasPip ? ['python3', ...own] : [python, '-m', 'pip']
  const installed = await run(program, [...before, ...pip], '', {}, INSTALL_LIMIT)
  return installed.code === 0 ? { python } : { missing: `pip installed nothing: ${lastLine(installed)}` }
}

function lastLine({ output, errors }: Ended): string {
  return (errors || output).trim().split('\n').at(-1) || 'it took too long'
}

test('the SDKs for Python chat through the gateway, streamed, past the window', async ({ skip }) => {
  const { python, missing } = await installPython('python-client')
  if (python === undefined) {
    console.log(`the Python client is not tested: ${missing}`)
    return skip(missing)
  }
  const answer = { content: 'Noted.', text: 'Noted.' }
  const openai = await startMockUpstream({ answer: () => answer, window: WINDOW })
  const anthropic = await startMockAnthropic({ answer: () => answer, window: WINDOW })
  const formats = { 'anthropic-messages': anthropic.baseUrl }
  const { baseUrl, log } = await startTestGateway({ baseUrl: openai.baseUrl, formats, window: WINDOW })
  const gateway = baseUrl.replace(/\/v1$/, '')
  const questions = Array.from({ length: 20 }, (_, at) => `Fact ${at}: ${`item ${at} `.repeat(150)}`)
  const chat = (api: string, model: string) =>
    run(python, [join(EXAMPLES, 'python-client', 'chat.py'), api, gateway, model], questions.join('\n'), {
      OPENAI_API_KEY: 'key',
      ANTHROPIC_API_KEY: 'key',
    })
  for (const [api, model, upstream] of [
    ['openai', 'mock-large', openai],
    ['anthropic', 'claude-sonnet-5-5', anthropic],
  ] as const) {
    const { output, errors } = await chat(api, model)
    expect(errors).toBe('')
    expect(output).toBe('Noted.\n'.repeat(20))
    const prompts = upstream.requests.map(({ promptTokens }) => promptTokens)
    expect(prompts).toHaveLength(20)
    expect(Math.max(...prompts)).toBeLessThanOrEqual(WINDOW)
    // It was compacted on the way.
    expect(prompts.some((tokens, at) => tokens < (prompts[at - 1] ?? 0))).toBe(true)
  }
  expect(anthropic.faults).toEqual([])
  expect(log).toEqual([])
})

test('an agent of LangChain in Python runs tools through the gateway, past the window', async ({ skip }) => {
  const { python, missing } = await installPython('python-langchain')
  if (python === undefined) {
    console.log(`LangChain in Python is not tested: ${missing}`)
    return skip(missing)
  }
  const file = join(await temporaryFolder(), 'notes.txt')
  await writeFile(file, 'We store everything in Postgres.')
  const upstream = await startMockUpstream({
    window: WINDOW,
    answer({ messages }) {
      const last = messages.at(-1)
      if (last?.role === 'tool') return { content: 'It says Postgres.' }
      if (!String(last?.content).startsWith('Read')) return { content: 'Noted.' }
      return { calls: [{ name: 'read_file', arguments: { path: file } }] }
    },
  })
  const { baseUrl, log } = await startTestGateway({ baseUrl: upstream.baseUrl, window: WINDOW })
  const facts = Array.from({ length: 20 }, (_, at) => `Fact ${at}: ${`item ${at} `.repeat(150)}`)
  const agent = [join(EXAMPLES, 'python-langchain', 'agent.py'), baseUrl.replace(/\/v1$/, ''), 'mock-large']
  const { output, errors } = await run(python, agent, [...facts, 'Read the notes.'].join('\n'), {
    OPENAI_API_KEY: 'key',
  })
  expect(errors).toBe('')
  expect(output).toBe(`${'Noted.\n'.repeat(20)}It says Postgres.\n`)
  const prompts = upstream.requests.map(({ promptTokens }) => promptTokens)
  expect(prompts).toHaveLength(22)
  expect(Math.max(...prompts)).toBeLessThanOrEqual(WINDOW)
  expect(prompts.some((tokens, at) => tokens < (prompts[at - 1] ?? 0))).toBe(true)
  expect(JSON.stringify(upstream.requests.at(-1)?.body.messages)).toContain(
    'We store everything in Postgres.',
  )
  expect(log).toEqual([])
})
