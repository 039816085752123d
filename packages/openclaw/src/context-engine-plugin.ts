import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ContextSession,
  type ContextSessionOptions,
  createContextSession,
  type EngineDefinition,
  type Message,
  type Store,
} from '@palimpsest/core'
import { createSqliteStore } from '@palimpsest/store'
import { Conversation } from './conversation.ts'
import { type Conversations, createConversations } from './conversations.ts'
import { createHostEngine } from './create-host-engine.ts'
import { hostModel } from './host-model.ts'
import type { AgentTool, Llm, PluginApi, ToolContext } from './host-types.ts'

/** Options of `contextEnginePlugin`. */
export interface ContextEnginePluginOptions<Options>
  extends Pick<ContextSessionOptions<Options>, 'options' | 'tokens' | 'clock'> {
  /** The plug-in's id in its manifest, and the engine's in `plugins.slots.contextEngine`. */
  readonly id: string
  readonly name: string
  readonly engine: EngineDefinition<Options>
  /** Creates an agent's store in its own folder; the gateway closes it. Default: a file in that folder. */
  readonly store?: (folder: string) => Store
  /** The engine's tools that the manifest lists in `contracts.tools`. Default: none. */
  readonly tools?: readonly string[]
}

/** A plug-in as OpenClaw loads it: the default export of a package's entry. */
export interface OpenClawPlugin {
  readonly id: string
  readonly name: string
  readonly description: string
  register(api: PluginApi): void
}

interface Settings {
  readonly model?: string
  readonly options?: Readonly<Record<string, unknown>>
}

const STORE_FILE = 'sessions.db'

const FIRST_CONTEXT_LENGTH = 100_000

/**
 * Creates a plug-in that uses an engine as OpenClaw's context engine. The package that exports it by default needs its
 * own `openclaw.plugin.json`.
 */
export function contextEnginePlugin<Options = Record<string, unknown>>(
  input: ContextEnginePluginOptions<Options>,
): OpenClawPlugin {
  const { id, name, engine, store: openStore = defaultStore } = input
  const tools = [...(input.tools ?? [])]
  return {
    id,
    name,
    description: engine.description,
    register(api) {
      const agents = new Map<string, Conversations>()
      const stores: Store[] = []
      // Each agent's conversations are in its own folder, out of reach of other agents.
      const conversationsOf = (agentDir = join(api.runtime.state.resolveStateDir(), id)): Conversations => {
        const known = agents.get(agentDir)
        if (known !== undefined) return known
        const folder = join(agentDir, id)
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        const store = openStore(folder)
        stores.push(store)
        const made = createConversations((sessionId, llm) => {
          const session = openSession(input, api, { sessionId, folder, store, llm })
          return new Conversation(session, () => readStored(store, sessionId))
        })
        agents.set(agentDir, made)
        return made
      }
      const warn = (text: string) => api.logger.warn(`[${id}] ${text}`)
      api.registerContextEngine(id, ({ agentDir }) =>
        createHostEngine({ id, name, conversations: conversationsOf(agentDir), warn }),
      )
      if (tools.length > 0)
        api.registerTool((context) => engineTools(tools, context, conversationsOf(context.agentDir)), {
          names: tools,
        })
      const close = async () => {
        await Promise.all([...agents.values()].map((conversations) => conversations.close()))
        await Promise.all(stores.map((store) => store.close()))
      }
      api.registerService({ id: `${id}-conversations`, start() {}, stop: close })
    },
  }
}

function defaultStore(folder: string): Store {
  return createSqliteStore({ path: join(folder, STORE_FILE) })
}

/** OpenClaw sends only the end of a long conversation, so the rest comes from the store. */
async function readStored(store: Store, sessionId: string): Promise<readonly Message[]> {
  const messages = (await (await store.find({ key: sessionId }))?.messages()) ?? []
  return messages.flatMap(({ message }) => message ?? [])
}

interface SessionPlace {
  readonly sessionId: string
  readonly folder: string
  readonly store: Store
  readonly llm: () => Llm | undefined
}

function openSession<Options>(
  { id, engine, options, tokens, clock }: ContextEnginePluginOptions<Options>,
  { logger, runtime, pluginConfig }: PluginApi,
  { sessionId, folder, store, llm }: SessionPlace,
): ContextSession {
  const { model, options: said } = (pluginConfig ?? {}) as Settings
  const session = createContextSession<Options>({
    ...(tokens && { tokens }),
    ...(clock && { clock }),
    engine,
    options: { ...options, ...said } as Options,
    store,
    contextLength: FIRST_CONTEXT_LENGTH,
    model: hostModel(
      () => llm() ?? runtime.llm,
      model,
      (text) => logger.warn(`[${id}] ${text}`),
    ),
    sessionId,
    platform: 'openclaw',
    dataFolder: folder,
  })
  session.subscribe((event) => {
    if (event.type === 'warning') logger.warn(`[${id}] ${event.warning.message}`)
    if (event.type === 'compaction' && event.committed)
      logger.info(
        `[${id}] compacted ${event.result.tokensBefore} to ${event.result.tokensAfter} tokens (${event.trigger})`,
      )
  })
  return session
}

function engineTools(
  names: readonly string[],
  context: ToolContext,
  { open, use }: Conversations,
): AgentTool[] | null {
  const { sessionId, sessionKey } = context
  if (sessionId === undefined) return null
  const name = { sessionId, ...(sessionKey !== undefined && { sessionKey }) }
  const schemas = open(name).session.engine.toolSchemas()
  return schemas
    .filter((schema) => names.includes(schema.function.name))
    .map(({ function: { name: tool, description = '', parameters } }) => ({
      ...{ name: tool, label: tool, description, parameters },
      async execute(_, args, signal) {
        const call = ({ session }: Conversation) =>
          session.callTool(tool, args, { ...(signal && { signal }) })
        const text = await use(name, undefined, call)
        return { content: [{ type: 'text', text }], details: {} }
      },
    }))
}
