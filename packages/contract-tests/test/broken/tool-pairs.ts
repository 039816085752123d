import { type Message, readMessages, type ToolCall, toolCallsOf } from '@palimpsest/core'
import { planCompaction } from '../reference/plan-compaction.ts'
import { type BrokenEngine, broken, projecting } from './broken-engine.ts'

/** Changes what stands before the last round of tools. */
const beforeLastRound = (change: (messages: Message[]) => Message[]) =>
  projecting((messages) => {
    const last = messages.findLastIndex(({ role }) => role !== 'tool')
    return [...change(messages.slice(0, last)), ...messages.slice(last)]
  })

/** A message with its calls changed. */
const withCalls = (message: Message, change: (call: ToolCall) => ToolCall[]): Message =>
  toolCallsOf(message).length === 0
    ? message
    : ({ ...message, tool_calls: toolCallsOf(message).flatMap(change) } as Message)

/** Mistakes with calls and their results. */
export const brokenToolPairs: readonly BrokenEngine[] = [
  broken('begins its tail between a call and its results', 'L02 P02 P12', {
    steps: () => ({
      planCompaction(...input) {
        const plan = planCompaction(...input)
        const [call, ...tail] = plan.tail
        if (call === undefined || toolCallsOf(call).length === 0 || plan.middle.length === 0) return plan
        return { ...plan, tail, middle: [...plan.middle, call] }
      },
    }),
  }),
  broken(
    'leaves out old tool results and keeps their calls',
    'L02 P02 P12',
    beforeLastRound((messages) => messages.filter(({ role }) => role !== 'tool')),
  ),
  broken(
    'keeps one call of each parallel round',
    'L02 P02 P12',
    beforeLastRound((messages) => {
      const gone = new Set(messages.flatMap((message) => toolCallsOf(message).slice(1)).map(({ id }) => id))
      return messages
        .filter((message) => message.role !== 'tool' || !gone.has(message.tool_call_id))
        .map((message) => withCalls(message, (call) => (gone.has(call.id) ? [] : [call])))
    }),
  ),
  broken('takes it that pairs are whole', 'P02', {
    steps: () => ({
      readMessages(messages) {
        readMessages(messages)
        return messages
      },
    }),
  }),
  broken(
    'cuts long arguments',
    'L02',
    projecting((messages) =>
      messages.map((message) =>
        withCalls(message, (call) =>
          call.type === 'function'
            ? [{ ...call, function: { ...call.function, arguments: call.function.arguments.slice(0, 200) } }]
            : [call],
        ),
      ),
    ),
  ),
  broken(
    'numbers calls anew',
    'L02 P02 P12',
    beforeLastRound((messages) => {
      const ids = messages.flatMap(toolCallsOf).map(({ id }) => id)
      const numbered = (id: string) => `call-${ids.indexOf(id)}`
      return messages.map((message) =>
        message.role === 'tool'
          ? { ...message, tool_call_id: numbered(message.tool_call_id) }
          : withCalls(message, (call) => [{ ...call, id: numbered(call.id) }]),
      )
    }),
  ),
]
