import { type CompletionModel, type Message, redactSecrets, type TokenCounter } from '@palimpsest/core'
import {
  boundMemory,
  redactMessages,
  type SummarizedOrKept,
  summarizeMessages,
  summarizeOrKeep,
  trimSummary,
  type WriteCall,
} from '@palimpsest/core/summarizer'
import {
  frameSummary,
  type IdentifierMemory,
  readFrame,
  resultStatus,
  worthReading,
} from '@palimpsest/extractive'
import { COMPACTION_DEFAULTS } from './compaction-defaults.ts'
import { SUMMARY_SYSTEM_PROMPT, summaryPrompt } from './summary-prompt.ts'

/** The empty line behind a model's text. */
const SEPARATOR_TOKENS = 2

export interface WriteSummaryInput
  extends Pick<WriteCall, 'model' | 'focusTopic' | 'memoryContext' | 'signal' | 'streak' | 'mustSummarize'> {
  /** The messages that the summary stands for. */
  readonly messages: readonly Message[]
  /** Messages that stay beside it: their identifiers need not be repeated. */
  readonly visible: readonly Message[]
  /** The user's last message, where it stands before the tail. */
  readonly request: Message | undefined
  readonly previousSummary: string | undefined
  /** Length of a model's text at most, in tokens. */
  readonly maxTokens: number
  /** Room of the quoted lines behind it, in tokens. */
  readonly excerptTokens: number
  /** Room of the list of identifiers behind them, in tokens. */
  readonly identifierTokens: number
  /** Room of all of them together, in tokens. */
  readonly wholeTokens: number
  /** The identifiers that the session has mentioned so far. */
  readonly memory: IdentifierMemory
  readonly tokens: TokenCounter
}

/** A summary by the model if there is one, else without; see `summarizeOrKeep` for what a failure means. */
export async function writeSummary(input: WriteSummaryInput): Promise<SummarizedOrKept> {
  const messages = await redactMessages(worthReading(input.messages))
  const earlier = readFrame(redactSecrets(input.previousSummary ?? ''))
  const frame = (prose: string): Promise<string> => {
    const written = prose === '' ? 0 : input.tokens.countText(prose) + SEPARATOR_TOKENS
    const left = Math.max(0, input.wholeTokens - written - input.excerptTokens)
    const identifierTokens = Math.min(input.identifierTokens, left)
    return frameSummary({ ...input, messages, earlier, prose, identifierTokens })
  }
  return summarizeOrKeep({
    ...input,
    signal: input.signal,
    byModel: async (model) => {
      const prose = await ask(
        {
          ...input,
          messages,
          previousSummary: earlier.prose || earlier.excerpts || undefined,
        },
        model,
      )
      return frame(trimSummary(prose, input.maxTokens, input.tokens))
    },
    withoutModel: () => frame(''),
  })
}

function ask(input: WriteSummaryInput, model: CompletionModel): Promise<string> {
  const { least, most } = COMPACTION_DEFAULTS.summaryTokens
  const focusTopic = input.focusTopic && redactSecrets(input.focusTopic)
  const memoryContext = input.memoryContext && boundMemory(redactSecrets(input.memoryContext))
  return summarizeMessages({
    ...input,
    model,
    signal: input.signal,
    system: SUMMARY_SYSTEM_PROMPT,
    prompt: ({ conversation, previousSummary, maxTokens }) =>
      summaryPrompt({
        conversation,
        previousSummary,
        focusTopic,
        memoryContext,
        leastTokens: Math.floor((maxTokens * least) / most),
        mostTokens: maxTokens,
      }),
    isFailed: (result, owner) => resultStatus(result, owner) === 'failed',
  })
}
