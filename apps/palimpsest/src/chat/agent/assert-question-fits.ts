import type { Message, TokenCounter, ToolSchema } from '@palimpsest/core'
import { answerTokens } from '../../models/answer-tokens.ts'
import { UsageError } from '../../usage-error.ts'

/** No token of a text that people write has more characters on average: beyond, nothing needs to be counted. */
const TOKEN_CHARACTERS = 16

interface QuestionInput {
  readonly text: string
  readonly system: Message
  readonly tools: readonly ToolSchema[]
  /** Of the model, in tokens. */
  readonly window: number
  readonly tokens: TokenCounter
}

/**
 * Refuses a question that no compaction can make room for: with the system prompt and the tools it is in every prompt as
 * it is. Nothing is stored by then.
 *
 * @throws UsageError
 */
export function assertQuestionFits({ text, system, tools, window, tokens }: QuestionInput): void {
  const advice = 'save it as a file in the workspace, and ask about the file'
  if (text.length > window * TOKEN_CHARACTERS)
    throw new UsageError(
      `the message has ${text.length.toLocaleString('en-US')} characters, far more than the window of ${window.toLocaleString('en-US')} tokens takes; ${advice}`,
    )
  const own = tokens.countMessage({ role: 'user', content: text })
  const base = tokens.countMessage(system) + tokens.countText(JSON.stringify(tools))
  if (own + base <= window - answerTokens(window)) return
  throw new UsageError(
    `the message takes about ${own.toLocaleString('en-US')} tokens, and the window has ${window.toLocaleString('en-US')}, of which the system prompt, the tools and the answer take ${(base + answerTokens(window)).toLocaleString('en-US')}; ${advice}`,
  )
}
