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
    const { stdout } = await runCli(['demo'], { cwd: fileURLToPath(root) })
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
  expect(readFileSync(new URL('docs/operate.md', root), 'utf8')).toContain(
    `${over} tokens with decisions over lcm, ${own} with lcm, ${alone} with decisions`,
  )
})

describe('docs/hosts.md', () => {
  const [create = '', turn = '', append = '', listen = ''] = examplesOf(new URL('docs/hosts.md', root))

  it('shows how to create a session', async () => {
    const session = (await runExample(
      create,
      modules,
      { process: { env: { GEMINI_API_KEY: 'test' } } },
      'session',
    )) as core.ContextSession
    expect(session.engine.thresholdTokens).toBe(92_000)
    await session.end()
  })

  it('shows how a host without a list appends', async () => {
    const session = core.createContextSession({ engine: compressor, contextLength: 30_000 })
    const messages = await runExample(append, modules, { session }, 'messages')
    expect(messages).toEqual([{ role: 'user', content: 'And in Berlin?' }])
    expect(session.transcript).toEqual(messages)
  })

  it('shows a turn that recovers and runs tools, and how to listen', async () => {
    const session = core.createContextSession({ engine: lcmModule.default, contextLength: 30_000 })
    const printed: unknown[][] = []
    await runExample(listen, modules, {
      session,
      console: { log: (...values: unknown[]) => printed.push(values) },
    })
    const history = Array.from({ length: 60 }, (_, index): core.Message => {
      const content = `${index} ${'words and more words '.repeat(30)}`
      return index % 2 === 0 ? { role: 'user', content } : { role: 'assistant', content }
    })
    const calls = ['read', 'lcm_describe'].map((name) => ({
      id: name,
      type: 'function',
      function: { name, arguments: '{}' },
    }))
    const sizes: number[] = []
    const callModel = async ({ messages }: core.TurnRequest) => {
      sizes.push(messages.length)
      if (sizes.length === 1) throw new Error("This model's maximum context length is 8192 tokens")
      const message = { role: 'assistant', content: 'It is 4711.' }
      return { message: sizes.length === 2 ? { ...message, content: null, tool_calls: calls } : message }
    }
    const toolSchemas = [{ type: 'function', function: { name: 'read' } }]
    const yours = { session, history, callModel, toolSchemas, runTool: async () => 'port = 4711' }
    const answered = await runExample(turn, modules, yours, "answer('Which port?')")
    expect(answered).toEqual({ message: { role: 'assistant', content: 'It is 4711.' } })
    expect(sizes[1]).toBeLessThan(sizes[0] as number)
    expect(printed[0]?.slice(0, 2)).toEqual(['overflow', 'compacted'])
    expect(session.engine.contextLength).toBe(8192)
    expect(history.slice(-4)).toMatchObject([
      { role: 'assistant', tool_calls: calls },
      { role: 'tool', tool_call_id: 'read', content: 'port = 4711' },
      { role: 'tool', tool_call_id: 'lcm_describe' },
      { role: 'assistant', content: 'It is 4711.' },
    ])
    await session.end()
  })
})

describe('docs/prompt-caching.md', () => {
  it('shows how to give a session a planner', async () => {
    const [example = ''] = examplesOf(new URL('docs/prompt-caching.md', root))
    const { createContextSession, roughTokenCounter } = core
    const yours = { tokens: roughTokenCounter, engine: compressor, createContextSession }
    const cache = (await runExample(example, modules, yours, 'cache')) as caching.SessionCachePlanner
    expect(cache.pricing.model).toBe('claude-opus-5')
    const plan = cache.plan({
      messages: [{ role: 'user', content: 'a long question '.repeat(500) }],
      tools: [],
    })
    expect(plan.expected.write5m).toBeGreaterThan(1900)
  })
})

describe('docs/hermes-contract.md', () => {
  const guide = new URL('docs/hermes-contract.md', root)
  const engineOf = async () => {
    const [example = ''] = examplesOf(guide)
    return (await runExample(example, modules, {}, 'engine')) as core.EngineDefinition
  }

  it('begins with an engine that works', async () => {
    const session = core.createContextSession({ engine: await engineOf(), contextLength: 8_000 })
    const history: core.Message[] = [{ role: 'system', content: 'You are a coding agent.' }]
    for (let turn = 0; turn < 60; turn++) {
      history.push({ role: 'user', content: `${turn} ${'words and more words '.repeat(30)}` })
      history.push({ role: 'assistant', content: 'yes' })
    }
    const last: core.Message = { role: 'user', content: 'Which port?' }
    const { messages, warnings } = await session.prepare([...history, last])
    expect({ messages, warnings }).toEqual({ messages: [history[0], last], warnings: [] })
    await session.end()
  })

  it('names every member of an engine', async () => {
    const session = core.createContextSession({ engine: await engineOf(), contextLength: 8_000 })
    const text = readFileSync(guide, 'utf8')
    const missing = Object.keys(session.engine).filter((name) => !text.includes(name))
    expect(missing).toEqual([])
    await session.end()
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
  ...Object.fromEntries(
    ['commands', 'configuration', 'contract-cases'].map((name) => [
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
