import { equal, ok } from 'node:assert/strict'
import type { ContextEngine } from '@palimpsest/core'
import { type ContractCase, contractCase } from '../contract-case.ts'
import type { ContractHost } from '../contract-target.ts'
import { compressIngested } from '../harness/compact.ts'
import {
  assistant,
  continuation,
  conversationAbout,
  longConversation,
  system,
  user,
} from '../harness/conversations.ts'
import type { Harness } from '../harness/create-harness.ts'
import { expectSame } from '../harness/difference.ts'
import { createFakeClock } from '../harness/fake-clock.ts'
import { askEach, lookUp } from '../harness/look-up.ts'
import { createPlainHost, halves, type PlainHost } from '../harness/plain-host.ts'
import {
  createScriptedModel,
  type ModelAnswer,
  PLAUSIBLE_SUMMARY,
  type ScriptedModel,
  STALL,
} from '../harness/scripted-model.ts'
import { outcomeOf, waitUntil } from '../harness/settle.ts'

const requires = ['persistence'] as const

export const persistenceCases: readonly ContractCase[] = [
  contractCase(
    'C63',
    'continues after it is created again, and stores nothing twice when the host repeats all messages',
    requires,
    async (harness) => {
      const host = harness.host()
      const talk = await beginTalk(harness, host)
      const { transcript } = talk
      const known = await lookUp(talk.engine, harness.target, transcript)
      await talk.engine.ingest({ messages: transcript, from: 0 })
      const found = (engine: ContextEngine) => lookUp(engine, harness.target, transcript)
      expectSame(await found(talk.engine), known, 'what can be looked up when everything was repeated')
      await talk.engine.dispose()
      const again = await reopened(harness, host)
      expectSame(await found(again), known, 'what can be looked up after a restart')
      // A new session tells its engine the whole transcript.
      await again.ingest({ messages: transcript, from: 0 })
      expectSame(await found(again), known, 'what can be looked up after a restart and a repetition')
      await goesOn(again, talk)
    },
  ),
  /**
   * The first engine is never disposed of, as after a crash. It stays in this process, so a lock that only the end of a
   * process releases would be held; leases expire, because an hour passes.
   */
  contractCase('C65', 'loses and duplicates nothing after a crash', requires, survivesCrash),
  contractCase('C66', 'does not mix sessions in the same storage', requires, async (harness) => {
    const { storage } = harness.host()
    const begin = async (word: string): Promise<Side> => {
      const model = createScriptedModel()
      const host = harness.host({ storage, model, sessionId: `about ${word}` })
      return { word, model, host, talk: await beginTalk(harness, host, conversationAbout(word)) }
    }
    const [one, other] = await Promise.all([begin('harbour'), begin('meadow')])
    await tellsNothingOf(harness, one.talk.engine, one, other)
    await tellsNothingOf(harness, other.talk.engine, other, one)
    await one.talk.engine.dispose()
    await tellsNothingOf(harness, await reopened(harness, one.host), one, other)
    await tellsNamesApart(harness)
  }),
]

interface Side {
  readonly word: string
  readonly model: ScriptedModel
  readonly host: ContractHost
  readonly talk: PlainHost
}

async function beginTalk(
  harness: Harness,
  host: ContractHost,
  messages = longConversation({ turns: 80 }),
): Promise<PlainHost> {
  const talk = createPlainHost(harness.create(host))
  await talk.engine.onSessionStart({ sessionId: host.sessionId, contextLength: host.contextLength })
  for (const part of halves(messages)) {
    await talk.say(part)
    await talk.compact({ force: true })
  }
  ok(talk.compactions > 0, 'two compactions with force changed nothing')
  return talk
}

async function reopened(harness: Harness, host: ContractHost): Promise<ContextEngine> {
  const engine = harness.reopen(host)
  await engine.onSessionStart({ sessionId: host.sessionId, contextLength: host.contextLength })
  return engine
}

async function goesOn(engine: ContextEngine, { transcript, projection }: PlainHost): Promise<void> {
  const more = continuation(201)
  await engine.ingest({ messages: more, from: transcript.length })
  const messages = [...projection, ...more]
  const result = await compressIngested(engine, messages)
  equal(result.outcome, 'compacted', `what compress() did when the conversation went on (${result.reason})`)
  const shown = result.messages.map((message) => JSON.stringify(message))
  const twice = [...transcript, ...more]
    .map((message) => JSON.stringify(message))
    .filter((message) => shown.indexOf(message) !== shown.lastIndexOf(message))
  equal(twice.join(', '), '', 'messages that stand twice in the projection')
}

const AN_HOUR = 3_600_000

async function survivesCrash(harness: Harness): Promise<void> {
  const clock = createFakeClock()
  let answer: ModelAnswer = PLAUSIBLE_SUMMARY
  const model = createScriptedModel([() => answer])
  const host = harness.host({ clock, model })
  const talk = await beginTalk(harness, host)
  await talk.say(continuation(81))
  let known = await lookUp(talk.engine, harness.target, talk.transcript)

  answer = STALL
  const controller = new AbortController()
  const asked = model.calls.length
  const pending = outcomeOf(talk.compact({ force: true, signal: controller.signal }))
  try {
    const isSilent = await waitUntil(() => model.calls.length > asked, 20)
    answer = PLAUSIBLE_SUMMARY
    // Without a model, the compaction was over before the crash.
    if (!isSilent) {
      await pending
      known = await lookUp(talk.engine, harness.target, talk.transcript)
    }
    clock.advance(AN_HOUR)

    const again = await reopened(harness, host)
    const { transcript } = talk
    expectSame(await lookUp(again, harness.target, transcript), known, 'what can be looked up')
    await again.ingest({ messages: transcript, from: 0 })
    const told = 'what can be looked up when the host has told everything again'
    expectSame(await lookUp(again, harness.target, transcript), known, told)
    await goesOn(again, talk)
  } finally {
    controller.abort()
    await pending
  }
}

async function tellsNothingOf(
  { target }: Harness,
  engine: ContextEngine,
  { word, model, talk }: Side,
  other: Side,
): Promise<void> {
  const found = await lookUp(engine, target, talk.transcript)
  const told = { ...found, projection: talk.projection, prompts: model.calls.map(({ prompt }) => prompt) }
  for (const [name, value] of Object.entries(told))
    ok(
      !JSON.stringify(value).includes(other.word),
      `${name} of the session about ${word} speaks of ${other.word}`,
    )
}

/** Names that become equal when they are truncated or adapted to a file system. */
const SIMILAR_NAMES = [
  ...['desk/Ledger 1', 'desk:Ledger 1', 'desk/ledger 1', 'desk/Ledger 1 '],
  ...['1', '2'].map((end) => `desk/${'ledger'.repeat(14)}${end}`),
]

async function tellsNamesApart(harness: Harness): Promise<void> {
  const { storage } = harness.host()
  const sides = SIMILAR_NAMES.map((sessionId, index) => {
    const word = `word${index + 10}`
    const said = [system(), user(`Never call the line ${word}.`), assistant(`Noted: ${word}.`)]
    return { word, said, host: harness.host({ storage, sessionId }) }
  })
  for (const { said, host } of sides) {
    const engine = harness.create(host)
    await engine.onSessionStart({ sessionId: host.sessionId, contextLength: host.contextLength })
    await engine.ingest({ messages: said, from: 0 })
    await engine.dispose()
  }
  for (const { word, said, host } of sides) {
    const engine = await reopened(harness, host)
    const found = { ...(await askEach(engine)), ...(await lookUp(engine, harness.target, said)) }
    for (const [name, text] of Object.entries(found)) {
      const other = sides.find((side) => side.word !== word && text.includes(side.word))?.host.sessionId
      ok(other === undefined, `${name} of the session "${host.sessionId}" tells what was said in "${other}"`)
    }
    await engine.dispose()
  }
}
