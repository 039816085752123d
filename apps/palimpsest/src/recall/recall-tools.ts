import { join } from 'node:path'
import { createContextSession, roughTokenCounter } from '@palimpsest/core'
import { createLcmStoreTools } from '@palimpsest/lcm'
import type { RecallTools } from '@palimpsest/mcp'
import { loadConfiguration } from '../engines/configuration.ts'
import { principalOf } from '../engines/lcm-options.ts'
import { homeFolder } from '../home-folder.ts'
import { placeOf } from '../stores/find-store-place.ts'
import { decisionStoreOpener, openLcmStore } from '../stores/open-engine-store.ts'
import { assertStoreThere } from '../stores/with-store.ts'
import { UsageError } from '../usage-error.ts'
import { redactingStore } from './redacting-store.ts'
import { openSessionIndex, type RecallScope } from './session-index.ts'

export interface RecallFlags {
  readonly store?: string
  readonly session?: string
  readonly decisions?: string
  readonly record?: boolean
  readonly scope: RecallScope
  readonly project?: string
  readonly principal?: string
  readonly config?: string
}

/** Tools, and what has to be done for them. */
interface OpenedTools {
  readonly tools: RecallTools
  /** Work that goes on while calls are answered. Default: none. */
  readonly work?: (signal: AbortSignal) => Promise<void>
  close(): Promise<void>
}

/** Sessions of a store that are offered: the latest. */
const MAX_SESSIONS = 10_000

/** The tools that the flags name: over a store, or over the sessions of this machine; and decisions, where a store of them is named. */
export async function openRecallTools(
  flags: RecallFlags,
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
  { scope, session, project }: RecallFlags,
  env: NodeJS.ProcessEnv,
  log: (line: string) => void,
): Promise<OpenedTools> {
  const index = await openSessionIndex({
    ...{ folder: join(homeFolder(env), 'recall'), env, scope, asking: session, log },
    project: project ?? (env.CLAUDE_PROJECT_DIR || process.cwd()),
  })
  const { store, sessions, catchUp, close } = index
  return {
    tools: createLcmStoreTools({ store, sessions, tokens: roughTokenCounter, hidesReplaced: true }),
    work: catchUp,
    close,
  }
}

async function storeTools(
  { session, principal: given, config }: RecallFlags,
  named: string,
  log: (line: string) => void,
): Promise<OpenedTools> {
  const configuration = await loadConfiguration(config, process.cwd())
  const place = placeOf(named, '--store', process.cwd(), configuration)
  const principal = given ?? principalOf(configuration.config.engines.lcm ?? {})
  const store = await openLcmStore(place, 'read')
  try {
    await assertStoreThere(place, store, 'palimpsest lcm import <session files…> makes one')
    // A file is opened with the first read.
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
    const all = await store.list({ principal, limit: MAX_SESSIONS })
    return { sessions: all.sort((a, b) => b.lastAt - a.lastAt).map(({ key }) => ({ key })) }
  }
  const tokens = roughTokenCounter
  return {
    tools: createLcmStoreTools({
      store: redactingStore(store),
      principal,
      sessions,
      tokens,
      hidesReplaced: true,
    }),
    close: () => store.close(),
  }
}

/** The tools of an engine over that store, for one session or one project. */
async function decisionTools(
  { session, project, principal, config }: RecallFlags,
  named: string,
): Promise<OpenedTools> {
  if (session === undefined && project === undefined)
    throw new UsageError('--decisions needs --session or --project: decisions hold in one of them')
  const { default: engine } = await import('@palimpsest/decisions')
  const configuration = await loadConfiguration(config, process.cwd())
  const place = placeOf(named, '--decisions', process.cwd(), configuration)
  const store = await decisionStoreOpener(place)
  const own = await createContextSession({
    engine,
    options: {
      store,
      ...(principal !== undefined && { principal }),
      ...(project !== undefined && { project }),
    },
    contextLength: 128_000,
    ...(session !== undefined && { sessionId: session }),
  })
  const { tools } = await own.prepare([])
  return {
    tools: {
      schemas: tools.filter((tool) => 'function' in tool),
      call: (name, args, signal) => own.callTool(name, args, { signal }),
    },
    close: () => own.end(),
  }
}
