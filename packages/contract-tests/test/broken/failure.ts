import {
  type CompletionModel,
  type Message,
  messageText,
  readMessages,
  redactSecrets,
  renderSummary,
} from '@palimpsest/core'
import { assembleProjection } from '../reference/assemble-projection.ts'
import { writeSummary } from '../reference/write-summary.ts'
import { type BrokenEngine, broken, summarizing } from './broken-engine.ts'

/** The model, with something done to what it answers. */
const answering = (
  model: CompletionModel | undefined,
  change: (text: string) => string,
): CompletionModel | undefined =>
  model && {
    ...model,
    async complete(call) {
      const completion = await model.complete(call)
      return { ...completion, text: change(completion.text) }
    },
  }

/** The model, which gets each prompt without its secrets. */
const redacting = (model: CompletionModel): CompletionModel => ({
  ...model,
  complete: (call) => model.complete({ ...call, prompt: redactSecrets(call.prompt) }),
})

/** Mistakes with a model that fails, is small, or says something that it should not. */
export const brokenFailures: readonly BrokenEngine[] = [
  broken(
    'loses the middle in silence when the model fails',
    'C42 C43 C47',
    summarizing((written) =>
      written.warnings.length === 0 ? written : { text: 'Earlier messages were removed.', warnings: [] },
    ),
  ),
  broken('gives its model up for good when it fails once', 'C42', {
    steps() {
      let hasFailed = false
      return {
        async writeSummary({ model, ...input }) {
          const written = await writeSummary({ ...input, model: hasFailed ? undefined : model })
          hasFailed ||= written.warnings.length > 0
          return written
        },
      }
    },
  }),
  broken('takes an empty answer for a summary', 'C43', {
    steps: () => ({
      writeSummary: (input) =>
        writeSummary({ ...input, model: answering(input.model, (text) => text?.trim() || '(no summary)') }),
    }),
  }),
  broken('takes an answer that was cut off for a summary', 'C43', {
    steps: () => ({
      writeSummary: ({ model, ...input }) =>
        writeSummary({
          ...input,
          model: model && {
            ...model,
            complete: async (call) => ({ ...(await model.complete(call)), finishReason: 'stop' }),
          },
        }),
    }),
  }),
  broken('puts what the model writes into a frame that it can close', 'L10 P10', {
    steps: () => ({
      assembleProjection: (plan, summary) =>
        assembleProjection(plan, 'THE SUMMARY').map((message) =>
          message.content === renderSummary('THE SUMMARY')
            ? ({ ...message, content: message.content.replace('THE SUMMARY', () => summary) } as Message)
            : message,
        ),
    }),
  }),
  broken('takes what the model writes into the system prompt', 'L10', {
    steps: () => ({
      assembleProjection: (plan, summary) =>
        assembleProjection(plan, summary).map((message) =>
          message.role === 'system'
            ? {
                ...message,
                content: `${messageText(message).split('\n\nNotes: ')[0]}\n\nNotes: ${summary}`,
              }
            : message,
        ),
    }),
  }),
  broken('fails with an error of its own for what is no message', 'C45 P02', {
    steps: () => ({
      readMessages(messages) {
        try {
          return readMessages(messages)
        } catch (error) {
          throw new TypeError(String(error))
        }
      },
    }),
  }),
  broken('refuses keys of calls that it does not know', 'C46', {
    parts: (parts) => ({
      async compress(call) {
        const { messages, currentTokens, focusTopic, force, targetTokens, memoryContext, signal, ...rest } =
          call
        const [unknown] = Object.keys(rest)
        if (unknown !== undefined) throw new Error(`unknown key ${unknown}`)
        return parts.compress(call)
      },
    }),
  }),
  broken('shows a small model the end of a conversation only, and does not say so', 'C47', {
    steps: ({ tokens }) => ({
      writeSummary(input) {
        const { contextLength = Number.POSITIVE_INFINITY } = input.model ?? {}
        let room = contextLength / 4
        const fits = (message: Message) => {
          room -= tokens.countMessage(message)
          return room > 0
        }
        return writeSummary({ ...input, middle: input.middle.toReversed().filter(fits).reverse() })
      },
    }),
  }),
  broken('shows its model all messages that it replaces but the last', 'C47', {
    steps: () => ({
      writeSummary: (input) => writeSummary({ ...input, middle: input.middle.slice(0, -1) }),
    }),
  }),
  broken('sends secrets to the model and writes them down', 'L09 P09', {
    steps: () => ({ redact: (text) => text }),
  }),
  broken('hides secrets in what it sends and writes when the texts are cut already', 'P09', {
    steps: ({ model }) => ({
      redact: (text) => text,
      async writeSummary(input) {
        const { text, warnings } = await writeSummary({ ...input, model: model && redacting(model) })
        return { text: redactSecrets(text), warnings }
      },
    }),
  }),
  broken('refuses a focus topic that is long', 'C70', {
    parts: (parts) => ({
      async compress(call) {
        if ((call.focusTopic?.length ?? 0) > 1_000) throw new RangeError('the focus topic is too long')
        return parts.compress(call)
      },
    }),
  }),
]
