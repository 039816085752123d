import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type AnthropicBody, textOf } from '../../apps/palimpsest/test/gateway/anthropic-fault.ts'
import { startMockAnthropic } from '../../apps/palimpsest/test/gateway/mock-anthropic.ts'
import { PROGRAM } from '../../apps/palimpsest/test/run-cli.ts'
import { claude } from './claude.ts'
import { CLIENT_PROGRAMS } from './clients-folder.ts'
import { emptyHome, runProgram } from './run-program.ts'

const WISH = 'Please keep the port at 4711 in config/server.ts, whatever happens.'
const HEAD = 'Quoted by Palimpsest from before the compaction'
const SUMMARY = 'The user asked for steps, and some of them are done.'

const isCompaction = ({ messages }: AnthropicBody): boolean =>
  textOf(messages.findLast(({ role }) => role === 'user')?.content).includes(
    'CRITICAL: Respond with TEXT ONLY',
  )

const answer = (body: AnthropicBody) => ({
  text: isCompaction(body) ? `<analysis>Steps.</analysis>\n<summary>${SUMMARY}</summary>` : 'It is done.',
})

/** The real Claude Code with a hook in its settings, and what its last request held. */
async function stage() {
  const mock = await startMockAnthropic({ answer })
  const url = { ANTHROPIC_BASE_URL: mock.baseUrl.replace(/\/v1$/, '') }
  const home = await emptyHome({ ...claude.environment, ...url })
  const command = [process.execPath, ...PROGRAM, 'hook', 'claude-code'].map((part) => `'${part}'`).join(' ')
  const hooks = { SessionStart: [{ hooks: [{ type: 'command', command }] }] }
  const run = async (args: readonly string[], isHooked = true) => {
    const settings = isHooked ? ['--settings', JSON.stringify({ hooks })] : []
    const ended = await runProgram(join(CLIENT_PROGRAMS, 'claude'), [...settings, ...args], home)
    expect([ended.code, ended.stderr, mock.faults]).toEqual([0, expect.anything(), []])
    return mock.requests.at(-1)?.text ?? ''
  }
  await run(claude.ask(WISH))
  for (const step of ['one', 'two', 'three', 'four']) await run(claude.resume(`Take step ${step} now.`))
  return run
}

const times = (text: string, part: string): number => text.split(part).length - 1

test('claude: a session that was compacted without the hook gets it when it is resumed', async () => {
  const run = await stage()
  await run(claude.compact ?? [], false)
  expect(await run(claude.resume('And go on.'), false)).not.toContain(WISH)
  const next = await run(claude.resume('And on.'))
  expect([next.includes(SUMMARY), next.includes(WISH), times(next, HEAD)]).toEqual([true, true, 1])
})
