import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type AnthropicBody, textOf } from '../../apps/palimpsest/test/gateway/anthropic-fault.ts'
import { type AnthropicReply, startMockAnthropic } from '../../apps/palimpsest/test/gateway/mock-anthropic.ts'
import { type Reply, startMockUpstream } from '../../apps/palimpsest/test/gateway/mock-upstream.ts'
import { PROGRAM } from '../../apps/palimpsest/test/run-cli.ts'
import { claude } from './claude.ts'
import { CLIENT_PROGRAMS } from './clients-folder.ts'
import { opencode } from './opencode.ts'
import { emptyHome, runProgram } from './run-program.ts'

const TOOL = 'mcp__palimpsest__lcm_grep'

it('Claude Code finds a sentence that its own compaction dropped', async () => {
  const home = await emptyHome(claude.environment)
  const replies: AnthropicReply[] = []
  const seen: AnthropicBody[] = []
  const answer = (body: AnthropicBody): AnthropicReply => {
    seen.push(body)
    const last = body.messages.findLast(({ role }) => role === 'user')
    if (textOf(last?.content).includes('CRITICAL: Respond with TEXT ONLY'))
      return { text: '<analysis>Little.</analysis>\n<summary>The user said something.</summary>' }
    return replies.shift() ?? { text: 'There is nothing more to do.' }
  }
  const { baseUrl } = await startMockAnthropic({ answer, window: 200_000 })
  const config = join(home.work, 'mcp.json')
  const server = { command: process.execPath, args: [...PROGRAM, 'mcp'] }
  await writeFile(config, JSON.stringify({ mcpServers: { palimpsest: server } }))
  const environment = { ...home.environment, ANTHROPIC_BASE_URL: baseUrl.replace(/\/v1$/, '') }
  const run = (...args: string[]) =>
    runProgram(
      join(CLIENT_PROGRAMS, 'claude'),
      ['-p', ...args, '--mcp-config', config, '--allowedTools', TOOL],
      { ...home, environment },
    )

  replies.push({ text: 'Noted.' })
  await run('The kumquat deploy is on Friday at noon.')
  await run('--continue', '/compact')
  replies.push({ calls: [{ name: TOOL, input: { query: 'kumquat deploy' } }] }, { text: 'On Friday.' })
  const before = seen.length
  const asked = await run('--continue', 'When is that deploy?')
  expect(asked.stdout).toContain('On Friday.')
  const [first, second] = seen.slice(before).filter(({ tools = [] }) => tools.length > 0)
  // The summary dropped it; the tool gave it back.
  expect(JSON.stringify(first?.messages)).not.toContain('kumquat')
  const results = JSON.stringify(second?.messages.at(-1)?.content ?? second?.messages)
  expect(JSON.stringify(second?.messages)).toContain('The kumquat deploy is on Friday at noon.')
  expect(results).not.toContain('is_error":true')
})

it('opencode finds what was said to another agent in the same folder', async () => {
  const home = await emptyHome(opencode.environment)
  const folder = join(home.environment.HOME ?? '', '.claude', 'projects', 'work')
  await mkdir(folder, { recursive: true })
  const message = { role: 'user', content: 'The kumquat deploy is on Friday at noon.' }
  await writeFile(join(folder, 's.jsonl'), `${JSON.stringify({ type: 'user', cwd: home.work, message })}\n`)
  const replies: Reply[] = [
    { calls: [{ name: 'palimpsest_lcm_grep', arguments: { query: 'kumquat deploy' } }] },
    { content: 'On Friday.' },
  ]
  const { baseUrl, requests } = await startMockUpstream({
    window: 200_000,
    answer: ({ tools = [] }) => (tools.length > 0 ? replies.shift() : undefined) ?? { content: 'Deploy' },
  })
  const config = {
    model: 'mock/mock-large',
    provider: {
      mock: {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: baseUrl, apiKey: 'sk-test' },
        models: { 'mock-large': {} },
      },
    },
    mcp: { palimpsest: { type: 'local', command: [process.execPath, ...PROGRAM, 'mcp'] } },
  }
  const environment = { ...home.environment, OPENCODE_CONFIG_CONTENT: JSON.stringify(config) }
  const asked = await runProgram(join(CLIENT_PROGRAMS, 'opencode'), ['run', 'When is that deploy?'], {
    ...home,
    environment,
  })
  expect(asked.stdout).toContain('On Friday.')
  const results = requests.flatMap(({ body }) => body.messages.filter(({ role }) => role === 'tool'))
  expect(JSON.stringify(results)).toContain('The kumquat deploy is on Friday at noon.')
})
