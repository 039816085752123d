import { ok } from 'node:assert/strict'
import type { Message } from '@palimpsest/core'
import { type ContractCase, contractCase } from '../contract-case.ts'
import { compact, compressIngested, quietEngine, warnsAsWell } from '../harness/compact.ts'
import { continuation, longConversation } from '../harness/conversations.ts'
import { eachInput } from '../harness/each-input.ts'
import { plainText } from '../harness/oracle.ts'
import { createPlainHost } from '../harness/plain-host.ts'
import { createNarrowModel, createScriptedModel } from '../harness/scripted-model.ts'

/** Promises about what a model reads before its summary takes the place of it. */
export const readCases: readonly ContractCase[] = [
  contractCase(
    'C47',
    'summarises only messages that its model has read, however small its window is, or names the others',
    ['summarizer'],
    async (harness) => {
      const history = longConversation()
      const wide = createScriptedModel()
      const engine = await quietEngine(harness, history, wide)
      const asked = wide.calls.length
      const usual = await compressIngested(engine, history)
      if (wide.calls.length === asked)
        return harness.note('compress() asks no model, so no window is too small for it')
      await eachInput({ '4,000 tokens': 4_000, '1,500 tokens': 1_500, '200 tokens': 200 }, async (window) => {
        const model = createNarrowModel(window)
        const made = await compact(harness.create({ model }), history)
        if (made.outcome !== 'compacted' || warnsAsWell(made, usual)) return
        expectRead(turnMarks(40), model.read, made.messages)
      })
      const model = createScriptedModel()
      const host = createPlainHost(harness.create({ model }))
      for (const round of [1, 2]) {
        await host.say(round === 1 ? history : continuation(41))
        const { warnings } = await host.mustCompact()
        const told = [...model.calls.map(({ prompt }) => prompt), ...warnings.map(({ message }) => message)]
        const beginnings = turnMarks(40 * round).map((marks) => marks.slice(0, 1))
        expectRead(beginnings, told, host.projection)
      }
    },
  ),
]

/** One of the marks of each message was read, or is there still. */
function expectRead(
  messages: readonly (readonly string[])[],
  prompts: readonly string[],
  projection: readonly Message[],
): void {
  const known = [...prompts, ...projection.map(plainText)].join('\n')
  const unread = messages.filter((marks) => !marks.some((mark) => known.includes(mark)))
  ok(
    unread.length === 0,
    `${unread.length} messages are neither in the projection nor in a prompt that fits into the model, and no warning says so, such as "${unread[0]?.[0]}"`,
  )
}

/** For each question and answer of a long conversation two texts of it; a summariser may cut one of them in two. */
function turnMarks(turns: number): string[][] {
  return Array.from({ length: turns }, (_, index) => index + 1).flatMap((turn) => [
    [`Question ${turn}:`, `error E${1000 + turn}`],
    [`Answer ${turn}:`, `part ${turn} counts`],
  ])
}
