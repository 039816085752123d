import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { zstdDecompressSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import {
  type MockUpstream,
  type Reply,
  startMockUpstream,
} from '../../apps/palimpsest/test/gateway/mock-upstream.ts'
import type { UpstreamBody } from '../../apps/palimpsest/test/gateway/sequence-fault.ts'
import { CLIENTS_FOLDER } from './clients-folder.ts'
import { emptyHome, type Home } from './run-program.ts'
import { createScriptedModel, type ScriptedModel, type Step } from './scripted-model.ts'

export const OPENCLAW = join(CLIENTS_FOLDER, 'node_modules', 'openclaw')
const PACKAGE = fileURLToPath(new URL('../../packages/openclaw', import.meta.url))
const MODEL = 'mock-large'
const TOOLS = ['exec', 'lcm_grep', 'lcm_describe', 'lcm_expand', 'memory_search', 'memory_get']
const TOKEN = 'test-token'
/** A gateway starts and stops within this, in milliseconds, on a busy machine too. */
const START_MS = 180_000
const STOP_MS = 20_000
/** Characters of the log that stand in an error. */
const LOG_TAIL = 6_000

/** A summary as an engine wants it: a record in sections. */
export const RECORD = '## Goal\n\nThe user asked for steps, and some of them are done.'

/** OpenClaw with the plug-in, in front of a scripted model. */
export interface OpenClaw {
  readonly home: Home
  readonly model: ScriptedModel
  readonly upstream: MockUpstream
  /** True: requests for a summary fail. */
  failSummaries: boolean
  /** Says something in a conversation, and resolves to the text of the answer. */
  ask(conversation: string, text: string): Promise<string>
  /** The gateway's output so far. */
  log(): string
  /** Ends the gateway, and starts it again. */
  restart(): Promise<void>
}

export interface OpenClawInput {
  /** The model's window, in tokens. */
  readonly window: number
  /** The slot. Default: the plug-in. */
  readonly contextEngine?: string
  /** The plug-in's settings. */
  readonly settings?: object | undefined
  /** The section of `openclaw.json` for plug-ins. Default: the plug-in, from its source. */
  readonly plugins?: object
}

export async function startOpenClaw({
  window,
  contextEngine = 'palimpsest',
  settings,
  plugins,
}: OpenClawInput): Promise<OpenClaw> {
  const model = createScriptedModel()
  const on = { failSummaries: false }
  const answer = (body: UpstreamBody): Reply => {
    const isMain = body.tools?.some((tool) => tool.function.name === 'exec')
    if (!isMain && on.failSummaries) throw new Error('no summaries today')
    if (!isMain) model.next('compaction')
    return isMain ? reply(model.next('main')) : { content: RECORD }
  }
  const upstream = await startMockUpstream({ answer, window })
  const home = await emptyHome({})
  const state = join(home.work, '..', 'state')
  const plugin = join(home.work, '..', 'plugin')
  const port = await freePort()
  await writePlugin(plugin)
  await mkdir(state)
  const entry = { enabled: true, ...(settings && { config: settings }) }
  const own = pluginsWith(plugin, contextEngine, { palimpsest: entry })
  const config = configOf({
    ...{ port, window, tools: TOOLS, work: home.work, plugins: plugins ?? own },
    ...{ baseUrl: upstream.baseUrl, model: MODEL },
  })
  await writeFile(join(state, 'openclaw.json'), JSON.stringify(config))
  const environment = {
    ...home.environment,
    ...{ OPENCLAW_STATE_DIR: state, OPENCLAW_SKIP_CHANNELS: '1', NO_COLOR: '1' },
  }
  const gateway = createGateway({ ...home, environment }, port)
  await gateway.start()
  onTestFinished(() => gateway.stop())
  return Object.assign(on, {
    ...{ home: { ...home, environment }, model, upstream, log: gateway.log },
    async ask(conversation: string, text: string) {
      return askGateway(port, conversation, text).catch((error: unknown) => {
        throw new Error(`${error}\n${gateway.log().slice(-LOG_TAIL)}`)
      })
    },
    async restart() {
      await gateway.stop()
      await gateway.start()
    },
  })
}

/** Says something to a gateway in a conversation, and resolves to the text of the answer. An abort hangs up. */
export async function askGateway(
  port: number,
  conversation: string,
  text: string,
  signal?: AbortSignal,
): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      'x-openclaw-session-key': sessionKeyOf(conversation),
    },
    body: JSON.stringify({ model: 'openclaw', messages: [{ role: 'user', content: text }] }),
    ...(signal && { signal }),
  })
  const { choices, error } = (await response.json()) as Completion
  if (choices?.[0] === undefined) throw new Error(JSON.stringify(error))
  return choices[0].message.content
}

export const sessionKeyOf = (conversation: string) => `agent:main:${conversation}`

/** The folder of the agent in OpenClaw's folder of state. */
export const agentFolderIn = (state: string) => join(state, 'agents/main/agent')

/** OpenClaw's own history, as JSON text. */
export function historyIn(state: string): string {
  const path = join(agentFolderIn(state), 'openclaw-agent.sqlite')
  const database = new DatabaseSync(path, { readOnly: true })
  const rows = database
    .prepare('SELECT event_json AS json, event_zstd AS packed FROM transcript_events')
    .all()
  database.close()
  return rows
    .map(({ json, packed }) => json ?? zstdDecompressSync(packed as Uint8Array).toString())
    .join('\n')
}

interface Completion {
  readonly choices?: readonly { readonly message: { readonly content: string } }[]
  readonly error?: object
}

function reply(step: Step): Reply {
  if ('text' in step) return { content: step.text }
  if ('grep' in step) return { calls: [{ name: 'lcm_grep', arguments: { query: step.grep } }] }
  if ('command' in step) return { calls: [{ name: 'exec', arguments: { command: step.command } }] }
  throw new Error('there are no sub-agents here')
}

/** The package as it is here: its manifest, and an entry that loads the source. */
async function writePlugin(folder: string): Promise<void> {
  await mkdir(folder)
  await cp(join(PACKAGE, 'openclaw.plugin.json'), join(folder, 'openclaw.plugin.json'))
  const { name, version, openclaw } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8'))
  const manifest = { name, version, type: 'module', openclaw: { ...openclaw, extensions: ['./index.js'] } }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(folder, 'index.js'), `export { default } from '${PACKAGE}/src/index.ts'\n`)
}

export interface ConfigInput {
  readonly port: number
  /** The agent's workspace. */
  readonly work: string
  readonly baseUrl: string
  readonly model: string
  /** The model's window, in tokens. */
  readonly window: number
  /** Tools that the agent may use. */
  readonly tools: readonly string[]
  readonly plugins: object
}

/** The section for plug-ins, of which one lies in a folder. */
export function pluginsWith(folder: string, contextEngine: string, entries: object): object {
  return { load: { paths: [folder] }, slots: { contextEngine }, entries }
}

/** `openclaw.json` for one agent on a scripted model. */
export function configOf(input: ConfigInput): object {
  const { port, work, baseUrl, model: id, tools, window, plugins } = input
  const model = { id, name: id, contextWindow: window, maxTokens: 1_000, input: ['text'], reasoning: false }
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  return {
    gateway: {
      ...{ mode: 'local', port, bind: 'loopback', auth: { mode: 'token', token: TOKEN } },
      http: { endpoints: { chatCompletions: { enabled: true } } },
    },
    models: {
      providers: {
        mock: { baseUrl, apiKey: 'sk-test', api: 'openai-completions', models: [{ ...model, cost }] },
      },
    },
    agents: { defaults: { model: { primary: `mock/${id}` }, workspace: work, skipBootstrap: true } },
    tools: { toolSearch: false, allow: tools, exec: { host: 'gateway', security: 'full', ask: 'off' } },
    discovery: { mdns: { mode: 'off' } },
    plugins,
  }
}

function createGateway({ work, environment }: Home, port: number) {
  let child: ChildProcess | undefined
  let output = ''
  return {
    log: () => output,
    async start() {
      const program = ['--conditions=@palimpsest/source', join(OPENCLAW, 'openclaw.mjs'), 'gateway']
      const started = spawn(process.execPath, program, {
        cwd: work,
        env: environment,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      child = started
      for (const stream of [started.stdout, started.stderr])
        stream.setEncoding('utf8').on('data', (text) => {
          output += text
        })
      const last = Date.now() + START_MS
      while (!(await isUp(port))) {
        if (started.exitCode !== null || Date.now() > last)
          throw new Error(`the gateway does not start: ${output}`)
        await pause(250)
      }
    },
    async stop() {
      const running = child
      if (running === undefined || running.exitCode !== null || running.signalCode !== null) return
      const ended = once(running, 'exit')
      running.kill('SIGTERM')
      const timer = setTimeout(() => running.kill('SIGKILL'), STOP_MS)
      await ended
      clearTimeout(timer)
    },
  }
}

async function isUp(port: number): Promise<boolean> {
  const headers = { authorization: `Bearer ${TOKEN}` }
  const response = await fetch(`http://127.0.0.1:${port}/v1/models`, { headers }).catch(() => undefined)
  return response?.ok === true
}

/** OpenClaw wants to be told its port. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { readonly port: number }
  server.close()
  await once(server, 'close')
  return port
}
