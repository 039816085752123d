import { type CompletionModel, type Message, redactSecrets, type TokenCounter } from '@palimpsest/core'
import {
  boundMemory,
  redactMessage,
  type SummarizedOrKept,
  summarizeMessages,
  summarizeOrKeep,
  trimSummary,
} from '@palimpsest/core/summarizer'
import {
  type IdentifierMemory,
  identifierAppendix,
  resultStatus,
  summarizeExtractively,
} from '@palimpsest/extractive'
import { COMPACTION_DEFAULTS } from './compaction-defaults.ts'
import { SUMMARY_SYSTEM_PROMPT, summaryPrompt } from './summary-prompt.ts'

export interface WriteSummaryInput {
  readonly model: CompletionModel | undefined
  /** What the summary stands for. */
  readonly messages: readonly Message[]
  /** What stays beside it: its identifiers need not be repeated. */
  readonly visible: readonly Message[]
  readonly previousSummary: string | undefined
  readonly focusTopic: string | undefined
  readonly memoryContext: string | undefined
  /** Length of the summary at most, in tokens. */
  readonly maxTokens: number
  /** What the list of identifiers behind it may take, in tokens. */
  readonly identifierTokens: number
  /** What the session has mentioned so far. */
  readonly memory: IdentifierMemory
  readonly tokens: TokenCounter
  readonly signal: AbortSignal | undefined
  /** Failures of the model in a row so far. */
  readonly streak: number
  /** True when keeping everything is no way out. */
  readonly mustSummarize: boolean
}

/** A summary by the model if there is one, else without; see `summarizeOrKeep` for what a failure means. */
export function writeSummary(input: WriteSummaryInput): Promise<SummarizedOrKept> {
  const redacted = { ...input, messages: input.messages.map(redactMessage) }
  return summarizeOrKeep({
    ...input,
    byModel: async (model) => complete(await ask(redacted, model), redacted),
    withoutModel: () => complete(extractive(redacted), redacted),
  })
}

function ask(input: WriteSummaryInput, model: CompletionModel): Promise<string> {
  const { maxTokens, previousSummary } = input
  const { least, most } = COMPACTION_DEFAULTS.summaryTokens
  const focusTopic = input.focusTopic && redactSecrets(input.focusTopic)
  const memoryContext = input.memoryContext && boundMemory(redactSecrets(input.memoryContext))
  return summarizeMessages({
    ...input,
    model,
    previousSummary: previousSummary && redactSecrets(previousSummary),
    system: SUMMARY_SYSTEM_PROMPT,
    prompt: (conversation, previous) =>
      summaryPrompt({
        conversation,
        previousSummary: previous,
        focusTopic,
        memoryContext,
        leastTokens: Math.floor((maxTokens * least) / most),
        mostTokens: maxTokens,
      }),
    isFailed: (result, owner) => resultStatus(result, owner) === 'failed',
  })
}

/** A summary within its bound, with the identifiers that it dropped behind it. */
function complete(prose: string, input: WriteSummaryInput): string {
  const { messages, visible, maxTokens, identifierTokens, tokens, previousSummary, memory } = input
  const text = trimSummary(prose, maxTokens, tokens)
  const appendix = identifierAppendix({
    messages,
    visible,
    covered: text,
    previousAppendix: redactSecrets(previousSummary ?? ''),
    memory,
    scope: 'conversation',
    maxTokens: identifierTokens,
    tokens,
  })
  return [text.trim(), appendix.trim()].filter((part) => part !== '').join('\n\n')
}

function extractive(input: WriteSummaryInput): string {
  const { messages, previousSummary, focusTopic, maxTokens, tokens } = input
  return summarizeExtractively({
    messages,
    previousSummary: previousSummary && redactSecrets(previousSummary),
    focusTopic,
    maxTokens,
    tokens,
    // They are listed behind the summary, whoever wrote it.
    identifiers: [],
    continues: true,
  })
}
