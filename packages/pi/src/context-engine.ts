import { join } from 'node:path'
import type { Api, Model } from '@earendil-works/pi-ai'
import type {
  ExtensionAPI,
  ExtensionContext,
  ExtensionFactory,
  ToolDefinition,
} from '@earendil-works/pi-coding-agent'
import {
  type CompletionModel,
  type ContextSession,
  type ContextSessionOptions,
  createContextSession,
  type EngineDefinition,
  errorText,
  type ToolSchema,
} from '@palimpsest/core'
import lcm, { type LcmOptions } from '@palimpsest/lcm'
import { readBranch } from './branch.ts'
import { type BranchStore, openBranchStore } from './branch-store.ts'
import { type Conversation, createConversation, type Moment } from './conversation.ts'
import { createPiCompletion } from './pi-completion.ts'

/** Options of `contextEngine`. */
export interface ContextEngineOptions<Options>
  extends Pick<
    ContextSessionOptions<Options>,
    'options' | 'maxOutputTokens' | 'compactAt' | 'tokens' | 'clock' | 'store' | 'principal'
  > {
  /** The engine, as its package exports it. Default: `@palimpsest/lcm`. */
  readonly engine?: EngineDefinition<Options>
  /**
   * The model that writes summaries: one of pi's, as `provider/id`, or any `CompletionModel`. Default: the
   * conversation's model.
   */
  readonly model?: string | CompletionModel
}

/** Tokens that pi reserves for the answer by default. */
export const RESERVED_TOKENS = 16_384

/** The reserve is at most half of the window: a local server may report an output limit as large as the window. */
const reservedTokens = ({ maxTokens, contextWindow }: Model<Api>) =>
  Math.min(maxTokens, RESERVED_TOKENS, Math.floor(contextWindow / 2))

const STORE_FILE = 'palimpsest.db'

/**
 * An extension of pi: the engine decides what the model is sent and offers its tools, and pi's own compactions use the
 * engine's summaries. Pi's session file stays complete.
 */
export function contextEngine<Options = LcmOptions>(
  options: ContextEngineOptions<Options> = {},
): ExtensionFactory {
  return (pi) => {
    const conversations = createConversations(options)
    let note = ''

    let isOffered = false
    /** An engine is created with the conversation, which needs a model. */
    const offerTools = (ctx: ExtensionContext) =>
      attempt(ctx, undefined, async () => {
        const current = isOffered ? undefined : await conversations.current(ctx)
        if (current === undefined) return
        for (const schema of current.session.engine.toolSchemas())
          pi.registerTool(engineTool(schema, conversations.current))
        isOffered = true
      })

    pi.on('session_start', (_, ctx) => offerTools(ctx))
    pi.on('model_select', async ({ model }, ctx) => {
      await conversations.changeModel(model)
      await offerTools(ctx)
    })

    pi.on('context', async (_, ctx) => {
      note = ''
      const request = await attempt(ctx, ctx.signal, async () => {
        const current = await conversations.current(ctx)
        return current?.request(momentOf(pi, ctx, current.session))
      })
      if (request === undefined) return undefined
      note = request.note
      return { messages: request.messages }
    })

    pi.on('context_with_system', ({ messages: [head, ...rest] }) => {
      if (note === '' || head?.role !== 'system') return undefined
      return { messages: [{ ...head, sections: { ...head.sections, palimpsest: note } }, ...rest] }
    })

    pi.on('message_end', async ({ message }, ctx) => {
      if (message.role !== 'assistant' || message.stopReason === 'error') return
      await attempt(ctx, undefined, async () => (await conversations.current(ctx))?.observe(message))
    })

    pi.on('session_before_compact', async (event, ctx) => {
      const { signal, preparation } = event
      const { firstKeptEntryId, tokensBefore } = preparation
      const result = await attempt(ctx, signal, async () => {
        const current = await conversations.current(ctx)
        const compacted = await current?.compact(event, momentOf(pi, ctx, current.session, signal))
        if (current === undefined || compacted === undefined) return undefined
        const { summary, covers } = compacted
        const nodes = await conversations.nodes(current.key)
        const details = { engine: current.session.engine.name, session: current.key, covers, nodes }
        return { compaction: { summary, firstKeptEntryId, tokensBefore, details } }
      })
      return signal.aborted ? { cancel: true } : result
    })

    pi.on('session_shutdown', () => conversations.close())
    pi.registerCommand('palimpsest', {
      description: 'Shows what the context engine does',
      handler: async (_, ctx) => {
        const current = await conversations.current(ctx)
        ctx.ui.notify(
          current === undefined
            ? 'palimpsest: no model is chosen yet; choose one with /model'
            : statusText(current.session),
        )
      },
    })
  }
}

async function attempt<Value>(
  { ui }: ExtensionContext,
  signal: AbortSignal | undefined,
  run: () => Promise<Value | undefined>,
): Promise<Value | undefined> {
  try {
    return await run()
  } catch (error) {
    if (!signal?.aborted) ui.notify(`palimpsest: ${errorText(error)}`, 'warning')
    return undefined
  }
}

interface Conversations {
  current(ctx: ExtensionContext): Promise<Conversation | undefined>
  nodes(key: string): Promise<string[]>
  changeModel(model: Model<Api>): Promise<void>
  close(): Promise<void>
}

function createConversations<Options>(input: ContextEngineOptions<Options>): Conversations {
  const { engine = lcm as EngineDefinition<unknown> as EngineDefinition<Options> } = input
  let branches: BranchStore | undefined
  let opened: { readonly key: string; readonly conversation: Promise<Conversation> } | undefined

  const open = async (ctx: ExtensionContext, model: Model<Api>): Promise<Conversation> => {
    const branch = readBranch(ctx)
    const isStored = ctx.sessionManager.getSessionFile() !== undefined
    const path = isStored ? join(ctx.sessionManager.getSessionDir(), STORE_FILE) : undefined
    branches ??= openBranchStore(input, path)
    await branches.begin(branch)
    const session = createContextSession<Options>({
      ...input,
      engine,
      store: branches.store,
      sessionId: branch.key,
      contextLength: model.contextWindow,
      maxOutputTokens: input.maxOutputTokens ?? reservedTokens(model),
      model: summarizer(ctx, input.model),
      modelName: model.id,
      platform: 'pi',
    })
    tellEvents(ctx, session)
    return createConversation(branch.key, session)
  }

  const leave = async (): Promise<void> => {
    const left = opened
    opened = undefined
    await (await left?.conversation)?.session.end()
  }

  return {
    async current(ctx) {
      if (ctx.model === undefined || ctx.model.contextWindow === 0) return undefined
      const { key } = readBranch(ctx)
      if (opened?.key !== key) {
        await leave()
        const conversation = open(ctx, ctx.model)
        opened = { key, conversation }
        conversation.catch(() => {
          opened = undefined
        })
      }
      return opened?.conversation
    },
    nodes: async (key) => (await branches?.nodes(key)) ?? [],
    async changeModel({ contextWindow: contextLength, id: model }) {
      const { session } = (await opened?.conversation) ?? {}
      if (contextLength > 0) await session?.updateModel({ contextLength, model })
    },
    async close() {
      await leave()
      await branches?.close()
      branches = undefined
    },
  }
}

function summarizer(ctx: ExtensionContext, model: string | CompletionModel | undefined): CompletionModel {
  if (typeof model === 'object') return model
  if (model === undefined) return createPiCompletion(ctx, () => ctx.model)
  const slash = model.indexOf('/')
  return createPiCompletion(ctx, () => ctx.modelRegistry.find(model.slice(0, slash), model.slice(slash + 1)))
}

function tellEvents({ ui }: ExtensionContext, session: ContextSession): void {
  session.subscribe((event) => {
    if (event.type === 'warning') ui.notify(`palimpsest: ${event.warning.message}`, 'warning')
    if (event.type !== 'compaction' || !event.committed) return
    const { tokensBefore, tokensAfter } = event.result
    const count = (tokens: number) => tokens.toLocaleString('en')
    ui.notify(`palimpsest: compacted, about ${count(tokensBefore)} → ${count(tokensAfter)} tokens`)
  })
}

function momentOf(
  pi: ExtensionAPI,
  ctx: ExtensionContext,
  session: ContextSession,
  signal: AbortSignal | undefined = ctx.signal,
): Moment {
  const active = new Set(pi.getActiveTools())
  const own = new Set(session.engine.toolSchemas().map((tool) => tool.function.name))
  const tools = pi
    .getAllTools()
    .filter(({ name }) => active.has(name) && !own.has(name))
    .map(({ name, description, parameters }): ToolSchema => {
      return { type: 'function', function: { name, description, parameters: { ...parameters } } }
    })
  const { api = 'pi', provider = 'pi', id: model = 'pi' } = ctx.model ?? {}
  return {
    branch: readBranch(ctx),
    system: ctx.getSystemPrompt(),
    tools,
    frame: { api, provider, model },
    signal,
  }
}

function engineTool({ function: schema }: ToolSchema, current: Conversations['current']): ToolDefinition {
  const { name, description = '', parameters = { type: 'object' } } = schema
  return {
    name,
    label: name,
    description,
    parameters,
    annotations: { readOnlyHint: true },
    async execute(_id, args, signal, _onUpdate, ctx) {
      const conversation = await current(ctx)
      const text =
        (await conversation?.session.callTool(name, args, { signal })) ?? '{"error":"no model is chosen"}'
      return { content: [{ type: 'text', text }], details: {} }
    },
  }
}

function statusText({ engine, transcript }: ContextSession): string {
  const { lastPromptTokens, thresholdTokens, contextLength, compressionCount } = engine.status()
  const count = (tokens: number) => tokens.toLocaleString('en')
  const tools = engine.toolSchemas().map((tool) => tool.function.name)
  return [
    `palimpsest: engine ${engine.name}, ${count(transcript.length)} messages kept`,
    `prompt ${count(lastPromptTokens)} of ${count(contextLength)} tokens, compacts from ${count(thresholdTokens)} on`,
    `${count(compressionCount)} compactions since pi started`,
    ...(tools.length > 0 ? [`tools: ${tools.join(', ')}`] : []),
  ].join('\n')
}
