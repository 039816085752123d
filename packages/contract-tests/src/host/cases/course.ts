import { deepEqual, equal, ok } from 'node:assert/strict'
import { toolCallsOf } from '@palimpsest/core'
import { type Course, HOST_WINDOW_TOKENS, type HostCase, hostCase } from '../create-host-harness.ts'
import { expectEachCallOnce, expectValidRequests, expectWholeHistory } from '../judge-talk.ts'
import { onlySession } from '../run-course.ts'
import { ENGINE_TOOL, HOST_TOOL, placeOf, subjectOf, THOUGHT } from '../script.ts'
import type { SuiteRequest } from '../suite-provider.ts'

function courseCase(id: string, title: string, judge: (course: Course) => void): HostCase {
  return hostCase(id, title, async (harness) => judge(await harness.course()))
}

const toolNames = (tools: readonly { readonly function: { readonly name: string } }[]) =>
  tools.map((tool) => tool.function.name)

function changedAt({ messages }: SuiteRequest, before: SuiteRequest | undefined): number {
  const at = (before?.messages ?? []).findIndex(
    (message, index) => JSON.stringify(message) !== JSON.stringify(messages[index]),
  )
  return at === -1 ? messages.length : at
}

const isBreak = (request: SuiteRequest, before: SuiteRequest | undefined) =>
  changedAt(request, before) < (before?.messages.length ?? 0)

/** A course that ended early is judged too. */
export const courseCases: readonly HostCase[] = [
  courseCase('H01', 'answers 36 questions with tools, each call run once', ({ talk, failure }) => {
    if (failure !== undefined) throw failure
    expectEachCallOnce(talk)
  }),
  courseCase('H02', "leaves the host's own history complete", ({ talk, history, failure }) => {
    if (failure !== undefined) throw failure
    expectWholeHistory(history, talk.said)
  }),
  courseCase('H03', 'passes every message to the engine once, unchanged', ({ talk, engine }) => {
    const { edits, messages } = onlySession(engine)
    equal(edits, 0, 'messages that the engine had were told anew in another form, or taken back')
    const spoken = messages.filter(({ role }) => role !== 'system' && role !== 'developer')
    const roles = talk.said.map(({ role }) => role)
    // A host may report a turn with the next one.
    deepEqual(
      spoken.map(({ role }) => role),
      roles.slice(0, Math.max(spoken.length, roles.lastIndexOf('user'))),
    )
  }),
  courseCase('H04', 'sends requests that keep the invariants', ({ talk }) => {
    ok(talk.requests.length > 0, 'the provider got no request')
    expectValidRequests(talk)
  }),
  courseCase('H05', 'sends requests that fit into the window', ({ talk, engine }) => {
    for (const { promptTokens, messages } of talk.requests)
      ok(
        promptTokens <= HOST_WINDOW_TOKENS,
        `the request of question ${placeOf(messages)?.turn} has ${promptTokens} tokens; the window is ${HOST_WINDOW_TOKENS}`,
      )
    ok(onlySession(engine).compactions > 0, 'the engine was never asked to compact')
  }),
  courseCase(
    'H06',
    'starts each request with the previous one, except after a compaction',
    ({ talk, engine }) => {
      const breaks = talk.requests.filter((request, index, all) => isBreak(request, all[index - 1])).length
      const { compactions } = onlySession(engine)
      ok(
        breaks <= compactions,
        `${breaks} requests change what the one before them held, and there were ${compactions} compactions`,
      )
    },
  ),
  courseCase('H07', "offers the engine's tools from the first request on", ({ talk }) => {
    const [first] = talk.requests
    const names = toolNames(first?.tools ?? [])
    for (const name of [HOST_TOOL, ENGINE_TOOL])
      equal(names.filter((one) => one === name).length, 1, `the first request must declare ${name} once`)
    for (const { tools, messages } of talk.requests)
      deepEqual(toolNames(tools), names, `question ${placeOf(messages)?.turn} has other tools than the first`)
  }),
  courseCase(
    'H08',
    "runs calls of the engine's tools and returns their results to the model",
    ({ talk, engine }) => {
      const calls = talk.said.flatMap((message) =>
        message.role === 'assistant' ? (message.tool_calls ?? []) : [],
      )
      const expected = calls.flatMap((call) =>
        call.type === 'function' && call.function.name === ENGINE_TOOL ? [subjectOf(call)] : [],
      )
      deepEqual(onlySession(engine).recalls, expected, "each call must reach the engine's tool once")
      const sent = JSON.stringify(talk.requests.map(({ messages }) => messages))
      for (const subject of expected)
        ok(
          sent.includes(`Recalled for ${subject}.`),
          `the model never got the engine's answer about "${subject}"`,
        )
    },
  ),
  courseCase('H09', 'passes the usage of each answer to the engine once', ({ talk, engine }) => {
    const told = onlySession(engine).usage.map(({ promptTokens, completionTokens }) => ({
      promptTokens,
      completionTokens,
    }))
    deepEqual(
      told,
      talk.requests.flatMap(({ usage }) => (usage === undefined ? [] : [usage])),
    )
  }),
  courseCase('H18', 'sends an assistant message together with its reasoning', ({ talk }) => {
    /** True if an answer was first sent with its thinking, which many providers require later. */
    const thinking = new Map<string, boolean>()
    for (const { messages } of talk.requests)
      for (const message of messages) {
        const [call] = toolCallsOf(message)
        if (message.role !== 'assistant' || call === undefined) continue
        const isThere = JSON.stringify(message).includes(THOUGHT)
        if (!thinking.has(call.id)) thinking.set(call.id, isThere)
        ok(
          isThere || !thinking.get(call.id),
          `the call ${call.id} is sent without its thought behind a summary`,
        )
      }
  }),
]
