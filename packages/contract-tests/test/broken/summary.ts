import { toolCallInput, toolCallsOf } from '@palimpsest/core'
import { writeSummary } from '../reference/write-summary.ts'
import { type BrokenEngine, broken, projecting } from './broken-engine.ts'

/** Mistakes in what stands in a summary. */
export const brokenSummaries: readonly BrokenEngine[] = [
  broken('shortens the earlier summary to five lines each time', 'C78', {
    steps: () => ({
      writeSummary: (input) =>
        writeSummary({ ...input, previous: input.previous.split('\n').slice(0, 5).join('\n') }),
    }),
  }),
  broken('warns of something each time, and forgets the earlier summary', 'C78', {
    steps: () => ({
      async writeSummary(input) {
        const { text, warnings } = await writeSummary({ ...input, previous: '' })
        return { text, warnings: [...warnings, { code: 'busy', message: 'the engine has much to do' }] }
      },
    }),
  }),
  broken('takes the focus topic into its summary as an order', 'C79', {
    steps: () => ({
      async writeSummary(input) {
        const { text, warnings } = await writeSummary(input)
        const order = input.focusTopic === undefined ? '' : `Above all: ${input.redact(input.focusTopic)}\n\n`
        return { text: order + text, warnings }
      },
    }),
  }),
  broken('does not tell its model the focus topic', 'C79', {
    steps: () => ({ writeSummary: (input) => writeSummary({ ...input, focusTopic: undefined }) }),
  }),
  broken('quotes the conversation between tags that it can close', 'C82', {
    steps: ({ model }) => ({
      writeSummary: (input) =>
        writeSummary({
          ...input,
          model: model && {
            ...model,
            complete: (call) => model.complete({ ...call, prompt: `<talk>\n${call.prompt}\n</talk>` }),
          },
        }),
    }),
  }),
  broken('copies the arguments of calls into its summary', 'L09 P09', {
    steps: () => ({
      async writeSummary(input) {
        const { text, warnings } = await writeSummary(input)
        const calls = input.middle.flatMap(toolCallsOf).map(toolCallInput)
        return { text: `${text}\n## Calls\n${calls.join('\n')}`, warnings }
      },
    }),
  }),
  broken(
    'names the call, arguments and all, in the place of an answered result',
    'L09 P09',
    projecting((messages) => {
      const answered = messages.findLastIndex(({ role }) => role !== 'tool')
      return messages.map((message, index) => {
        if (message.role !== 'tool' || index > answered) return message
        const call = messages.flatMap(toolCallsOf).find(({ id }) => id === message.tool_call_id)
        return call === undefined ? message : { ...message, content: `[result of ${toolCallInput(call)}]` }
      })
    }),
  ),
]
