import { PalimpsestError } from '@palimpsest/core'
import { UsageError } from '../../usage-error.ts'
import type { ChatAgentInput } from './chat-agent-input.ts'
import { nameOpenAiKey } from './name-openai-key.ts'

/** What the command line says about the model. */
export interface ChatModelFlags {
  /** `gemini:<name>`, `openai:<name>`, or the bare name of a model at `baseUrl`. */
  readonly model?: string
  /** The address of an OpenAI-compatible API, version included, such as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl?: string
  /** The model's window, in tokens. */
  readonly window?: number
}

/** Who answers, in the words of `ChatAgentInput`. */
export interface FoundChatModel extends Pick<ChatAgentInput, 'model' | 'summarizer' | 'caching'> {
  /** What a person should know of this choice, in a sentence; absent when there is nothing. */
  readonly notice?: string
}

/** Gemini's model when nobody names one; it also writes summaries. */
const GEMINI_MODEL = 'gemini-3-flash-preview'

/** What a chat without a model is, and how to get one. */
const OFFLINE =
  'No model is configured, so nothing is written here: answers quote the lines of the conversation that share words ' +
  'with your question, from the context that a model would see, and no tool is called. To talk to a model, set ' +
  'GEMINI_API_KEY, or OPENAI_API_KEY and OPENAI_MODEL, or name one behind an OpenAI-compatible address: ' +
  'palimpsest chat --base-url http://127.0.0.1:11434/v1 --model <name>.'

/**
 * The model that the flags name, else Gemini with a key, else one behind OpenAI's API when the environment tells of one,
 * else none.
 *
 * @throws UsageError when what is named cannot be used.
 */
export async function findChatModel(
  flags: ChatModelFlags,
  environment: NodeJS.ProcessEnv,
): Promise<FoundChatModel> {
  const { GEMINI_API_KEY, OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL } = environment
  const window = flags.window === undefined ? {} : { contextLength: flags.window }
  const named = flags.model === undefined ? undefined : readName(flags.model, flags.baseUrl)
  const wantsGemini =
    named === undefined ? flags.baseUrl === undefined && Boolean(GEMINI_API_KEY) : named.provider === 'gemini'
  if (wantsGemini) {
    if (!GEMINI_API_KEY) throw new UsageError(`--model ${flags.model} needs a key: set GEMINI_API_KEY`)
    return gemini(named?.model ?? GEMINI_MODEL, { apiKey: GEMINI_API_KEY, ...window }, flags.baseUrl)
  }
  const baseUrl = flags.baseUrl ?? (OPENAI_BASE_URL || undefined)
  if (named === undefined && baseUrl === undefined && !OPENAI_API_KEY)
    return { model: undefined, notice: OFFLINE }
  const model = named?.model ?? (OPENAI_MODEL || undefined)
  if (model === undefined)
    throw new UsageError(`which model at ${baseUrl ?? 'OpenAI'}? Name it with --model <name> or OPENAI_MODEL`)
  return openai(model, { ...(OPENAI_API_KEY && { apiKey: OPENAI_API_KEY }), ...window }, baseUrl)
}

interface NamedModel {
  readonly provider: 'gemini' | 'openai'
  readonly model: string
}

/** A name may contain colons itself, as `qwen3:8b` does: only the two providers are taken for one. */
function readName(name: string, baseUrl: string | undefined): NamedModel {
  const [, provider, model = name] = /^(gemini|openai):(.*)$/s.exec(name) ?? []
  if (model.trim() === '') throw new UsageError(`--model "${name}" names no model`)
  if (provider === 'gemini') return { provider, model }
  // Google's own names need no provider, where no other place is named.
  if (provider === undefined && baseUrl === undefined && model.startsWith('gemini-'))
    return { provider: 'gemini', model }
  return { provider: 'openai', model }
}

interface ModelAccess {
  readonly apiKey?: string
  readonly contextLength?: number
}

async function gemini(
  model: string,
  access: ModelAccess,
  baseUrl: string | undefined,
): Promise<FoundChatModel> {
  // The provider's SDK is large: only who uses it installs it.
  await import('@google/genai').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new UsageError('a Gemini model needs one more package: npm install @google/genai', { cause })
  })
  const { createGeminiChat, createGeminiCompletion } = await import('@palimpsest/gemini')
  const options = { model, ...access, ...(baseUrl !== undefined && { baseUrl }) }
  return {
    model: usable(() => createGeminiChat(options)),
    summarizer: createGeminiCompletion(options),
    caching: { model, provider: 'gemini' },
  }
}

async function openai(
  model: string,
  access: ModelAccess,
  baseUrl: string | undefined,
): Promise<FoundChatModel> {
  const { createOpenAiChat, createOpenAiCompletion } = await import('@palimpsest/openai')
  const at = baseUrl === undefined ? {} : { baseUrl }
  const options = { model, ...access, ...at }
  return {
    model: nameOpenAiKey(
      usable(() => createOpenAiChat(options)),
      access.apiKey !== undefined,
    ),
    summarizer: createOpenAiCompletion(options),
    caching: { model, provider: 'openai', ...at },
  }
}

/** What a model says of its options is for the person who wrote them. */
function usable<T>(create: () => T): T {
  try {
    return create()
  } catch (cause) {
    if (!PalimpsestError.isInstance(cause)) throw cause
    throw new UsageError(cause.message, { cause })
  }
}
