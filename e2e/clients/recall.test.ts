import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { CLIENTS } from '../../apps/palimpsest/src/run/clients.ts'
import { type AnthropicBody, textOf } from '../../apps/palimpsest/test/gateway/anthropic-fault.ts'
import { type AnthropicReply, startMockAnthropic } from '../../apps/palimpsest/test/gateway/mock-anthropic.ts'
import { type ResponsesReply, startMockResponses } from '../../apps/palimpsest/test/gateway/mock-responses.ts'
import { type Reply, startMockUpstream } from '../../apps/palimpsest/test/gateway/mock-upstream.ts'
import { claude } from './claude.ts'
import { codex } from './codex.ts'
import { opencode } from './opencode.ts'
import { homeWithPalimpsest, runPalimpsest, runProgram } from './run-program.ts'
import type { TestedClient } from './scenarios.ts'

const PLUGIN = fileURLToPath(new URL('../../plugins/claude-code', import.meta.url))
const SENTENCE = 'The kumquat deploy is on Friday at noon.'
const HEAD = 'Quoted by Palimpsest from before the compaction'
const SUMMARY = 'The user asked for steps, and some of them are done.'
const STEPS = 40
/** A command whose output no call holds. */
const CHECKSUM = 'echo "checksum of the build: $(echo quince | md5sum)";'
const MD5 = createHash('md5').update('quince\n').digest('hex')

const times = (text: string, part: string): number => text.split(part).length - 1

test(`Claude Code with the plug-in: ${STEPS} steps, its own compaction, what that dropped, a search, a resume`, async () => {
  const home = await homeWithPalimpsest(claude.environment)
  const replies: AnthropicReply[] = []
  const answer = ({ messages }: AnthropicBody): AnthropicReply => {
    const last = messages.findLast(({ role }) => role === 'user')
    if (textOf(last?.content).includes('CRITICAL: Respond with TEXT ONLY'))
      return { text: `<analysis>Steps.</analysis>\n<summary>${SUMMARY}</summary>` }
    return replies.shift() ?? { text: 'There is nothing more to do.' }
  }
  const mock = await startMockAnthropic({ answer })
  const environment = { ...home.environment, ANTHROPIC_BASE_URL: mock.baseUrl.replace(/\/v1$/, '') }
  const tool = 'mcp__plugin_palimpsest_palimpsest__lcm_grep'
  /** The requests of one run, as they came. */
  const run = async (args: readonly string[], script: readonly AnthropicReply[]) => {
    replies.push(...script)
    const before = mock.requests.length
    const more = ['--plugin-dir', PLUGIN, '--allowedTools', `Bash,${tool}`, '--output-format', 'json']
    const { code, stdout } = await runProgram('claude', [...args, ...more], { ...home, environment })
    expect([code, mock.faults, replies]).toEqual([0, [], []])
    const { result, session_id } = JSON.parse(stdout) as Record<'result' | 'session_id', string>
    return { result, session_id, requests: mock.requests.slice(before).map(({ text }) => text) }
  }
  const bash = (command: string) => ({ calls: [{ name: 'Bash', input: { command, description: 'a step' } }] })
  const steps = Array.from({ length: STEPS }, (_, at) =>
    bash(`echo STEP-${at}; ${at === STEPS / 2 ? CHECKSUM : ''} seq ${at}000 ${at}400`),
  )
  const search = (query: string, more: AnthropicReply[] = []) => [
    ...more,
    { calls: [{ name: tool, input: { query } }] },
    { text: 'On Friday.' },
  ]

  const { session_id } = await run(['-p', SENTENCE], [...steps, { text: 'Noted.' }])
  await run(['-p', '--resume', session_id, '/compact'], [])
  // A client loads the tools of a server once its model asks for them.
  const load = { calls: [{ name: 'ToolSearch', input: { query: `select:${tool}`, max_results: 1 } }] }
  const next = await run(['-p', '--resume', session_id, 'Which checksum?'], search('checksum build', [load]))
  const [first = '', , last = ''] = next.requests
  expect([times(first, SUMMARY), times(first, SENTENCE), times(first, HEAD)]).toEqual([1, 1, 1])
  expect([times(first, MD5), times(last, MD5) > 0]).toEqual([0, true])

  const resumed = await run(['-p', '--resume', session_id, 'When is it?'], search('kumquat deploy'))
  const [begun = '', found = ''] = resumed.requests
  expect([times(begun, SENTENCE), times(begun, HEAD), resumed.result]).toEqual([1, 1, 'On Friday.'])
  expect(times(found, SENTENCE)).toBeGreaterThan(1)
  console.log(`Claude Code with the plug-in: ${mock.requests.length} requests, none at fault`)
})

/** Connects a client, tells it the sentence in one session, and asks for it in another. Returns its last output. */
async function askLater({ name, environment, ask, model }: TestedClient, baseUrl: string) {
  const home = await homeWithPalimpsest(environment)
  expect(await runPalimpsest(['connect', name, '--yes'], home)).toMatchObject({ code: 0 })
  const url = baseUrl.replace(/\/v1$/, '')
  const { args, env } = CLIENTS[name].launch({ url, environment: home.environment, model, upstream: baseUrl })
  const own = { ...home, environment: { ...home.environment, ...env } }
  const outputs: string[] = []
  for (const prompt of [SENTENCE, 'When is that deploy?']) {
    const { code, stdout, stderr } = await runProgram(name, [...args, ...ask(prompt)], own)
    expect([code, stderr]).toEqual([0, expect.anything()])
    outputs.push(stdout)
  }
  return { output: outputs.at(-1), home }
}

test('Codex finds what was said in an earlier session of its own', async () => {
  // It calls tools from JavaScript, and does not wait for servers before the first request.
  const inputs = [
    "text(await tools.exec_command({ cmd: 'sleep 5' }))",
    "text(await tools.mcp__palimpsest__lcm_grep({ query: 'kumquat deploy' }))",
  ]
  const replies: ResponsesReply[] = [
    { text: 'Noted.' },
    ...inputs.map((input) => ({ calls: [{ name: 'exec', input }] })),
    { text: 'On Friday.' },
  ]
  const answer = () => replies.shift() ?? { text: 'There is nothing more to do.' }
  const { baseUrl, requests, refused } = await startMockResponses({ answer })
  expect((await askLater(codex, baseUrl)).output).toContain('On Friday.')
  expect([requests.map(({ text }) => text.includes(SENTENCE)), refused]).toEqual([
    [true, false, false, true],
    [],
  ])
})

test('opencode finds what was said in an earlier session of its own', async () => {
  const replies: Reply[] = [
    { content: 'Noted.' },
    { calls: [{ name: 'palimpsest_lcm_grep', arguments: { query: 'kumquat deploy' } }] },
    { content: 'On Friday.' },
  ]
  const { baseUrl, requests } = await startMockUpstream({
    window: 200_000,
    answer: ({ tools = [] }) => (tools.length > 0 ? replies.shift() : undefined) ?? { content: 'Deploy' },
  })
  const { output, home } = await askLater(opencode, baseUrl)
  expect(output).toContain('On Friday.')
  const asked = requests.filter(({ body: { tools = [] } }) => tools.length > 0)
  expect(asked.map(({ body }) => JSON.stringify(body).includes(SENTENCE))).toEqual([true, false, true])

  const listed = await runPalimpsest(['sessions', '--agent', 'opencode', '--json'], home)
  const { sessions } = JSON.parse(listed.stdout) as { sessions: { began: string }[] }
  // The client puts a prompt with spaces in quotes.
  expect(sessions.map(({ began }) => began)).toEqual(['"When is that deploy?"', `"${SENTENCE}"`])
  expect(await runPalimpsest(['replay', '1'], home)).toMatchObject({
    ...{ code: 0, stdout: expect.stringContaining('(opencode)') },
  })
})
