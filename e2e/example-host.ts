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
}

/** A recorded session, for the packages that read one. */
const SESSION = [
  { role: 'user', content: 'Which database do we use?' },
  { role: 'assistant', content: 'Postgres, since turn 3.' },
]
  .map((message) => `${JSON.stringify(message)}\n`)
  .join('')

const HOSTS: Readonly<Record<string, ExampleHost>> = {
  '@palimpsest/ai-sdk': {
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
    files: { 'session.jsonl': SESSION },
    notices: /^the page: file:/,
    prints: ['no violation'],
  },
  '@palimpsest/compressor': { prints: ['122 messages became', 'compacted summarised-without-model'] },
  '@palimpsest/contract-tests': {
    // The engine whose tests they are, in a package as the guide to engines makes one.
    files: {
      'package.json': '{ "private": true, "type": "module" }\n',
      'src/index.ts': "export { default } from '@palimpsest/compressor'\n",
    },
    commands: ['npm install @palimpsest/compressor'],
    run: { path: 'test/contract.test.ts', command: 'node --test "test/*.test.ts"' },
    prints: ['fail 0'],
  },
  '@palimpsest/core': {
    before: `globalThis.callModel = async (messages) => ({
  message: { role: 'assistant', content: 'answer to ' + messages.length + ' messages' },
  usage: { prompt_tokens: messages.length > 3 ? 150_000 : 100, completion_tokens: 8 },
})`,
    after: `for (const question of ['one', 'two', 'three']) console.log(await ask(question))`,
    prints: ['answer to 2 messages\nanswer to 4 messages\nanswer to 3 messages\n'],
  },
  '@palimpsest/discovery': {
    files: { 'config.yaml': 'context:\n  engine: compressor\n' },
    after: 'console.log(session.engine.name)',
    prints: ['compressor\n'],
  },
  '@palimpsest/extractive': {
    after: 'console.log(summary)',
    prints: ['- t1 user: Import in batches of 200 rows. Never edit test/api.test.ts.'],
  },
  '@palimpsest/gateway': {
    before: `process.env.PORT = '0'
const { fetch } = globalThis
const message = { role: 'assistant', content: 'Three fixes.' }
globalThis.fetch = async (to, init) =>
  String(to).startsWith('https://api.openai.com/') ? Response.json({ choices: [{ message }] }) : fetch(to, init)`,
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
    prints: ['lcm_grep lcm_describe lcm_expand lcm_expand_query'],
  },
  '@palimpsest/gemini': {
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
    prints: ['122 messages became', '<project_decisions>', 'MySQL (was PostgreSQL, turns 3 to 27'],
  },
  '@palimpsest/langchain': {
    before: `process.env.OPENAI_API_KEY = 'the key of the user'
const call = { id: '1', type: 'function', function: { name: 'lcm_grep', arguments: '{"query":"postgres"}' } }
const text = { role: 'assistant', content: 'Postgres, as you noted in turn 3.' }
let calls = 0
globalThis.fetch = async (_, init) => {
  const isFirst = JSON.parse(init.body).tools !== undefined && calls++ === 0
  const message = isFirst ? { role: 'assistant', content: null, tool_calls: [call] } : text
  const usage = { prompt_tokens: 9_000, completion_tokens: 20, total_tokens: 9_020 }
  return Response.json({ id: String(calls), choices: [{ index: 0, message, finish_reason: 'stop' }], usage })
}`,
    prints: ['tokens are left', 'Postgres, as you noted in turn 3.'],
  },
  '@palimpsest/lcm': { prints: ['122 messages became', 'lcm_grep lcm_describe', '"ref":"m5"'] },
  '@palimpsest/openai': {
    before: `process.env.OPENAI_API_KEY = 'the key of the user'
globalThis.fetch = async () =>
  Response.json({
    choices: [{ message: { role: 'assistant', content: 'Three fixes.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 20, completion_tokens: 4, total_tokens: 24 },
  })`,
    prints: ['Three fixes.'],
  },
  '@palimpsest/openai-agents': {
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
  '@palimpsest/postgres': { database: true, prints: ['nextSeq: 0', '[]\n'] },
  '@palimpsest/prompt-caching': { prints: ['message 5m tail', 'tokens are written'] },
  '@palimpsest/provider-utils': {
    before: "globalThis.fetch = async () => new Response('Three fixes.')",
    after: "console.log((await createModel('http://127.0.0.1').complete({ prompt: 'Hi' })).text)",
    prints: ['Three fixes.'],
  },
  '@palimpsest/sqlite-kit': {
    after: "const notes = openNotes('notes.db')\nawait notes.add('Postgres')\nconsole.log(await notes.all())",
    prints: ['Postgres'],
  },
  '@palimpsest/tokens': { prints: ['2\n'] },
  '@palimpsest/transcripts': { files: { 'session.jsonl': SESSION }, prints: ['openai: 2 messages'] },
}

/** The reader of a package's README. A package that is not known here needs nothing and may print anything. */
export function exampleHost({ name, version }: PublishedPackage): ExampleHost {
  const host = HOSTS[name] ?? { prints: [] }
  if (name !== '@palimpsest/cli') return host
  return { ...host, commands: ['palimpsest --version'], prints: [...host.prints, version] }
}
