import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ContextSession,
  type ContextSessionOptions,
  createContextSession,
  type EngineDefinition,
  type Message,
} from '@palimpsest/core'
import { Conversation } from './conversation.ts'
import { type Conversations, createConversations } from './conversations.ts'
import { createHostEngine } from './create-host-engine.ts'
import { hostModel } from './host-model.ts'
import type { AgentTool, Llm, PluginApi, ToolContext } from './host-types.ts'

/** Options of `contextEnginePlugin`. */
export interface ContextEnginePluginOptions<Options>
  extends Pick<ContextSessionOptions<Options>, 'tokens' | 'clock'> {
  /** The plug-in's id in its manifest, and the engine's in `plugins.slots.contextEngine`. */
  readonly id: string
  /** Its name, for people. */
  readonly name: string
  /** The engine. */
  readonly engine: EngineDefinition<Options>
  /** The engine's options for an agent, whose own folder it may write to. What the user configured goes before. */
  readonly options?: (folder: string) => Options
  /**
   * Reads what the engine stored of a conversation. OpenClaw tells the end of a long one only, and after a restart the rest is
   * not known otherwise. Default: nothing is read.
   */
  readonly stored?: (folder: string, sessionId: string) => Promise<readonly Message[]>
  /** The engine's tools that the manifest names in `contracts.tools`. Default: none. */
  readonly tools?: readonly string[]
}

/** A plug-in as OpenClaw loads it: the default export of a package's entry. */
export interface OpenClawPlugin {
  readonly id: string
  readonly name: string
  readonly description: string
  register(api: PluginApi): void
}

/** The user's settings of the plug-in, which OpenClaw checks against the manifest. */
interface Settings {
  readonly model?: string
  readonly options?: Readonly<Record<string, unknown>>
}

/** Before OpenClaw tells the room of a conversation, in tokens. */
const FIRST_CONTEXT_LENGTH = 100_000

/**
 * A plug-in that puts an engine into OpenClaw's slot for context engines. The package that exports it by default needs an
 * `openclaw.plugin.json` of its own.
 */
export function contextEnginePlugin<Options = Record<string, unknown>>(
  input: ContextEnginePluginOptions<Options>,
): OpenClawPlugin {
  const { id, name, engine } = input
  const tools = [...(input.tools ?? [])]
  return {
    id,
    name,
    description: engine.description,
    register(api) {
      const agents = new Map<string, Conversations>()
      // An agent's conversations are kept in its own folder, out of reach of other agents.
      const conversationsOf = (agentDir = join(api.runtime.state.resolveStateDir(), id)): Conversations => {
        const known = agents.get(agentDir)
        if (known !== undefined) return known
        const folder = join(agentDir, id)
        const made = createConversations((sessionId, llm) => {
          const session = openSession(input, api, { sessionId, folder, llm })
          return new Conversation(session, async () => input.stored?.(folder, sessionId) ?? [])
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
      }
      api.registerService({ id: `${id}-conversations`, start() {}, stop: close })
    },
  }
}

interface SessionPlace {
  readonly sessionId: string
  readonly folder: string
  readonly llm: () => Llm | undefined
}

function openSession<Options>(
  { id, engine, options, tokens, clock }: ContextEnginePluginOptions<Options>,
  { logger, runtime, pluginConfig }: PluginApi,
  { sessionId, folder, llm }: SessionPlace,
): ContextSession {
  const { model, options: said } = (pluginConfig ?? {}) as Settings
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const session = createContextSession<Options>({
    ...(tokens && { tokens }),
    ...(clock && { clock }),
    engine,
    options: { ...options?.(folder), ...said } as Options,
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

/** The tools of the engine for the conversation of a run. Outside of one there are none. */
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
