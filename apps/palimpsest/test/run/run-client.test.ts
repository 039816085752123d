import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { startMockUpstream } from '../gateway/mock-upstream.ts'
import { runCli, startCli } from '../run-cli.ts'
import { temporaryFolder } from '../serve/temporary-folder.ts'

const upstream = () => startMockUpstream({ answer: () => ({ content: 'hi' }) })

/** A folder with a program of that name, and the environment that finds it. */
async function installed(name: string, script: string) {
  const folder = await temporaryFolder()
  const program = join(folder, name)
  await writeFile(program, `#!/usr/bin/env node\n${script}\n`)
  await chmod(program, 0o755)
  return { PATH: [folder, dirname(process.execPath)].join(':'), PALIMPSEST_HOME: join(folder, 'own') }
}

test('claude sends its requests through a gateway of this run, and its exit code is that of the run', async () => {
  const { baseUrl, paths } = await upstream()
  const env = await installed(
    'claude',
    `const { status } = await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/embeddings')
    console.log(JSON.stringify({ status, args: process.argv.slice(2) }))
    process.exitCode = 7`,
  )
  const args = ['run', 'claude', '--upstream', baseUrl, '--engine', 'compressor', '--', '-p', '--model', 'x']
  const { code, stdout, stderr } = await runCli(args, { env: { ...env, PALIMPSEST_TOKEN: 'of-a-service' } })
  expect([code, JSON.parse(stdout)]).toEqual([7, { status: 200, args: ['-p', '--model', 'x'] }])
  expect(stderr).toMatch(/^palimpsest: the page is http:\/\/127\.0\.0\.1:\d+\/ \(engine compressor, .*\)\n/)
  expect(paths).toEqual(['/v1/embeddings'])
})

test('says who writes summaries and reads decisions, and how to have a model do it', async () => {
  const { baseUrl } = await upstream()
  const env = await installed('claude', '')
  const run = async (own: Record<string, string>, ...options: string[]) =>
    (await runCli(['run', 'claude', '--upstream', baseUrl, ...options], { env: { ...env, ...own } })).stderr
  const without = await run({})
  expect(without).toContain('Summaries in the gateway: no model writes them; they quote the conversation\n')
  expect(without).toContain(
    'Decisions in the gateway: no model reads them; only what the agent records is kept\n',
  )
  expect(without).toMatch(
    /To have a model write summaries and read decisions, name it in .*config\.yaml, such as "/,
  )

  const home = join(await temporaryFolder(), 'home')
  await mkdir(home)
  const block =
    'auxiliary: { compression: { provider: custom, base_url: http://127.0.0.1:9/v1, model: small } }\n'
  await writeFile(join(home, 'config.yaml'), block)
  const named = await run({ PALIMPSEST_HOME: home })
  expect(named).toContain(
    'Summaries in the gateway: custom:small at http://127.0.0.1:9 (auxiliary.compression)\n',
  )
  expect(named).toContain('Decisions in the gateway: read by custom:small\n')
  expect(named).not.toContain('To have a model')
  expect(await run({ PALIMPSEST_HOME: home }, '--engine', 'lcm')).not.toContain('Decisions')
  // A key that is there for other tools does not send decisions to another model than the one that is named.
  expect(await run({ PALIMPSEST_HOME: home, GEMINI_API_KEY: 'key' })).toContain(
    'Decisions in the gateway: read by custom:small\n',
  )

  const reader =
    'auxiliary: { extraction: { provider: custom, base_url: http://127.0.0.1:7/v1, model: small } }\n'
  await writeFile(join(home, 'config.yaml'), reader)
  expect(await run({ PALIMPSEST_HOME: home })).toContain(
    'Decisions in the gateway: read by custom:small at http://127.0.0.1:7\n',
  )
})

test('keeps sessions for the next run in the folder of the user, unless told to keep nothing', async () => {
  const { baseUrl } = await upstream()
  const env = await installed(
    'claude',
    `const body = { model: 'mock-large', max_tokens: 100, messages: [{ role: 'user', content: 'hello' }] }
    const init = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/chat/completions', init)`,
  )
  const run = async (...options: string[]) =>
    (await runCli(['run', 'claude', '--upstream', baseUrl, '--engine', 'lcm', ...options], { env })).stderr
  const file = join(env.PALIMPSEST_HOME, 'runs.db')
  expect(await run('--no-store')).toContain('Sessions are in memory, gone with this run\n')
  expect(existsSync(file)).toBe(false)

  expect(await run()).toContain(`Sessions are kept in ${file} (--no-store keeps nothing)\n`)
  const grep = await runCli(['lcm', 'grep', 'hello', '--all', '--store', file, '--json'], { env })
  expect([grep.code, grep.stdout]).toEqual([0, expect.stringContaining('hello')])
})

test('the configuration of a folder does not send a run and its key to another address', async () => {
  const [{ baseUrl, paths }, elsewhere] = await Promise.all([upstream(), upstream()])
  const env = await installed(
    'claude',
    `const body = { model: 'mock-large', max_tokens: 100, messages: [{ role: 'user', content: 'hello' }] }
    const init = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/chat/completions', init)`,
  )
  const cwd = await temporaryFolder()
  const places = { base_url: elsewhere.baseUrl, formats: { 'openai-chat': elsewhere.baseUrl } }
  await writeFile(join(cwd, 'config.yaml'), JSON.stringify({ serve: { upstream: places } }))
  await runCli(['run', 'claude', '--upstream', baseUrl], { env, cwd })
  expect([paths.includes('/v1/chat/completions'), elsewhere.paths]).toEqual([true, []])
})

test('claude keeps its search for tools in front of Anthropic, unless the user says otherwise', async () => {
  const env = await installed('claude', 'console.log(process.env.ENABLE_TOOL_SEARCH)')
  const run = async (upstream: string, own = {}) =>
    (
      await runCli(['run', 'claude', '--upstream', upstream, '--engine', 'compressor'], {
        env: { ...env, ...own },
      })
    ).stdout
  expect(await run('https://api.anthropic.com/v1')).toBe('true\n')
  expect(await run('https://api.anthropic.com/v1', { ENABLE_TOOL_SEARCH: 'auto:5' })).toBe('auto:5\n')
  expect(await run('https://api.anthropic.com.example.org/v1')).toBe('undefined\n')
})

test('codex and opencode are told of the gateway for this run', async () => {
  const { baseUrl } = await upstream()
  const script = 'console.log(JSON.stringify([process.argv.slice(2), process.env.OPENCODE_CONFIG_CONTENT]))'
  const run = async (name: string, options: readonly string[], OPENAI_API_KEY = '') => {
    const env = { ...(await installed(name, script)), OPENAI_API_KEY }
    const args = ['run', name, '--upstream', baseUrl, ...options, '--', 'hello']
    return JSON.parse((await runCli(args, { env })).stdout) as [string[], string | undefined]
  }
  const [[, provider, , chosen, ...rest]] = await run('codex', [], 'sk-x')
  expect(provider).toMatch(
    /^model_providers\.palimpsest=\{.*base_url="http:\/\/127\.0\.0\.1:\d+\/v1",.*env_key="OPENAI_API_KEY"\}$/,
  )
  expect([chosen, rest]).toEqual(['model_provider="palimpsest"', ['hello']])
  expect((await run('codex', []))[0][1]).toContain('requires_openai_auth=true')

  const [args, config = ''] = await run('opencode', ['--model', 'mock-large'])
  expect(args).toEqual(['hello'])
  expect(JSON.parse(config)).toMatchObject({
    model: 'palimpsest/mock-large',
    provider: { palimpsest: { models: { 'mock-large': {} } } },
  })
})

test('a signal goes to the client, which ends the run', async () => {
  const { baseUrl } = await upstream()
  const env = await installed(
    'claude',
    `process.on('SIGTERM', () => process.exit(5))
    setInterval(() => {}, 1_000)
    console.log('ready')`,
  )
  const child = startCli(['run', 'claude', '--upstream', baseUrl, '--engine', 'compressor'], undefined, env)
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  expect(await once(child, 'close')).toEqual([5, null])
})

test.each([
  ['claude', [], 'claude is not installed, or not in the PATH: npm install -g @anthropic-ai/claude-code'],
  ['opencode', [], 'name one with --upstream'],
  ['opencode', ['--upstream', 'http://127.0.0.1:9/v1'], '--model <name>'],
  ['codex', ['--model', 'x'], 'palimpsest run codex -- --model x'],
] as const)('%s %j: says what is missing', async (name, options, message) => {
  const env =
    options.length > 0 && name === 'opencode' ? await installed(name, '') : { PATH: await temporaryFolder() }
  const { code, stderr } = await runCli(['run', name, '--engine', 'compressor', ...options], { env })
  expect([code, stderr.trim().split('\n').at(-1)]).toEqual([2, expect.stringContaining(message)])
  if (message.includes('not installed')) expect(stderr).not.toContain('the page is')
})
