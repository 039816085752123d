import { equal, ok } from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { type Message, ModelError, messageText } from '@palimpsest/core'
import { type ContractCase, contractCase } from '../contract-case.ts'
import { compact, mustCompact } from '../harness/compact.ts'
import {
  calls,
  callWith,
  continuation,
  longConversation,
  once,
  result,
  user,
} from '../harness/conversations.ts'
import { eachInput } from '../harness/each-input.ts'
import { createScriptedModel, type ModelStep, PLAUSIBLE_SUMMARY } from '../harness/scripted-model.ts'

export const contentCases: readonly ContractCase[] = [
  contractCase('C38', 'accepts messages without content, and adds no text to them', async (harness) => {
    const { messages } = await mustCompact(harness.create(), silentConversation())
    for (const message of messages) {
      if (message.role !== 'assistant' || !message.tool_calls?.length) continue
      equal(messageText(message), '', `call ${message.tool_calls[0]?.id} came without a text`)
    }
  }),
  contractCase(
    'C40',
    'never cuts a surrogate pair in two, and keeps lone surrogates of the input',
    async (harness) => {
      await eachInput(EMOJI_SUMMARIES, async (step) => {
        const history = once('emoji', emojiConversation)
        // Without a summary an engine may keep everything.
        const run = step instanceof Error ? compact : mustCompact
        const { messages } = await run(harness.create({ model: createScriptedModel([step]) }), history)
        const broken = messages.flatMap(stringsIn).find((text) => !text.isWellFormed()) ?? ''
        const at = broken.search(/\p{Surrogate}/u)
        const excerpt = JSON.stringify(broken.slice(Math.max(0, at - 40), at + 40))
        equal(at, -1, `a surrogate pair was cut in two: ${excerpt}`)
      })
      const [request, output] = [
        user('\ud83d is half of \u{1F9EE}\udc00'),
        result('half', '\udc00 half \ud83d'),
      ]
      const history = [...longConversation().slice(0, -1), request, calls('half'), output]
      const { messages } = await mustCompact(harness.create(), history)
      for (const half of [request, output]) {
        const isKept = messages.some(({ content }) => content === half.content)
        ok(isKept, `what was half a character before did not stay so: ${JSON.stringify(half)}`)
      }
    },
  ),
  contractCase('C41', 'accepts a tool result of 2 MB, and keys such as __proto__', async (harness) => {
    const history = hostileConversation()
    const request = history.findLast(({ role }) => role === 'user')
    try {
      const { messages } = await mustCompact(harness.create(), history)
      equal(Reflect.get({}, 'polluted'), undefined, 'a key of a message became a member of every object')
      const isKept = messages.some((message) => isDeepStrictEqual(message, request))
      ok(isKept, `the last user message is not there as it was: ${JSON.stringify(request)}`)
    } finally {
      Reflect.deleteProperty(Object.prototype, 'polluted')
    }
  }),
]

function silentConversation(): Message[] {
  const turns = Array.from({ length: 12 }, (_, number): Message[] => {
    const id = `silent_${number}`
    const { content, ...call } = calls(id)
    const answer = SILENCE[number % SILENCE.length] as Message
    return [user(''), number % 2 === 0 ? call : { ...call, content: '' }, result(id, ''), answer]
  })
  const [systemPrompt, ...talk] = longConversation()
  const end = [calls('silent_end'), result('silent_end', '')]
  return [systemPrompt as Message, ...turns.flat(), ...talk, ...end]
}

const SILENCE: readonly Message[] = [
  { role: 'assistant', content: null },
  { role: 'assistant', content: '' },
  { role: 'assistant' },
]

/** Surrogate pairs after `letters`, so that two texts cannot both be cut between them by luck. */
const abacuses = (letters: string, times: number) => letters + '\u{1F9EE}'.repeat(times)

const EMOJI_SUMMARIES: Readonly<Record<string, ModelStep>> = {
  'a short summary': PLAUSIBLE_SUMMARY,
  'a long summary': `## Goal\n${abacuses('', 10_000)}`,
  'a long summary, a letter later': `## Goal\n${abacuses('a', 10_000)}`,
  'no summary': new ModelError('unknown', 'no summary today'),
}

function emojiConversation(): Message[] {
  const talk = longConversation({ turns: 20 }).map((message, at): Message => {
    const letters = 'a'.repeat(at % 3)
    if (message.role === 'tool') return { ...message, content: abacuses(letters, 400) }
    if (message.role === 'user') return { ...message, content: abacuses(letters, at % 10 === 0 ? 3_000 : 40) }
    return message
  })
  const write = (id: string, letters: string) =>
    callWith(id, JSON.stringify({ text: abacuses(letters, 2_000) }))
  return [
    ...talk,
    write('emoji_1', 'a'),
    result('emoji_1', abacuses('', 2_000)),
    write('emoji_2', ''),
    result('emoji_2', abacuses('a', 2_000)),
    calls('emoji_3', 'emoji_4'),
    result('emoji_3', abacuses('', 10_000)),
    result('emoji_4', abacuses('a', 10_000)),
  ]
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...stringsIn(parsed(value))]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(stringsIn)
}

function parsed(text: string): unknown {
  try {
    return text.startsWith('{') ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}

function hostileConversation(): Message[] {
  const huge = () => [result('hostile_1', 'value = 7919; the ledger counts in cents\n'.repeat(51_200))]
  const json =
    '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"path":"src/a.ts"}'
  const hostile: Message = { ...user('And what is in src/a.ts?'), providerData: JSON.parse(json) }
  return [
    ...longConversation({ turns: 15 }),
    callWith('hostile_1', json),
    ...once('2 MB', huge),
    ...continuation(16, 25).slice(0, -1),
    hostile,
    callWith('hostile_2', json),
    result('hostile_2', '{"__proto__":{"polluted":true}}'),
  ]
}
