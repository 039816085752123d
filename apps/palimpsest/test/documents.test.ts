import { globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import compressor, * as compressorModule from '@palimpsest/compressor'
import * as core from '@palimpsest/core'
import decisions from '@palimpsest/decisions'
import * as gemini from '@palimpsest/gemini'
import * as lcmModule from '@palimpsest/lcm'
import * as caching from '@palimpsest/prompt-caching'
import * as tokens from '@palimpsest/tokens'
import OpenAI from 'openai'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runGuide } from '../../../e2e/run-guide.ts'
import { describeWithPostgres } from '../../../packages/postgres/test/support/postgres-server.ts'
import { examplesOf, runExample } from '../../../scripts/run-example.ts'
import { PROGRAM } from './run-cli.ts'

const root = new URL('../../../', import.meta.url)
const modules = {
  '@palimpsest/compressor': compressorModule,
  '@palimpsest/core': core,
  '@palimpsest/gemini': gemini,
  '@palimpsest/prompt-caching': caching,
  '@palimpsest/tokens': tokens,
}

/** No service writes summaries here. */
const withoutModel = { createOpenAiCompletion: () => undefined }

/** The real OpenAI client, with a server that plays a script and remembers the requests. */
function scriptedOpenAI(script: readonly object[]) {
  const requests: { messages: core.Message[]; tools?: unknown[] }[] = []
  const fetch = async (_: unknown, init?: { body?: unknown }) => {
    requests.push(JSON.parse(String(init?.body)))
    const promptTokens = Math.ceil(String(init?.body).length / 4)
    const message = script[Math.min(requests.length, script.length) - 1]
    const body = {
      id: 'x',
      object: 'chat.completion',
      created: 0,
      model: 'gpt',
      choices: [{ index: 0, message, finish_reason: 'stop', logprobs: null }],
      usage: { prompt_tokens: promptTokens, completion_tokens: 5, total_tokens: promptTokens + 5 },
    }
    return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
  }
  return { openai: new OpenAI({ apiKey: 'test', fetch }), requests }
}

describe('README.md', () => {
  it('shows a loop that works, with tools, and that compacts when the history is long', async () => {
    const [example = ''] = examplesOf(new URL('README.md', root))
    const call = { id: 'c1', type: 'function', function: { name: 'clock', arguments: '{}' } }
    const { openai, requests } = scriptedOpenAI([
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'assistant', content: 'It is noon.' },
    ])
    const OpenAI = function OpenAI() {
      return openai
    }
    const printed: string[] = []
    const console = { log: (text: string) => printed.push(text) }
    const program = example.replace('200_000', '8_000')
    const ask = (await runExample(
      program,
      { ...modules, openai: { default: OpenAI } },
      { console },
      'ask',
    )) as (text: string) => Promise<string>

    expect(printed).toEqual(['It is noon.'])
    expect(requests[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool'])
    expect(requests[0]?.tools).toMatchObject([{ function: { name: 'clock' } }])
    for (let turn = 0; turn < 60; turn++)
      expect(await ask(`${turn}: ${'tell me more about it. '.repeat(30)}`)).toBe('It is noon.')
    const last = requests.at(-1)?.messages ?? []
    expect(last.length).toBeLessThan(80)
    expect(last.filter(core.isSummary)).toHaveLength(1)
  })
})

describe('docs/start.md', () => {
  it('shows what the demo really prints', async () => {
    const { runCli } = await import('./run-cli.ts')
    // The demo leaves its page in a temporary folder.
    const folder = await mkdtemp(join(tmpdir(), 'palimpsest-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const { stdout } = await runCli(['demo'], { cwd: fileURLToPath(root), env: { TMPDIR: folder } })
    const [, shown = ''] =
      /```text\n([\s\S]*?)```/.exec(readFileSync(new URL('docs/start.md', root), 'utf8')) ?? []
    expect(shown.trim()).toBe(stdout.trim())
  })
})

it('docs/operate.md counts the tools that are part of every prompt', async () => {
  const toolsOf = async (engine: core.EngineDefinition, options: Record<string, unknown> = {}) => {
    const session = core.createContextSession({ engine, options, contextLength: 200_000 })
    const size = tokens.createTokenCounter().countTools(session.engine.toolSchemas())
    await session.end()
    return size.toLocaleString('en')
  }
  const lcm = lcmModule.default
  const [over, own, alone] = [
    await toolsOf(decisions, { compaction: { engine: lcm, options: {} } }),
    await toolsOf(lcm),
    await toolsOf(decisions),
  ]
  expect(readFileSync(new URL('docs/operate.md', root), 'utf8').replaceAll(/\s+/g, ' ')).toContain(
    `${over} tokens with decisions over lcm, ${own} with lcm, ${alone} with decisions`,
  )
})

describe('docs/hosts.md', () => {
  const [agent = '', append = '', listen = '', compact = ''] = examplesOf(new URL('docs/hosts.md', root))

  it('shows an agent that recovers, runs tools and compacts, and how to listen', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'clock', arguments: '{}' } }
    const { openai, requests } = scriptedOpenAI([
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'assistant', content: 'It is noon.' },
    ])
    const create = openai.chat.completions.create.bind(openai.chat.completions)
    let refusals = 0
    openai.chat.completions.create = ((...args: Parameters<typeof create>) => {
      if (requests.length !== 40 || refusals++ > 0) return create(...args)
      throw new Error("This model's maximum context length is 8192 tokens")
    }) as typeof create
    const OpenAI = function OpenAI() {
      return openai
    }
    const printed: unknown[][] = []
    const console = { log: (...values: unknown[]) => printed.push(values) }
    const process = { env: {} }
    const given = { ...modules, openai: { default: OpenAI }, '@palimpsest/openai': withoutModel }
    const own = (await runExample(agent, given, { console, process }, '({ session, answer, history })')) as {
      session: core.ContextSession
      answer: (question: string) => Promise<string>
      history: core.Message[]
    }
    const { session, history } = own
    expect(printed).toEqual([['It is noon.']])
    expect(requests[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool'])
    expect(session.engine.thresholdTokens).toBe(92_000)

    await runExample(listen, modules, { session, console })
    for (let turn = 0; turn < 60; turn++)
      expect(await own.answer(`${turn}: ${'tell me more about it. '.repeat(90)}`)).toBe('It is noon.')
    expect(refusals).toBeGreaterThan(0)
    expect(printed.map(([trigger, outcome]) => [trigger, outcome])).toContainEqual(['overflow', 'compacted'])
    expect(session.engine.contextLength).toBe(8192)
    expect(history.filter(({ role }) => role === 'user')).toHaveLength(61)
    expect(history.length).toBe(1 + 4 + 60 * 2)

    await runExample(compact, modules, { session })
    expect(['compacted', 'unchanged']).toContain(printed.at(-1)?.[1])
    await session.end()
  })

  it('shows how a host without a list appends', async () => {
    const session = core.createContextSession({ engine: compressor, contextLength: 30_000 })
    const messages = await runExample(append, modules, { session }, 'messages')
    expect(messages).toEqual([{ role: 'user', content: 'And in Berlin?' }])
    expect(session.transcript).toEqual(messages)
  })
})

/** Runs what a page begins with, up to its first heading, as a reader with the program and an empty folder would. */
async function runOpening(page: string, { config = '', of = (text: string) => text } = {}): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-guide-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [bin, work] = [join(folder, 'bin'), join(folder, 'work')]
  await Promise.all([bin, work].map((each) => mkdir(each)))
  const program = [process.execPath, ...PROGRAM].map((part) => `'${part}'`).join(' ')
  await writeFile(join(bin, 'palimpsest'), `#!/bin/sh\nexec ${program} "$@"\n`, { mode: 0o755 })
  if (config !== '') await writeFile(join(work, 'config.yaml'), config)
  const { GEMINI_API_KEY: _, OPENAI_API_KEY: __, OPENAI_BASE_URL: ___, ...env } = process.env
  const PATH = `${bin}${delimiter}${env.PATH}`
  const [opening = ''] = readFileSync(new URL(`docs/${page}`, root), 'utf8').split('\n## ')
  // Not beside the other engines, on a page that nothing here reads: docs/start.md shows a demo that does.
  const alone = of(opening).replace(/demo --engine (\w+)/, '$& --compare $1')
  const { commands } = await runGuide(alone, {
    folder: work,
    env: { ...env, CI: 'true', PATH, PALIMPSEST_HOME: join(folder, 'home') },
  })
  expect(commands).toBe(1)
}

it.each(['chat.md', 'decisions-engine.md', 'lcm.md'])('docs/%s begins with commands that work', (page) =>
  runOpening(page),
)

describeWithPostgres('docs/scale.md', (server) => {
  it('begins with commands that work', () =>
    runOpening('scale.md', {
      config: JSON.stringify({ store: { schema: server.schema() } }),
      of: (text) => text.replace(/postgres:\S+/, `'${server.url}'`),
    }))
})

/** Words of pages that are longer than the others: references, and what is looked up. */
const LONG_PAGES: Readonly<Record<string, number>> = {
  'README.md': 700,
  'docs/benchmarks.md': 2_500,
  'docs/design.md': 3_500,
  // Half of it is programs.
  'docs/write-an-engine.md': 2_000,
  ...Object.fromEntries(
    ['commands', 'configuration', 'contract-cases', 'hermes-contract'].map((name) => [
      `docs/${name}.md`,
      Number.POSITIVE_INFINITY,
    ]),
  ),
}

it.each(['README.md', ...globSync('docs/*.md', { cwd: fileURLToPath(root) })])(
  '%s is read in a few minutes',
  (page) => {
    const words = readFileSync(new URL(page, root), 'utf8').split(/\s+/)
    expect(words.filter((word) => /[\p{L}\d]/u.test(word)).length).toBeLessThanOrEqual(
      LONG_PAGES[page] ?? 1_200,
    )
  },
)
