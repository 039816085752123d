import {
  changedFrom,
  compactedResult,
  countMessages,
  isBridge,
  isInstruction,
  isSpoken,
  isSummary,
  type Message,
  messageText,
  readMessages,
} from '@palimpsest/core'
import { assembleProjection } from '../reference/assemble-projection.ts'
import { planCompaction } from '../reference/plan-compaction.ts'
import { writeSummary } from '../reference/write-summary.ts'
import { type BrokenEngine, broken, projecting } from './broken-engine.ts'

/** Mistakes in the list of messages that comes out of a compaction. */
export const brokenSequences: readonly BrokenEngine[] = [
  broken('gives its summary a role of its own', 'L02 P02 P12', {
    steps: () => ({
      assembleProjection: (...plan) =>
        assembleProjection(...plan).map((message) =>
          isSummary(message) ? ({ ...message, role: 'summary' } as unknown as Message) : message,
        ),
      // It knows its own role again.
      readMessages: (messages) =>
        readMessages(
          JSON.parse(JSON.stringify(messages ?? null).replaceAll('"role":"summary"', '"role":"user"')),
        ),
    }),
  }),
  broken('drops the system prompt', 'L03 P03 P12', {
    steps: () => ({
      assembleProjection: (plan, summary) => assembleProjection({ ...plan, system: undefined }, summary),
    }),
  }),
  broken(
    'appends its note to the system prompt each time',
    'L03 P12',
    projecting((messages) =>
      messages.map((message) =>
        message.role === 'system'
          ? { ...message, content: `${messageText(message)}\n\nEarlier messages were summarised.` }
          : message,
      ),
    ),
  ),
  broken(
    'writes its summary into a second system prompt',
    'L02 L10 P02 P10 P12',
    projecting((messages) =>
      messages.map((message) =>
        isSummary(message) ? { role: 'system', content: messageText(message) } : message,
      ),
    ),
  ),
  broken(
    'puts its summary in front of a user message',
    'L02 P02 P12',
    projecting((messages) => messages.filter((message) => !isBridge(message))),
  ),
  broken('puts the last user message directly before what a host inserted later', 'L02', {
    steps: () => ({
      assembleProjection({ request, tail, ...plan }, summary) {
        const kept = request === undefined ? tail : [request, ...tail]
        return assembleProjection({ ...plan, request: undefined, tail: kept }, summary)
      },
    }),
  }),
  broken('drops the last user message when it stands before the tail', 'L04 P04 P12', {
    steps: () => ({
      planCompaction(...input) {
        const { request, middle, ...plan } = planCompaction(...input)
        return { ...plan, middle: request === undefined ? middle : [...middle, request], request: undefined }
      },
    }),
  }),
  broken('drops the last user message when a host inserted something behind it', 'L04', {
    steps: () => ({
      planCompaction([...messages], ...room) {
        const plan = planCompaction(messages, ...room)
        const { request, middle, tail } = plan
        const last = messages.findLast((message) => message.role === 'user' && !isSummary(message))
        if (request === undefined || last === undefined || isSpoken(last) || tail.includes(last)) return plan
        return { ...plan, middle: [...middle, request], request: undefined }
      },
    }),
  }),
  broken(
    'clears tool results that have no answer yet',
    'C20',
    projecting((messages) => {
      const answered = messages.findLastIndex(({ role }) => role !== 'tool')
      return messages.map((message, index) =>
        index > answered && messageText(message).length > 10
          ? ({ ...message, content: '[cleared]' } as Message)
          : message,
      )
    }),
  ),
  broken(
    'puts a turn that it keeps behind the next one',
    'L02 P02 P12',
    projecting((messages) => {
      const [first, second, third] = messages
        .flatMap(({ role }, index) => (role === 'user' ? [index] : []))
        .slice(-3)
      if (first === undefined || second === undefined || isSummary(messages[first] as Message))
        return messages
      return [
        ...messages.slice(0, first),
        ...messages.slice(second, third),
        ...messages.slice(first, second),
        ...messages.slice(third),
      ]
    }),
  ),
  broken('says that every message changed', 'C22 P12', {
    steps: () => ({ compactedResult: (input) => ({ ...compactedResult(input), changedFrom: 0 }) }),
  }),
  broken('calls a projection compacted that is larger', 'C22 C83 L05 P05 P12', {
    steps: () => ({
      async writeSummary(input) {
        const { text, warnings } = await writeSummary(input)
        return { text: text + '-'.repeat(JSON.stringify(input.middle).length), warnings }
      },
      compactedResult(input) {
        const result = compactedResult(input)
        const messages = input.after.map((message) => structuredClone(message))
        return { ...result, outcome: 'compacted', messages, changedFrom: changedFrom(input.before, messages) }
      },
    }),
  }),
  broken('cuts a short conversation too', 'C24 P08', {
    parts: (parts, { tokens }) => ({
      async compress(call) {
        const { messages: before } = call
        if (before?.length !== 4) return parts.compress(call)
        const after = readMessages(before).filter((message, index) => isInstruction(message) || index >= 2)
        return compactedResult({ before, after, tokens, reason: 'trimmed' })
      },
    }),
  }),
  broken('looks at the first message of an empty list', 'C24', {
    steps: () => ({
      planCompaction(messages, ...room) {
        if (messages[0]?.role === undefined) throw new TypeError('no first message')
        return planCompaction(messages, ...room)
      },
    }),
  }),
  broken('keeps as much as it likes when it is given a target', 'C83', {
    steps: () => ({
      planCompaction: (messages, room, tokens) => planCompaction(messages, Math.max(room, 20_000), tokens),
    }),
  }),
  broken('gives up when the end alone is larger than the window', 'P02', {
    steps: ({ tokens, contextLength }) => ({
      planCompaction(...input) {
        const plan = planCompaction(...input)
        if (countMessages(tokens, plan.tail) > contextLength) throw new RangeError('cannot make it fit')
        return plan
      },
    }),
  }),
]
