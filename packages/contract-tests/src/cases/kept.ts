import { ok } from 'node:assert/strict'
import { type Message, messageText } from '@palimpsest/core'
import { type ContractCase, contractCase } from '../contract-case.ts'
import type { ContractHost } from '../contract-target.ts'
import { mustCompact, warnsAsWell } from '../harness/compact.ts'
import {
  assistant,
  calls,
  continuation,
  longConversation,
  once,
  result,
  system,
  user,
} from '../harness/conversations.ts'
import type { Harness } from '../harness/create-harness.ts'
import { keptFaults } from '../harness/kept-faults.ts'
import { createPlainHost, type PlainHost } from '../harness/plain-host.ts'
import { createScriptedModel } from '../harness/scripted-model.ts'

export const keptCases: readonly ContractCase[] = [
  contractCase(
    'C73',
    'keeps a kept message exactly: white space, names, parts, unknown members',
    async (harness) => {
      const host = createPlainHost(harness.create())
      for (const part of [longConversation(), continuation(41)]) {
        await host.say(part.map(ornate))
        await host.mustCompact()
        await expectKept(host)
      }
    },
  ),
  contractCase(
    'C74',
    'says in the text, or in a warning, that it shortened a kept message',
    async (harness) => {
      const usual = await mustCompact(harness.create(), longConversation())
      const host = createPlainHost(harness.create({ contextLength: 200_000 }))
      await host.say(once('long outputs', longOutputs))
      await expectKept(host)
      if (!warnsAsWell(await host.mustCompact(), usual)) await expectKept(host)
    },
  ),
  contractCase('C75', 'treats equal messages at different places as different messages', async (harness) => {
    const equals = await answersIn(harness, () => 'yes')
    const others = await answersIn(harness, (turn) => `y${turn}`)
    ok(
      equals.kept === others.kept,
      `of 60 answers ${equals.kept} stay when all are "yes", and ${others.kept} when each differs`,
    )
    ok(
      equals.read >= others.read,
      `the model reads ${equals.read} answers of 60 when all are "yes", and ${others.read} when each differs`,
    )
  }),
]

async function expectKept({ engine, projection, transcript }: PlainHost): Promise<void> {
  const lists = {
    'the projection': projection,
    'what selectContext() returns': (
      await engine.selectContext({ messages: projection, budgetTokens: 8_000 })
    )?.messages,
    'what pruneToolResults() returns': await engine.pruneToolResults(projection),
  }
  for (const [name, list] of Object.entries(lists)) {
    const [fault] = keptFaults(list ?? [], transcript)
    if (fault !== undefined) throw new Error(`in ${name}, ${fault}`)
  }
}

const MEMBERS: Readonly<Record<Message['role'], readonly object[]>> = {
  system: [{ name: 'rules', providerData: { host: { version: 3 } } }],
  developer: [],
  user: [
    { name: 'engineer', id: 'u-1' },
    { providerData: { host: { device: 'phone' } } },
    { unknown_field: [null, 0] },
  ],
  assistant: [
    { name: 'reviewer', refusal: null, annotations: [] },
    {
      id: 'a-1',
      annotations: [{ type: 'url_citation', url_citation: { url: 'https://example.com', title: 't' } }],
    },
    { providerData: { openai: { phase: 'final' } }, audio: null },
  ],
  tool: [{ name: 'read_file' }, { id: 't-1', is_error: false }, { providerData: { host: { seconds: 2 } } }],
}

const PARTS = [
  { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA', detail: 'low' } },
  { type: 'file', file: { file_id: 'file-1', filename: 'ledger.pdf' }, providerData: { kept: true } },
  { type: 'hologram', depth: 3 },
]

function ornate(message: Message, at: number): Message {
  const own = MEMBERS[message.role]
  const text = messageText(message)
  const spaced = `\n  ${text.replace(' ', '  \t')} \r\n\n`
  const parts = [
    { type: 'text', text: spaced, providerData: { host: { part: at } } },
    { type: 'text', text: ' \n' },
    ...(message.role === 'user' ? PARTS : []),
  ]
  const content = text === '' ? message.content : at % 3 === 0 ? parts : spaced
  const tool_calls =
    message.role === 'assistant' &&
    message.tool_calls?.map((call, index) => ({ ...call, index, providerData: { g: { signature: 'AAAA' } } }))
  return { ...message, ...own[at % own.length], content, ...(tool_calls && { tool_calls }) } as Message
}

const digits = (characters: number) =>
  Array.from({ length: Math.ceil(characters / 6) }, (_, line) => `${10_000 + line}\n`)
    .join('')
    .slice(0, characters)

function longOutputs(): Message[] {
  return [
    ...longConversation(),
    assistant(digits(33_000)),
    user(digits(12_000)),
    calls('short', 'long', 'longer'),
    ...[2_500, 31_000, 45_000].map((size, at) => result(['short', 'long', 'longer'][at] ?? '', digits(size))),
  ]
}

async function answersIn(harness: Harness, answer: (turn: number) => string) {
  const model = createScriptedModel()
  const answers = Array.from({ length: 60 }, (_, turn) => answer(turn + 10))
  const history = [
    system(),
    ...answers.flatMap((text, turn) => [user(text), question(turn)]),
    user('Thank you.'),
  ]
  const { messages } = await mustCompact(harness.create({ model } satisfies Partial<ContractHost>), history)
  const kept = messages.filter(({ role, content }) => role === 'user' && answers.includes(String(content)))
  const words = model.calls.flatMap(({ prompt }) => prompt.match(/\w+/g) ?? [])
  return { kept: kept.length, read: words.filter((word) => answers.includes(word)).length }
}

function question(turn: number): Message {
  const done = `Part ${turn} of the ledger counts in cents now: ${'its tests pass, and so do those of its callers; '.repeat(18)}`
  return assistant(`${done}shall I go on with part ${turn + 1}?`)
}
