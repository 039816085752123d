import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { sharedValue } from '../../scripts/share-value.ts'
import { fencedBlocks } from '../fenced-blocks.ts'
import type { Fixture } from '../fixture.ts'
import { REPOSITORY_ROOT } from '../repository-root.ts'
import { type CommandOutput, describeOutput, runCommand } from '../run-command.ts'
import { environmentOf } from '../user-environment.ts'

const { folder, user } = await sharedValue<Fixture>(inject('fixture'))
const place = join(folder, 'newcomer')
const run = (command: string): Promise<CommandOutput> =>
  runCommand('bash', ['-c', command], { cwd: place, env: environmentOf(user, place) })
const succeed = async (command: string): Promise<CommandOutput> => {
  const output = await run(command)
  expect(output.code, describeOutput(output)).toBe(0)
  return output
}

/**
 * The modules of the README's reader: OpenAI's own client and types, and here a server that answers on this machine.
 */
const YOUR_AGENT = `import { createServer } from 'node:http'
import OpenAI from 'openai'

let requests = 0
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const call = { id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } }
    const asks = { role: 'assistant', content: null, tool_calls: [call] }
    const message = requests++ === 0 ? asks : { role: 'assistant', content: 'It is 4711.' }
    const usage = { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 }
    const choices = [{ index: 0, message, finish_reason: 'stop' }]
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ id: 'x', object: 'chat.completion', created: 0, model: 'm', choices, usage }))
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
server.unref()
const { port } = server.address() as { port: number }

export const openai = new OpenAI({ apiKey: 'x', baseURL: \`http://127.0.0.1:\${port}/v1\` })
export const toolSchemas: OpenAI.Chat.Completions.ChatCompletionTool[] = [
  { type: 'function', function: { name: 'read', strict: true } },
]
export async function runTool(
  call: OpenAI.Chat.Completions.ChatCompletionMessageToolCall,
): Promise<OpenAI.Chat.Completions.ChatCompletionToolMessageParam> {
  return { role: 'tool', tool_call_id: call.id, content: 'port = 4711' }
}
`

const GEMINI = `import { createGeminiCompletion, type GeminiOptions } from '@palimpsest/gemini'

export const make = (options: GeminiOptions) => createGeminiCompletion(options)
`

const TSC =
  'npx tsc --noEmit --strict --exactOptionalPropertyTypes --skipLibCheck false --types node --target es2023 ' +
  '--module nodenext --allowImportingTsExtensions'

const blocks = fencedBlocks(await readFile(join(REPOSITORY_ROOT, 'README.md'), 'utf8'))

/** The lines of the block of the README that has a text. */
const commands = (text: string): string[] =>
  blocks
    .find((block) => block.language === 'sh' && block.text.includes(text))
    ?.text.trim()
    .split('\n') ?? []

describe('in the folder that npm init writes', () => {
  beforeAll(async () => {
    const install = blocks.find(({ text }) => text.startsWith('npm install @palimpsest/'))?.text.trim()
    const [loop, engine] = blocks.filter(({ language }) => language === 'ts').map(({ text }) => text)
    await mkdir(place)
    // The npm of today writes the type; an older one leaves it out, which means the same.
    await succeed('npm init -y && npm pkg set type=commonjs')
    await succeed(`${install} @palimpsest/gemini openai tsx typescript @types/node`)
    await writeFile(join(place, 'your-agent.mts'), YOUR_AGENT)
    await writeFile(join(place, 'agent.mts'), `${loop}\nconsole.log(await ask('Which port?'))\n`)
    await writeFile(join(place, 'summaries.mts'), GEMINI)
    await writeFile(join(place, 'engine.mts'), engine ?? '')
  })

  it.each(['node agent.mts', 'npx tsx agent.mts'])("the README's loop runs with %s", async (command) => {
    expect((await succeed(command)).stdout).toContain('It is 4711.')
  })

  it("the README's loop type-checks with OpenAI's types, strictly", async () => {
    await succeed(`${TSC} agent.mts`)
  })

  it("the README's engine passes the contract suite, as the README says to run it", async () => {
    const [installs = '', runs = ''] = commands('palimpsest-contract')
    await succeed(installs)
    const { stdout } = await succeed(`${runs} L01-L11`)
    expect(stdout).toMatch(/\b11 passed/)
  })

  it("the README's commands for coding agents run", async () => {
    const [connects = '', runs = ''] = commands('@palimpsest/cli connect').map((line) =>
      line.replace(/#.*/, ''),
    )
    // There is no terminal to ask on.
    await succeed(`${connects} --yes`)
    expect(await readFile(join(user.home, '.claude.json'), 'utf8')).toContain('"palimpsest"')
    // The agent itself is not installed here; the tests of real clients run it.
    expect((await run(`${runs} --help`)).code).toBe(0)
  })

  it('the types of the Gemini package check without its SDK', async () => {
    expect((await run('ls node_modules/@google')).code).not.toBe(0)
    await succeed(`${TSC} summaries.mts`)
  })
})
