import {
  compactedResult,
  isSummary,
  keptResult,
  type Message,
  readMessages,
  renderSummary,
  repairMessages,
} from '@palimpsest/core'
import { planCompaction } from '../reference/plan-compaction.ts'
import { writeSummary } from '../reference/write-summary.ts'
import { type BrokenEngine, broken, summarizing } from './broken-engine.ts'

/** Mistakes with what belongs to the caller, and with doing the same again. */
export const brokenPurity: readonly BrokenEngine[] = [
  broken('writes into the messages that it gets', 'L06 P06', {
    parts: (parts) => ({
      async compress(call) {
        if (Array.isArray(call.messages))
          for (const message of call.messages)
            if (message?.content === null && !Object.isFrozen(message))
              Object.assign(message, { content: '' })
        return parts.compress(call)
      },
    }),
  }),
  broken('returns the messages of the call themselves', 'L06', {
    steps: () => ({
      readMessages(messages) {
        readMessages(messages)
        return repairMessages(messages, { inFlight: true }).messages
      },
      compactedResult(input) {
        const result = compactedResult(input)
        if (result.outcome !== 'compacted') return result
        const own = new Map(input.after.map((message) => [JSON.stringify(message), message]))
        return {
          ...result,
          messages: result.messages.map((message) => own.get(JSON.stringify(message)) ?? message),
        }
      },
    }),
  }),
  broken('compacts more each time it is asked', 'L08 P08', {
    steps() {
      let room = 1
      return {
        planCompaction(messages, ...[most, tokens]) {
          const plan = planCompaction(messages, most * room, tokens)
          if (plan.middle.length > 0) room *= 0.8
          return plan
        },
      }
    },
  }),
  broken(
    'gives each summary a random number',
    'L11 P11',
    summarizing(({ text, warnings }) => ({ text: `Record ${Math.random()}\n${text}`, warnings })),
  ),
  broken(
    'dates each summary by the clock of the machine',
    'L11 P11',
    summarizing(({ text, warnings }) => ({ text: `Record of ${Date.now()}\n${text}`, warnings })),
  ),
  broken('counts calls of compress() instead of compactions', 'C36 C45 C49', {
    parts(parts) {
      let calls = 0
      return {
        get compressionCount() {
          return calls
        },
        compress(call) {
          calls++
          return parts.compress(call)
        },
        async onSessionReset() {
          calls = 0
          await parts.onSessionReset?.()
        },
      }
    },
  }),
  broken('puts the earlier summary, frame and all, into the new one', 'C37', {
    steps: () => ({
      async writeSummary(input) {
        const { text, warnings } = await writeSummary({ ...input, previous: '' })
        const earlier = input.previous === '' ? '' : `${renderSummary(input.redact(input.previous))}\n\n`
        return { text: earlier + text, warnings }
      },
    }),
  }),
  broken('returns the list of the call, grown', 'C20 C22 C50 C83 L02 L05 L06 L08 P02 P05 P08', {
    parts: (parts) => ({
      async compress(call) {
        const result = await parts.compress(call)
        const summary = result.messages.find(isSummary)
        if (result.outcome !== 'compacted' || summary === undefined || Object.isFrozen(call.messages))
          return result
        const list = call.messages as Message[]
        list.push(summary)
        return { ...result, messages: list }
      },
    }),
  }),
  broken(
    'never compacts',
    'C20 C22 C36 C37 C38 C40 C41 C42 C43 C45 C46 C50 C51 C53 C70 C73 C74 C75 C78 C82 C83 L02 L03 L04 L06 L08 L09 L10 L11 P02 P03 P04 P05 P06 P08 P09 P10 P11 P12',
    {
      parts: (_, { tokens }) => ({
        compress: async ({ messages }) =>
          keptResult('unchanged', 'nothing-to-compact', readMessages(messages), tokens),
      }),
    },
  ),
]
