import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type AgentSessionRuntime,
  createAgentSessionFromServices,
  createAgentSessionRuntime,
  createAgentSessionServices,
  type ExtensionFactory,
  type ExtensionUIContext,
  ModelRuntime,
  SessionManager,
  SettingsManager,
  type ToolDefinition,
} from '@earendil-works/pi-coding-agent'

export interface PiInput {
  /** Where pi keeps its settings and sessions. */
  readonly storage: string
  readonly provider: { readonly baseUrl: string; readonly apiKey: string; readonly model: string }
  /** The model's window, in tokens. */
  readonly contextLength: number
  /** Tokens that the model may write. Default: 1,000. */
  readonly maxTokens?: number
  readonly extensions: readonly ExtensionFactory[]
  readonly tools?: readonly ToolDefinition[]
  /** Starts without a key, and so without a model. Default: false. */
  readonly isSignedOut?: boolean
  /** Of pi's own compaction, in tokens. */
  readonly compaction?: { readonly reserveTokens?: number; readonly keepRecentTokens?: number }
}

export interface OpenPi {
  readonly runtime: AgentSessionRuntime
  /** Messages of extensions to the user, and their errors. */
  readonly told: readonly string[]
  /** Enters the key that was left out, and chooses the model. */
  signIn(): Promise<void>
  /** Says something, and resolves to the text of the answer. */
  send(text: string, signal?: AbortSignal): Promise<string>
  close(): Promise<void>
}

/** The real pi as its SDK makes it, with nothing of whoever runs the tests. It goes on with the newest session of its storage. */
export async function openPi(input: PiInput): Promise<OpenPi> {
  const {
    storage,
    provider,
    contextLength,
    maxTokens = 1_000,
    extensions,
    tools = [],
    compaction,
    isSignedOut = false,
  } = input
  const [agentDir, work, sessions] = ['agent', 'work', 'sessions'].map((name) => join(storage, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [agentDir, work, sessions]) mkdirSync(folder, { recursive: true })
  const { baseUrl, apiKey, model: id } = provider
  const models = [{ id, contextWindow: contextLength, maxTokens, input: ['text'] }]
  const providers = {
    scripted: { baseUrl, api: 'openai-completions', models, ...(!isSignedOut && { apiKey }) },
  }
  const modelsPath = join(agentDir, 'models.json')
  writeFileSync(modelsPath, JSON.stringify({ providers }))
  const modelRuntime = await ModelRuntime.create({ modelsPath, authPath: join(agentDir, 'auth.json') })
  const scripted = () => modelRuntime.getModel('scripted', id) ?? missing(`model ${id}`)
  const settingsManager = SettingsManager.inMemory({
    compaction: { enabled: true, reserveTokens: 1_000, keepRecentTokens: 4_000, ...compaction },
    retry: { enabled: false },
  })
  const last = readdirSync(sessions)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .at(-1)
  const runtime = await createAgentSessionRuntime(
    async ({ cwd, sessionManager, sessionStartEvent }) => {
      const services = await createAgentSessionServices({
        cwd,
        agentDir,
        modelRuntime,
        settingsManager,
        resourceLoaderOptions: {
          systemPrompt: 'You are a coding agent.',
          noContextFiles: true,
          noSkills: true,
          extensionFactories: [...extensions],
        },
      })
      const made = await createAgentSessionFromServices({
        services,
        sessionManager,
        noTools: 'builtin',
        customTools: [...tools],
        ...(sessionStartEvent && { sessionStartEvent }),
        ...(!isSignedOut && { model: scripted() }),
      })
      return { ...made, services, diagnostics: services.diagnostics }
    },
    {
      cwd: work,
      agentDir,
      sessionManager:
        last === undefined
          ? SessionManager.create(work, sessions)
          : SessionManager.open(join(sessions, last), sessions, work),
    },
  )
  const told: string[] = []
  const uiContext = { notify: (message: string) => void told.push(message) } as ExtensionUIContext
  const bind = () =>
    runtime.session.bindExtensions({
      uiContext,
      onError: ({ event, error }) => void told.push(`${event}: ${error}`),
    })
  runtime.setRebindSession(bind)
  await bind()
  return {
    runtime,
    told,
    async signIn() {
      await modelRuntime.setRuntimeApiKey('scripted', apiKey)
      await runtime.session.setModel(scripted())
    },
    async send(text, signal) {
      const { session } = runtime
      const abort = () => void session.abort()
      signal?.addEventListener('abort', abort)
      try {
        await session.prompt(text)
      } finally {
        signal?.removeEventListener('abort', abort)
      }
      signal?.throwIfAborted()
      const answer = session.messages.findLast(({ role }) => role === 'assistant')
      if (answer?.role !== 'assistant') throw new Error('pi did not ask the model')
      if (answer.stopReason === 'error') throw new Error(answer.errorMessage)
      return session.getLastAssistantText() ?? ''
    },
    close: () => runtime.dispose(),
  }
}

function missing(what: string): never {
  throw new Error(`there is no ${what}`)
}
