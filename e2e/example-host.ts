import type { PublishedPackage } from './publish.ts'

/** The parts that the commands and the first example of a README leave to their reader. */
export interface ExampleHost {
  /** Files that they read, by path. */
  readonly files?: Readonly<Record<string, string>>
  /**
   * A program that runs in the same process before the example: what the host has, and the other end of the network.
   */
  readonly before?: string
  /** Needs a PostgreSQL server: the environment variable `DATABASE_URL` says where an empty one is. */
  readonly database?: boolean
  /** Lines behind the example that call what it defines. */
  readonly after?: string
  /** Where the example is written to, and how it is run. Default: `example.mts`, by node. */
  readonly run?: { readonly path: string; readonly command: string }
  /** Commands that follow those of the README. */
  readonly commands?: readonly string[]
  /** Lines that the commands may print to standard error when all is well. Default: none. */
  readonly notices?: RegExp
  /** Texts that have to be in the output. */
  readonly prints: readonly string[]
  /** Packages that have an install script and are known to work without it. */
  readonly installScripts?: readonly string[]
  /** The blocks behind the first commands and the first example. A key is a text of a block, or of one of its lines. */
  readonly rest?: {
    /** A program that runs before each example of them, behind `before`: what they leave to their reader. */
    readonly before?: string
    /** Lines behind an example. */
    readonly after?: Readonly<Record<string, string>>
    /** Files that examples are written to, for the commands behind them; they do not run by themselves. */
    readonly files?: Readonly<Record<string, string>>
    /** The reasons why some cannot run here. */
    readonly cannot?: Readonly<Record<string, string>>
  }
}

/** Recorded sessions, for the packages that read one. */
const session = (...turns: readonly (readonly [string, string])[]): string =>
  turns
    .flatMap(([asked, answered]) => [
      { role: 'user', content: asked },
      { role: 'assistant', content: answered },
    ])
    .map((message) => `${JSON.stringify(message)}\n`)
    .join('')
const SESSION = session(['Which database do we use?', 'Postgres, since turn 3.'])
const DECISION = session(['Decision: we use PostgreSQL for the ledger.', 'Noted.'])

/** A program that runs before the loop of the README: OpenAI's service, with a script, and the environment that names it. */
export const SCRIPTED_OPENAI = `import { createServer } from 'node:http'

let requests = 0
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const call = { id: 'c1', type: 'function', function: { name: 'clock', arguments: '{}' } }
    const asks = { role: 'assistant', content: null, tool_calls: [call] }
    const message = requests++ === 0 ? asks : { role: 'assistant', content: 'It is noon.' }
    const usage = { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 }
    const choices = [{ index: 0, message, finish_reason: 'stop' }]
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ id: 'x', object: 'chat.completion', created: 0, model: 'm', choices, usage }))
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
server.unref()
const { port } = server.address() as { port: number }
Object.assign(process.env, { OPENAI_API_KEY: 'x', OPENAI_BASE_URL: \`http://127.0.0.1:\${port}/v1\` })
`

/** The reasons why a block cannot run by itself. */
const MEMBER = 'a line of a larger program'
const VITEST = 'a file of tests for vitest; packages/contract-tests/test runs it'
const READERS = "the package is the reader's; docs/write-an-engine.md runs the same on one"

const HOSTS: Readonly<Record<string, ExampleHost>> = {
  '@palimpsest/ai-sdk': {
    rest: {
      cannot: {
        'prepareStep: (step)': MEMBER,
        'prepareStep: async (step)': MEMBER,
      },
    },
    before: `const usage = { inputTokens: { total: 9_000 }, outputTokens: { total: 20 } }
const text = [{ type: 'text', text: 'Postgres, as you noted in turn 3.' }]
const answer = { content: text, finishReason: { unified: 'stop' }, usage, warnings: [] }
const grep = { type: 'tool-call', toolCallId: '1', toolName: 'lcm_grep', input: '{"query":"postgres"}' }
const call = { ...answer, content: [grep], finishReason: { unified: 'tool-calls' } }
let calls = 0
const doGenerate = async ({ tools = [] }) => (tools.length > 0 && calls++ === 0 ? call : answer)
const languageModel = (modelId) => ({
  specificationVersion: 'v4',
  provider: 'test',
  modelId,
  supportedUrls: {},
  doGenerate,
})
globalThis.AI_SDK_DEFAULT_PROVIDER = { specificationVersion: 'v4', languageModel }`,
    prints: ['tokens are left', 'Postgres, as you noted in turn 3.'],
  },
  '@palimpsest/cli': {
    rest: {
      cannot: {
        'replay 1': 'no coding agent was used on this machine',
        'decisions export': 'no model reads the session here, so there are none to write',
        d1a2b3c4: 'the id is an example',
      },
    },
    files: { 'session.jsonl': DECISION, 'sessions/ledger.jsonl': SESSION.repeat(30) },
    notices: /^the page: file:/,
    prints: ['no violation'],
  },
  '@palimpsest/compressor': { prints: ['122 messages became', 'compacted summarised-without-model'] },
  '@palimpsest/contract-tests': {
    rest: {
      cannot: {
        "name: 'my-engine'": VITEST,
        'palimpsest-contract my-engine': READERS,
        '--runs 1000': READERS,
        'contract-target.ts': READERS,
        'C11 shouldCompress': 'a failure, and the engine that is tested here has none',
      },
    },
    // The engine whose tests they are, in a package as the guide to engines makes one.
    files: {
      'package.json': '{ "private": true, "type": "module" }\n',
      'src/index.ts': "export { default } from '@palimpsest/compressor'\n",
    },
    commands: ['npm install @palimpsest/compressor'],
    // Without the generated conversations, which packages/compressor/test tries; the guide to engines runs all.
    run: {
      path: 'test/contract.test.ts',
      command: 'node --test --test-skip-pattern="/^P/" "test/*.test.ts"',
    },
    prints: ['fail 0'],
  },
  '@palimpsest/core': {
    prints: ['12 messages in the history, 10 to send'],
  },
  '@palimpsest/gateway': {
    rest: {
      cannot: { '// Hono': MEMBER, '// Express': MEMBER, '// Next': MEMBER },
    },
    before: `process.env.PORT = '0'
const message = { role: 'assistant', content: 'Three fixes.' }
const real = globalThis.fetch
globalThis.fetch = async (input, init) =>
  new URL(input.url ?? input).hostname === '127.0.0.1' ? real(input, init) : Response.json({ choices: [{ message }] })`,
    after: `await new Promise((resolve) => server.once('listening', resolve))
const response = await fetch(\`http://127.0.0.1:\${server.address().port}/v1/chat/completions\`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] }),
})
console.log((await response.json()).choices[0].message.content)
server.close()`,
    prints: ['Three fixes.'],
  },
  '@palimpsest/inspector': {
    rest: {
      cannot: { '// Hono': MEMBER, embedViews: MEMBER },
    },
    before: `process.env.PORT = '0'`,
    after: `await new Promise((resolve) => server.once('listening', resolve))
await session.prepare([{ role: 'user', content: 'Which fixes are in?' }])
const url = \`http://127.0.0.1:\${server.address().port}\`
console.log((await (await fetch(url)).text()).includes('<title>'))
console.log((await (await fetch(\`\${url}/api/sessions\`)).json()).sessions[0].title)
server.close()`,
    prints: ['true', 'Which fixes are in?'],
  },
  '@palimpsest/mastra': {
    before: `process.env.OPENAI_API_KEY = 'the key of the user'
const content = [{ type: 'output_text', text: 'Postgres.', annotations: [] }]
const output = [{ type: 'message', id: 'm', role: 'assistant', status: 'completed', content }]
globalThis.fetch = async () =>
  Response.json({ id: 'r', created_at: 1, model: 'm', output, usage: { input_tokens: 9, output_tokens: 2 } })`,
    prints: ['Postgres.'],
  },
  '@palimpsest/mcp': {
    after: `console.log(tools.schemas.map((schema) => schema.function.name).join(' '))
await server.close()`,
    prints: ['lcm_grep lcm_describe lcm_expand'],
  },
  '@palimpsest/gemini': {
    rest: {
      before: `const whole = globalThis.fetch
const sse = async (answer) => 'data: ' + (await answer.text()) + '\\n\\n'
globalThis.fetch = async (to, init) => {
  const answer = await whole(to, init)
  if (!String(to?.url ?? to).includes('stream')) return answer
  return new Response(await sse(answer), { headers: { 'content-type': 'text/event-stream' } })
}`,
    },
    before: `process.env.GEMINI_API_KEY = 'the key of the user'
globalThis.fetch = async () =>
  Response.json({
    candidates: [{ content: { role: 'model', parts: [{ text: 'Three fixes.' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 4, totalTokenCount: 24 },
  })`,
    prints: ['Three fixes.'],
    // A dependency of @google/genai. Its script compares version numbers and prints advice.
    installScripts: ['protobufjs'],
    // The README tells users of pnpm to add this.
    files: { 'pnpm-workspace.yaml': 'allowBuilds:\n  protobufjs: false\n' },
  },
  '@palimpsest/decisions': {
    rest: {
      cannot: { 'made anew at a compaction': 'a picture of the prompt' },
    },
    prints: ['122 messages became', '<project_decisions>', 'MySQL (was Postgres, turn 3 to 27'],
  },
  '@palimpsest/langchain': {
    rest: { before: 'globalThis.context = { session: () => undefined }' },
    before: `process.env.OPENAI_API_KEY = 'the key of the user'
const call = { id: '1', type: 'function', function: { name: 'lcm_grep', arguments: '{"query":"postgres"}' } }
const text = { role: 'assistant', content: 'Postgres, as you noted in turn 3.' }
let calls = 0
globalThis.fetch = async (_, init) => {
  const { model, tools } = JSON.parse(init.body)
  const summary = { role: 'assistant', content: '## Goal\\nKeep the ledger. It counts in cents.' }
  const isFirst = model !== 'gpt-5-mini' && tools !== undefined && calls++ === 0
  const answer = isFirst ? { role: 'assistant', content: null, tool_calls: [call] } : text
  const message = model === 'gpt-5-mini' ? summary : answer
  const usage = { prompt_tokens: 9_000, completion_tokens: 20, total_tokens: 9_020 }
  return Response.json({ id: String(calls), choices: [{ index: 0, message, finish_reason: 'stop' }], usage })
}`,
    prints: ['tokens are left', 'Postgres, as you noted in turn 3.'],
  },
  '@palimpsest/lcm': {
    prints: ['122 messages became', 'lcm_grep lcm_describe', '"ref":"m5"'],
  },
  '@palimpsest/openai': {
    rest: {
      before: `const whole = globalThis.fetch
globalThis.fetch = async (to, init) => {
  if (JSON.parse(init.body).stream !== true) return whole(to, init)
  const chunk = { choices: [{ index: 0, delta: { content: '-3 degrees.' }, finish_reason: 'stop' }] }
  const text = 'data: ' + JSON.stringify(chunk) + '\\n\\ndata: [DONE]\\n\\n'
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } })
}`,
    },
    before: `process.env.OPENAI_API_KEY = 'the key of the user'
globalThis.fetch = async () =>
  Response.json({
    choices: [{ message: { role: 'assistant', content: 'Three fixes.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 20, completion_tokens: 4, total_tokens: 24 },
  })`,
    prints: ['Three fixes.'],
  },
  '@palimpsest/openai-agents': {
    rest: {
      before: 'globalThis.context = { wrap: (model) => model }',
    },
    before: `process.env.OPENAI_API_KEY = 'key'
process.env.OPENAI_AGENTS_DISABLE_TRACING = '1'
const answers = ['Noted.', 'In cents.']
globalThis.fetch = async () => {
  const content = [{ type: 'output_text', text: answers.shift(), annotations: [] }]
  const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content }
  const usage = { input_tokens: 900, output_tokens: 3, total_tokens: 903 }
  return Response.json({ id: 'resp_1', object: 'response', status: 'completed', output: [message], usage })
}`,
    prints: ['Noted.\nIn cents.'],
  },
  '@palimpsest/openclaw': {
    rest: {
      cannot: {
        'openclaw plugins install':
          'OpenClaw is not installed here; pnpm test:clients runs the plug-in in it',
      },
    },
    prints: [],
  },
  '@palimpsest/pi': {
    rest: {
      cannot: { 'pi install': 'pi is not installed here; e2e/test/pi.test.ts runs the extension in it' },
    },
    prints: [],
  },
  '@palimpsest/postgres': {
    rest: {
      cannot: {
        'CREATE ROLE': 'commands for an administrator of a database; packages/postgres/test runs such ones',
        LEAKPROOF: 'commands for an administrator of a database; nothing here runs them',
      },
    },
    database: true,
    prints: ['nextSeq: 0'],
  },
  '@palimpsest/prompt-caching': {
    rest: {
      before: `process.env.ANTHROPIC_API_KEY = 'the key of the user'
const usage = { input_tokens: 9, output_tokens: 2, cache_read_input_tokens: 0 }
const content = [{ type: 'text', text: 'Postgres.' }]
const answer = { id: 'm', type: 'message', role: 'assistant', content, stop_reason: 'end_turn', usage }
globalThis.fetch = async () => Response.json({ ...answer, choices: [{ message: { content: 'Postgres.' } }] })`,
    },
    prints: ['message: tail', 'tokens are written'],
  },
  '@palimpsest/provider-utils': {
    before: "globalThis.fetch = async () => new Response('Three fixes.')",
    after: "console.log((await createModel('http://127.0.0.1').complete({ prompt: 'Hi' })).text)",
    prints: ['Three fixes.'],
  },
  '@palimpsest/store': { prints: ['1\n'] },
  '@palimpsest/tokens': { prints: ['2\n'] },
  '@palimpsest/transcripts': { files: { 'session.jsonl': SESSION }, prints: ['openai: 2 messages'] },
}

/** The reader of the README of the repository. */
export const README_READER: ExampleHost = {
  files: { 'package.json': '{ "private": true }\n' },
  before: SCRIPTED_OPENAI,
  prints: [],
  rest: {
    files: { defineContextEngine: 'engine.mts' },
    cannot: {
      'pnpm@12.21.0 demo': 'it needs a clone; apps/palimpsest/test/documents.test.ts compares what it prints',
      'bin/palimpsest': 'it needs a clone; e2e/test/newcomer.test.ts runs it in one',
      'palimpsest connect': 'there is no terminal to ask on; e2e/test/newcomer.test.ts runs it with --yes',
      'palimpsest run claude': 'Claude Code is not installed here; pnpm test:clients runs it',
    },
  },
}

/** The reader of a package's README. A package that is not known here needs nothing and may print anything. */
export function exampleHost({ name, version }: PublishedPackage): ExampleHost {
  const host = HOSTS[name] ?? { prints: [] }
  if (name !== '@palimpsest/cli') return host
  return { ...host, commands: ['palimpsest --version'], prints: [...host.prints, version] }
}
