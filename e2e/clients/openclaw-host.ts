import { globSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HostSetup, HostTarget, HostTool } from '../../packages/contract-tests/src/host/index.ts'
import { createSerialQueue, type EngineDefinition } from '../../packages/core/src/index.ts'
import type { AgentTool, PluginApi } from '../../packages/openclaw/src/host-types.ts'
import { contextEnginePlugin } from '../../packages/openclaw/src/index.ts'
import { askGateway, configOf, freePort, historyIn, OPENCLAW, pluginsWith, sessionKeyOf } from './openclaw.ts'

const PLUGIN_ID = 'suite'
/** OpenClaw keeps a quarter of a window free. The rest is the one that the suite means. */
const USED_SHARE = 0.75
/** The suite's own: the engine's and the application's. */
const ENGINE_TOOLS = ['suite_recall']
const APPLICATION_TOOLS = ['look_up']
/** The file that OpenClaw loads finds the plug-in of the test here. */
const PLUGIN = Symbol.for('palimpsest.openclaw.suite')

interface Server {
  close(options: { readonly reason: string }): Promise<void>
}

interface Gateway {
  readonly engine: EngineDefinition
  readonly baseUrl: string
  readonly port: number
  readonly state: string
  /** The application's tools, by the session key of the conversation that they belong to. */
  readonly tools: Map<string, readonly HostTool[]>
  readonly server: Server
}

/** OpenClaw's settings come from the environment, so that there is one gateway at a time. */
let running: Gateway | undefined
const inTurn = createSerialQueue()

/**
 * The real gateway in the process of the test, so that the suite's engine runs inside of it. Conversations with one engine share a
 * gateway; another engine gets another gateway.
 */
export const openClawTarget: HostTarget = {
  name: 'OpenClaw',
  skip: {
    H14: 'OpenClaw lets go of a turn that waits for its engine when 30 s are over, and refuses the next question until then',
  },
  async open(setup) {
    const key = sessionKeyOf(setup.sessionId)
    const { port, state, tools } = await inTurn(async () => {
      const gateway = await gatewayFor(setup)
      gateway.tools.set(key, setup.tools)
      return gateway
    })
    return {
      send: (text, { signal } = {}) => askGateway(port, setup.sessionId, text, signal),
      history: async () => historyIn(state),
      close: () =>
        inTurn(async () => {
          tools.delete(key)
          if (tools.size === 0 && running?.tools === tools) await stop()
        }),
    }
  },
}

async function gatewayFor(setup: HostSetup): Promise<Gateway> {
  if (running?.engine === setup.engine && running.baseUrl === setup.provider.baseUrl) return running
  await stop()
  running = await start(setup)
  return running
}

async function stop(): Promise<void> {
  const stopped = running
  running = undefined
  await stopped?.server.close({ reason: 'the test is over' })
}

async function start({ engine, provider, contextLength, storage }: HostSetup): Promise<Gateway> {
  const [home, state, work, plugin] = ['home', 'state', 'work', 'plugin'].map((name) =>
    join(storage, name),
  ) as [...[string, string, string, string]]
  for (const folder of [home, state, work, plugin]) await mkdir(folder, { recursive: true })
  const environment = { HOME: home, OPENCLAW_STATE_DIR: state, OPENCLAW_SKIP_CHANNELS: '1', NO_COLOR: '1' }
  Object.assign(process.env, environment)
  // OpenClaw leaves out parts of itself in its own tests.
  for (const name of ['VITEST', 'NODE_ENV']) delete process.env[name]
  const tools: Gateway['tools'] = new Map()
  await writePlugin(plugin, engine, tools)
  const port = await freePort()
  const { baseUrl, model } = provider
  const config = configOf({
    ...{ port, work, baseUrl, model, tools: [...ENGINE_TOOLS, ...APPLICATION_TOOLS] },
    window: Math.ceil(contextLength / USED_SHARE),
    plugins: pluginsWith(plugin, PLUGIN_ID, { [PLUGIN_ID]: { enabled: true } }),
  })
  const logging = { consoleLevel: 'silent', file: join(storage, 'openclaw.log') }
  await writeFile(join(state, 'openclaw.json'), JSON.stringify({ ...config, logging }))
  const { startGatewayServer } = await import(serverModule())
  return { engine, baseUrl, port, state, tools, server: await startGatewayServer(port, {}) }
}

/** The package exports its command, and not what that starts. */
function serverModule(): string {
  const modules = globSync(join(OPENCLAW, 'dist/server-*.mjs'))
  const found = modules.find((path) => readFileSync(path, 'utf8').includes('export { startGatewayServer,'))
  if (found === undefined) throw new Error(`openclaw has no startGatewayServer in ${OPENCLAW}/dist`)
  return found
}

/** A plug-in with the engine, and the application's tools beside it. */
async function writePlugin(folder: string, engine: EngineDefinition, tools: Gateway['tools']): Promise<void> {
  const id = PLUGIN_ID
  const name = 'Suite'
  const plugin = contextEnginePlugin({ id, name, engine, tools: ENGINE_TOOLS })
  const register = (api: PluginApi) => {
    plugin.register(api)
    api.registerTool(({ sessionKey = '' }) => (tools.get(sessionKey) ?? []).map(toAgentTool), {
      names: APPLICATION_TOOLS,
    })
  }
  Object.assign(globalThis, { [PLUGIN]: { ...plugin, register } })
  const manifest = {
    ...{ id, name, description: engine.description, kind: 'context-engine', activation: { onStartup: true } },
    contracts: { tools: [...ENGINE_TOOLS, ...APPLICATION_TOOLS] },
    configSchema: { type: 'object', additionalProperties: false, properties: {} },
  }
  const packageJson = { name: id, version: '1.0.0', type: 'module', openclaw: { extensions: ['./index.js'] } }
  const code = `export default { ...globalThis[Symbol.for('${PLUGIN.description}')], register: (api) => globalThis[Symbol.for('${PLUGIN.description}')].register(api) }\n`
  await writeFile(join(folder, 'package.json'), JSON.stringify(packageJson))
  await writeFile(join(folder, 'openclaw.plugin.json'), JSON.stringify(manifest))
  await writeFile(join(folder, 'index.js'), code)
}

function toAgentTool({ name, description, parameters, run }: HostTool): AgentTool {
  return {
    ...{ name, label: name, description, parameters },
    execute: async (_, args) => ({
      content: [{ type: 'text', text: await run(args as Readonly<Record<string, unknown>>) }],
      details: {},
    }),
  }
}
