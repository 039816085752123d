import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startMockUpstream } from '../gateway/mock-upstream.ts'
import { runCli } from '../run-cli.ts'
import { temporaryFolder } from '../serve/temporary-folder.ts'

/** What an environment may tell of a model. */
const NO_MODEL = { OPENAI_API_KEY: '', OPENAI_BASE_URL: '', OPENAI_MODEL: '' }

async function emptyFolder() {
  const folder = await temporaryFolder()
  const workspace = join(folder, 'shop')
  await mkdir(workspace)
  const home = join(folder, 'home')
  const env = { ...NO_MODEL, PALIMPSEST_HOME: home }
  return {
    workspace,
    chat: (...args: string[]) => runCli(['chat', ...args], { cwd: workspace, env }),
    /** With a question on standard input. */
    pipe: (input: string, ...args: string[]) => runCli(['chat', ...args], { cwd: workspace, env, input }),
  }
}

it('answers without a key, says what answers, and goes on with what was said', async () => {
  const { workspace, chat, pipe } = await emptyFolder()
  const first = await chat('We decided to use port 8080 for the shop.')
  expect(first.code).toBe(0)
  expect(first.stderr).toMatch(/^palimpsest: offline, engine compressor, session \S+$/m)
  expect(first.stderr).toMatch(/^Engine compressor: the default; context.engine names another$/m)
  expect(first.stderr).toMatch(/^Summaries: no model writes them/m)
  expect(first.stderr.match(/No model is configured/g)).toHaveLength(1)
  expect(first.stderr).toContain('Prompt caching:')
  expect(first.stdout).toMatch(/\S\n$/)

  // The text is a question and no id, and behind it comes what is piped.
  const second = await pipe('of the shop?\n', '--resume', 'Which port', '--json')
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

  const { stdout: list } = await chat('--list')
  expect(list).toMatch(/^SESSION +LAST CHANGE +MESSAGES +WORKSPACE +BEGAN WITH$/m)
  expect(list).toMatch(new RegExp(`^${events[0].session} .* 5 +${workspace} +We decided to use port`, 'm'))
})

it('tells the model that there is no person to ask, and how one can allow it', async () => {
  const { baseUrl, requests } = await startMockUpstream({
    models: ['test-model'],
    answer: ({ messages }) =>
      messages.at(-1)?.role === 'user'
        ? { calls: [{ name: 'write_file', arguments: { path: 'a.txt', content: 'a' } }] }
        : { content: 'No.' },
  })
  const { chat, workspace } = await emptyFolder()
  const { code, stderr } = await chat('Write it.', '--base-url', baseUrl, '--model', 'test-model')
  expect(code).toBe(0)
  expect(await readdir(workspace)).toEqual([])
  expect(stderr).toMatch(/^\* write_file failed: .*cannot be asked without a terminal.* --yes/m)
  expect(requests[1]?.body.messages.at(-1)?.content).toContain('cannot be asked without a terminal')
})
