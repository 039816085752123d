import { join } from 'node:path'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createContextSession, errorText, listSessions, redactSecrets } from '@palimpsest/core'
import { createLcmStoreTools } from '@palimpsest/lcm'
import { createRecallServer, type RecallTools } from '@palimpsest/mcp'
import { loadConfiguration } from '../engines/configuration.ts'
import { homeFolder } from '../home-folder.ts'
import { stopSignal } from '../stop-signal.ts'
import { placeOf } from '../stores/find-store-place.ts'
import { openStore } from '../stores/open-store.ts'
import { assertStoreThere } from '../stores/with-store.ts'
import { UsageError } from '../usage-error.ts'
import { version } from '../version.ts'
import { redactingStore } from './redacting-store.ts'
import { openSessionIndex, type RecallScope } from './session-index.ts'

export interface McpFlags {
  readonly port?: number
  readonly host: string
  readonly store?: string
  readonly session?: string
  readonly decisions?: string
  readonly record?: boolean
  readonly branches?: boolean
  readonly scope: RecallScope
  readonly project?: string
  readonly principal?: string
  readonly config?: string
}

const MESSAGE_BYTES = 1_000_000

export async function runMcp(flags: McpFlags, env: NodeJS.ProcessEnv): Promise<number> {
  const token = env.PALIMPSEST_TOKEN || undefined
  if (flags.port !== undefined) {
    const { checkToken } = await import('../serve/http/listen.ts')
    checkToken(token, flags.host)
  }
  const log = (line: string) =>
    void process.stderr.write(`palimpsest mcp: ${redactSecrets(line).replace(/\p{Cc}/gu, ' ')}\n`)
  const opened = await openRecallTools(flags, env, log)
  const sets = opened.map(({ tools }) => tools)
  const factory = () =>
    createRecallServer({ tools: sets, version, ...(flags.record && { offer: () => true }) })
  const stopped = new AbortController()
  try {
    const signal = stopSignal()
    const end = flags.port === undefined ? Promise.race([signal, inputEnd()]) : signal
    for (const { work } of opened)
      work?.(stopped.signal).catch((error) => stopped.signal.aborted || log(errorText(error)))
    if (flags.port === undefined) {
      const server = serveStdio(factory, { onerror: (error) => log(error.message) })
      await end
      await server.close()
    } else await overHttp(factory, { ...flags, port: flags.port, token }, end)
  } finally {
    stopped.abort()
    await Promise.all(opened.map(({ close }) => close()))
  }
  return 0
}

async function overHttp(
  factory: Parameters<typeof createMcpHandler>[0],
  { port, host, token }: { readonly port: number; readonly host: string; readonly token: string | undefined },
  end: Promise<unknown>,
): Promise<void> {
  const { isLoopback } = await import('@palimpsest/gateway')
  const { guardedApp } = await import('../serve/http/start-page.ts')
  const { listen, stopListening } = await import('../serve/http/listen.ts')
  const handler = createMcpHandler(factory, { maxRequestBodySize: MESSAGE_BYTES })
  const app = guardedApp(isLoopback(host), token)
  app.all('/mcp', (context) => handler.fetch(context.req.raw))
  app.notFound((context) => context.text('the address is /mcp\n', 404))
  const { server, url } = await listen(app, port, host)
  process.stderr.write(`palimpsest mcp: listening on ${url}/mcp\n`)
  await end
  await handler.close()
  await stopListening(server)(0)
}

function inputEnd(): Promise<void> {
  return new Promise((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve)
  })
}

interface OpenedTools {
  readonly tools: RecallTools
  readonly work?: (signal: AbortSignal) => Promise<void>
  close(): Promise<void>
}

async function openRecallTools(
  flags: McpFlags,
  env: NodeJS.ProcessEnv,
  log: (line: string) => void,
): Promise<readonly OpenedTools[]> {
  if (flags.record && flags.decisions === undefined)
    throw new UsageError('--record needs --decisions <file or address>: decisions are recorded there')
  const own = await (flags.store === undefined
    ? machineTools(flags, env, log)
    : storeTools(flags, flags.store, log))
  if (flags.decisions === undefined) return [own]
  try {
    return [own, await decisionTools(flags, flags.decisions)]
  } catch (error) {
    await own.close()
    throw error
  }
}

async function machineTools(
  { scope, session, project, decisions, branches = false }: McpFlags,
  env: NodeJS.ProcessEnv,
  log: (line: string) => void,
): Promise<OpenedTools> {
  const index = await openSessionIndex({
    // Their messages differ, so they have their own index.
    folder: join(homeFolder(env), branches ? 'recall-branches' : 'recall'),
    ...{ env, scope, asking: session, log, branches: branches ? ('all' as const) : ('last' as const) },
    // With decisions, it names their project, which is no folder.
    project: (decisions === undefined ? project : undefined) ?? (env.CLAUDE_PROJECT_DIR || process.cwd()),
  })
  const { store, sessions, catchUp, close } = index
  return {
    tools: createLcmStoreTools({ store, sessions, hidesReplaced: true }),
    work: catchUp,
    close,
  }
}

async function storeTools(
  { session, principal: given, config }: McpFlags,
  named: string,
  log: (line: string) => void,
): Promise<OpenedTools> {
  const configuration = await loadConfiguration(config, process.cwd())
  const place = placeOf(named, '--store', process.cwd(), configuration)
  const principal = given ?? configuration.config.store.principal
  const store = await openStore(place, 'read')
  try {
    await assertStoreThere(place, store)
    if (session === undefined) await store.list({ principal, limit: 1 })
    else if ((await store.find({ principal, key: session })) === null)
      log(
        `${named} has no session "${session}" yet: nothing is found until then; "palimpsest lcm sessions" lists those that it has`,
      )
  } catch (error) {
    await store.close()
    throw error
  }
  const sessions = async () => {
    if (session !== undefined) return { sessions: [{ key: session }] }
    const all = []
    for await (const info of listSessions(store, { principal })) if (info.messages > 0) all.push(info)
    return { sessions: all.sort((a, b) => b.lastAt - a.lastAt).map(({ key }) => ({ key })) }
  }
  return {
    tools: createLcmStoreTools({
      store: redactingStore(store),
      principal,
      sessions,
      hidesReplaced: true,
    }),
    close: () => store.close(),
  }
}

async function decisionTools(
  { session, project, principal, config }: McpFlags,
  named: string,
): Promise<OpenedTools> {
  if (session === undefined && project === undefined)
    throw new UsageError('--decisions needs --session or --project: decisions hold in one of them')
  const { default: engine } = await import('@palimpsest/decisions')
  const configuration = await loadConfiguration(config, process.cwd())
  const store = await openStore(placeOf(named, '--decisions', process.cwd(), configuration))
  const own = createContextSession({
    engine,
    store,
    principal: principal ?? configuration.config.store.principal,
    options: project === undefined ? {} : { project },
    contextLength: 128_000,
    enabled: false,
    sessionId: session ?? `mcp:${project}`,
  })
  const { tools } = await own.prepare()
  return {
    tools: {
      schemas: tools.filter((tool) => 'function' in tool),
      call: (name, args, signal) => own.callTool(name, args, { signal }),
    },
    async close() {
      await own.end()
      await store.close()
    },
  }
}
