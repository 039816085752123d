import { findAnsweringModel } from '../models/find-answering-model.ts'
import { findSummaryModel } from '../models/find-summary-model.ts'
import { openModel } from '../models/open-model.ts'
import type { SummaryBlock } from '../models/summary-key.ts'
import type { ChatAgentInput } from './agent/chat-agent-input.ts'

export interface ChatModelFlags {
  /** `<provider>:<name>`, or the bare name of a model at `baseUrl`. */
  readonly model?: string
  /** The address of an OpenAI-compatible API, version included, such as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl?: string
  /** The model's window, in tokens. */
  readonly window?: number
}

/** The models of a chat, in the words of `ChatAgentInput`. */
export interface ChatModels extends Pick<ChatAgentInput, 'model' | 'reader' | 'caching'> {
  readonly summaries: NonNullable<ChatAgentInput['summaries']>
  /** A sentence for people about the choice; absent when there is nothing to say. */
  readonly notice?: string
}

const NO_MODEL =
  'No model is configured, so nothing is written here: answers quote the lines of the conversation that share words ' +
  'with your question, from the context that a model would see, and no tool is called. To talk to a model, set ' +
  'GEMINI_API_KEY, or OPENAI_API_KEY and OPENAI_MODEL, or name one behind an OpenAI-compatible address: ' +
  'palimpsest chat --base-url http://127.0.0.1:11434/v1 --model <name>.'

/** @throws UsageError when what is named cannot be used. */
export async function findChatModels(
  { model, baseUrl, window }: ChatModelFlags,
  block: SummaryBlock,
  environment: NodeJS.ProcessEnv,
): Promise<ChatModels> {
  const main = findAnsweringModel({ option: '--model', model, baseUrl, contextLength: window }, environment)
  const summaries = await findSummaryModel({ block, main, environment })
  if (main === undefined) return { model: undefined, summaries, notice: NO_MODEL }
  const { chat, completion, caching } = await openModel(main)
  return { model: chat, reader: completion, caching, summaries }
}
