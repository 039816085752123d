import { ok } from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { type ContextEngine, errorText, type Message, ModelError } from '@palimpsest/core'
import fc from 'fast-check'
import { type ContractCase, contractCase } from '../contract-case.ts'
import { assistant, calls, continuation, longConversation, result, user } from '../harness/conversations.ts'
import type { Harness } from '../harness/create-harness.ts'
import { expectSame } from '../harness/difference.ts'
import { brokenConversation, conversation } from '../harness/generated-conversations.ts'
import { createScriptedModel, PLAUSIBLE_SUMMARY } from '../harness/scripted-model.ts'
import type { WatchedSession } from '../harness/watch-session.ts'

const requires = ['lossless'] as const

export const losslessCases: readonly ContractCase[] = [
  contractCase(
    'C67',
    'returns every message byte for byte, whatever was compacted',
    requires,
    async (harness) => {
      const down = new ModelError('network', 'the model was not reached')
      const watched = harness.session({
        model: createScriptedModel([PLAUSIBLE_SUMMARY, down, '', PLAUSIBLE_SUMMARY]),
      })
      const history: Message[] = []
      for (const part of PARTS) {
        history.push(...part)
        await watched.session.prepare(history)
        await watched.session.compact()
      }
      ok(compactionsOf(watched) > 0, `a conversation of ${history.length} messages was never compacted`)
      await recallAll(harness, watched.engine, history)
      const atOnce = harness.create()
      await atOnce.ingest({ messages: LONG_LIST, from: 0 })
      await recallAll(harness, atOnce, LONG_LIST, (_, at) => at < PAGED.length || at % 7 === 0)
      await harness.property(fc.oneof(conversation(), brokenConversation()), async (messages) => {
        const { session, engine } = harness.session({ contextLength: 6_000, maxOutputTokens: 500 })
        for (const list of [messages, [...messages, ...PADDING]]) {
          await session.prepare(list)
          await session.compact()
        }
        await recallAll(harness, engine, [...messages, ...PADDING])
        await engine.dispose()
      })
    },
  ),
  contractCase(
    'C68',
    'returns every message that left the projection, also after more compactions, an edit of the history and a restart',
    requires,
    async (harness) => {
      const host = harness.host()
      const watched = harness.session(host)
      const history: Message[] = []
      const known = new Map<number, string>()
      for (const [index, part] of PARTS.entries()) {
        history.push(...part)
        await watched.session.prepare(history)
        await watched.session.compact()
        const { messages } = await watched.session.prepare(history)
        const isLast = index === PARTS.length - 1
        // A message that was recalled once is recalled again after the last compaction.
        const isWanted = (message: Message, at: number) =>
          (isLast || !known.has(at)) && !messages.some((shown) => isDeepStrictEqual(shown, message))
        for (const [at, text] of await recallAll(harness, watched.engine, history, isWanted)) {
          expectSame(text, known.get(at) ?? text, `what is recalled of message ${at}, and was before`)
          known.set(at, text)
        }
      }
      ok(known.size > 0, `${compactionsOf(watched)} compactions took no message out of the projection`)
      const edited = history.length - TAKEN_BACK
      history.splice(edited, TAKEN_BACK, ...continuation(301, 3))
      await watched.session.prepare(history)
      await recallAll(
        harness,
        watched.engine,
        history,
        (_, at) => at >= edited,
        ' after an edit of the history',
      )
      if (!harness.capabilities.has('persistence')) return
      await watched.engine.dispose()
      const again = harness.reopen(host)
      await again.onSessionStart({ sessionId: host.sessionId, contextLength: host.contextLength })
      const recalled = await recallAll(harness, again, history, undefined, ' after a restart')
      for (const [at, text] of known)
        if (at < edited)
          expectSame(
            recalled.get(at),
            text,
            `what is recalled of message ${at} after a restart, and was before`,
          )
    },
  ),
]

/** A tool result of 330,000 characters, more than an answer of a tool can contain; many are surrogate pairs. */
const HUGE: readonly Message[] = [
  user('Print the whole log.'),
  calls('call_huge'),
  result('call_huge', 'a line of the log 🦉 with value 12\n'.repeat(10_000)),
  assistant('That was long.'),
]

/**
 * Texts one character longer than whole pages of usual sizes, as JSON or without it: the last page has one character.
 */
const PAGED = [20_001, 24_001, 32_769].flatMap((length) =>
  [length, length - JSON.stringify(assistant('')).length].flatMap((characters) => {
    const numbers = Array.from({ length: characters }, (_, index) => index).join(' ')
    return [user(`Count, please: ${characters}.`), assistant(numbers.slice(-characters))]
  }),
)

/** More messages than usually arrive at once, as when a host continues a long history. */
const LONG_LIST = [...PAGED, ...longConversation({ turns: 110, resultCharacters: 40 }).slice(1)]

const REPEATED: readonly Message[] = [1, 2, 3].flatMap(() => [user('yes'), assistant('Shall I go on?')])

const PARTS: readonly (readonly Message[])[] = [
  [...longConversation({ turns: 30 }), assistant('The next part is the log.'), ...REPEATED],
  [...HUGE, ...continuation(31, 30)],
  ...[61, 91, 121].map((turn) => continuation(turn, 30)),
]

const TAKEN_BACK = 60

const PADDING = longConversation({ turns: 8 }).slice(1)

function compactionsOf({ events }: WatchedSession): number {
  const made = events.filter((event) => event.type === 'compaction')
  return made.filter(({ committed, result }) => committed || result.reason === 'invariant-violation').length
}

/**
 * Recalls messages of a transcript, by default all. Fails for one that differs from the original by value; returns the
 * texts by index.
 */
async function recallAll(
  { target: { recall } }: Harness,
  engine: ContextEngine,
  transcript: readonly Message[],
  isWanted: (message: Message, at: number) => boolean = () => true,
  when = '',
): Promise<Map<number, string>> {
  ok(recall, 'the target has no recall(): how a reader gets a message back')
  const texts = new Map<number, string>()
  for (const [at, message] of transcript.entries()) {
    if (!isWanted(message, at)) continue
    const text = await recall(engine, message, at).catch((error: unknown) => {
      throw new Error(`message ${at} cannot be recalled${when}: ${errorText(error)}`)
    })
    // Messages are JSON: zero has no sign, and an undefined member is absent.
    expectSame(
      parsed(text, at, message),
      JSON.parse(JSON.stringify(message)),
      `message ${at} as it is recalled${when}`,
    )
    texts.set(at, text)
  }
  return texts
}

function parsed(text: string, at: number, { id }: Message): unknown {
  try {
    const { id: given, ...message } = JSON.parse(text)
    return given === undefined || id === undefined ? message : { ...message, id: given }
  } catch (error) {
    throw new Error(`what is recalled of message ${at} is not JSON: ${errorText(error)}`)
  }
}
