import { type Loose, type Message, type Origin, stripReasoning, type ToolMessage } from '@palimpsest/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAnthropicMessages } from '../../src/formats/anthropic-messages/anthropic-messages.ts'
import type { ChatRequest } from '../../src/formats/wire-format.ts'

type Turn = { readonly role: string; readonly content: string | readonly Loose[] }
interface Shown {
  readonly messages: readonly Message[]
  readonly origins: readonly Origin[]
}

const blocksOf = (content: unknown): readonly Loose[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : ((content ?? []) as Loose[])
const MARK = { cache_control: { type: 'ephemeral' } }
const text = fc.string({ minLength: 1, maxLength: 12 }).map((words) => `say ${words}`)
const said = text.map((words): Loose => ({ type: 'text', text: words }))
const odd = fc.constantFrom<Loose>(
  { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
  { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'cGRm' }, title: 'a' },
  { type: 'search_result', source: 's', title: 't', content: [{ type: 'text', text: 'found' }] },
  { type: 'a_new_kind', of: [1, { two: null }] },
)
const step = fc.record({
  thinks: fc.boolean(),
  speaks: fc.option(text),
  calls: fc.integer({ min: 1, max: 3 }),
  result: fc.oneof(text, fc.array(fc.oneof(said, odd), { maxLength: 2 })),
  isError: fc.boolean(),
  behind: fc.option(said),
})
const turn = fc.record({
  asks: fc.oneof(text, fc.array(fc.oneof(said, odd), { minLength: 1, maxLength: 3 })),
  instruction: fc.option(text),
  steps: fc.array(step, { maxLength: 3 }),
  answer: text,
})
type TurnPlan = typeof turn extends fc.Arbitrary<infer Plan> ? Plan : never

/** A client's list, which ends with a question. */
function listOf(turns: readonly TurnPlan[]): Turn[] {
  let ids = 0
  const thinking = () => ({ type: 'thinking', thinking: 'Hm.', signature: `s${ids++}` })
  const list = turns.flatMap(({ asks, instruction, steps, answer }): Turn[] => [
    { role: 'user', content: asks },
    ...(instruction === null ? [] : [{ role: 'system', content: instruction }]),
    ...steps.flatMap(({ thinks, speaks, calls, result, isError, behind }): Turn[] => {
      const uses = Array.from({ length: calls }, () => ({
        type: 'tool_use',
        id: `t${ids++}`,
        name: 'f',
        input: { a: ids },
      }))
      const spoken = speaks === null ? [] : [{ type: 'text', text: speaks }]
      const results = uses.map(({ id }) => ({
        type: 'tool_result',
        tool_use_id: id,
        ...(isError && { is_error: true }),
        content: result,
      }))
      return [
        { role: 'assistant', content: [...(thinks ? [thinking()] : []), ...spoken, ...uses] },
        { role: 'user', content: [...results, ...(behind === null ? [] : [behind])] },
      ]
    }),
    { role: 'assistant', content: [thinking(), { type: 'text', text: answer }] },
  ])
  return [...list, { role: 'user', content: [{ type: 'text', text: 'and now?', ...MARK }] }]
}

const SYSTEM = [
  { type: 'text', text: 'x-anthropic-billing-header: cch=1;' },
  { type: 'text', text: 'Be brief.', ...MARK },
]
const format = () => createAnthropicMessages()

const bodyOf = (messages: readonly Turn[]) =>
  structuredClone({ model: 'claude-sonnet-5-5', max_tokens: 9, a_new_key: true, system: SYSTEM, messages })

function read(messages: readonly Turn[], of = format()): ChatRequest {
  return of.readRequest(bodyOf(messages), new Headers())
}

function whole(messages: readonly Message[]): Shown {
  return { messages, origins: messages.map((_, index) => ({ from: 'transcript', index, whole: true })) }
}

function write(request: ChatRequest, { messages, origins }: Shown, told = request.messages): Turn[] {
  const body = request.write(messages, [], { origins, told, isLast: false })
  return body.messages as Turn[]
}

/** Turns `from` to `to` as a summary: engines bridge two messages of the user. What stays keeps its thinking: a wrong engine. */
function summarised(list: readonly Message[], from: number, to: number, cut: boolean): Shown {
  const { messages, origins } = whole(list)
  const users = [...messages.keys()].filter((index) => messages[index]?.role === 'user')
  const [first = 0, last = 0] = [users[from % users.length], users[to % users.length]].sort(
    (a = 0, b = 0) => a - b,
  )
  if (first === last) return { messages, origins }
  const summary: Message = { role: 'user', content: 'A summary.' }
  const bridge: Message = { role: 'assistant', content: '(Above is a summary.)' }
  const before: Message = { role: 'assistant', content: '(A summary follows.)' }
  const gap = messages[first - 1]?.role === 'user' ? [before] : []
  const shown = [...messages.slice(0, first), ...gap, summary, bridge, ...messages.slice(last)]
  const note: Origin = { from: 'summary', of: [{ first, last: last - 1 }] }
  const from_ = [...origins.slice(0, first), ...gap.map(() => note), note, note, ...origins.slice(last)]
  if (!cut) return { messages: shown, origins: from_ }
  const isCut = (message: Message, index: number) => message.role === 'tool' && index % 2 === 0
  return {
    messages: shown.map((message, index) =>
      isCut(message, index) ? ({ ...message, content: 'cut' } as ToolMessage) : message,
    ),
    origins: from_.map((origin, index) =>
      origin.from === 'transcript' && isCut(shown[index] as Message, index)
        ? { ...origin, whole: false }
        : origin,
    ),
  }
}

/** The API's rules for a list. */
function assertWellFormed(messages: readonly Turn[]): void {
  const turns = messages.filter(({ role }) => role !== 'system')
  expect(turns[0]?.role).toBe('user')
  for (const [index, { role, content }] of turns.entries()) {
    const blocks = blocksOf(content)
    expect(blocks.length).toBeGreaterThan(0)
    if (messages[messages.indexOf(turns[index] as Turn) - 1]?.role !== 'system')
      expect(role).not.toBe(turns[index - 1]?.role)
    const calls = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id)
    const next = blocksOf(turns[index + 1]?.content).slice(0, calls.length)
    expect(next.map(({ tool_use_id: id }) => id)).toEqual(calls)
    const results = blocks.filter(({ type }) => type === 'tool_result')
    expect(blocks.slice(0, results.length)).toEqual(results)
    if (results.length > 0) expect(turns[index - 1]?.role).toBe('assistant')
  }
}

const thinkingOf = ({ content }: Turn) => blocksOf(content).filter(({ type }) => type === 'thinking')
const lists = fc.array(turn, { minLength: 1, maxLength: 5 }).map(listOf)

async function counted<T>(claim: string, runs: number, property: fc.IAsyncProperty<T>): Promise<void> {
  await fc.assert(property, { numRuns: runs })
  process.stdout.write(`${claim}: ${runs} lists, 0 violations\n`)
}

test('a list that is shown as it was goes out byte for byte', async () => {
  await counted(
    'byte for byte',
    500,
    fc.asyncProperty(lists, async (list) => {
      const request = read(list)
      const body = request.write(request.messages, [], {
        origins: whole(request.messages).origins,
        told: request.messages,
        isLast: false,
      })
      expect(request.unmanaged).toBeUndefined()
      expect(JSON.stringify(body)).toBe(JSON.stringify(bodyOf(list)))
    }),
  )
})

test('a list that an engine has changed is well formed, and its beginning and its end are as they came', async () => {
  await counted(
    'well formed behind an edit',
    500,
    fc.asyncProperty(lists, fc.nat(9), fc.nat(9), fc.boolean(), async (list, from, to, cut) => {
      const request = read(list)
      const shown = summarised(request.messages, from, to, cut)
      const sent = write(request, shown)
      assertWellFormed(sent)
      const edited = shown.origins.findIndex(({ from: kind }) => kind !== 'transcript')
      const texts = JSON.stringify(sent)
      expect(texts.match(/cache_control/g)?.length ?? 0).toBeLessThanOrEqual(1)
      expect(sent.at(-1)).toEqual(list.at(-1))
      // Nothing is known of the thinking: it stays in front of the edit, and goes behind it.
      const summary = sent.findIndex(({ content }) => JSON.stringify(content).includes('A summary.'))
      const kept = sent.slice(0, summary === -1 ? undefined : summary)
      if (!cut || edited === -1)
        expect(kept.flatMap(thinkingOf)).toEqual(list.slice(0, kept.length).flatMap(thinkingOf))
      if (summary !== -1) expect(sent.slice(summary).flatMap(thinkingOf)).toEqual([])
    }),
  )
})

test('thinking is never sent behind another prompt than the one that it was given behind', async () => {
  let kept = 0
  let stripped = 0
  const rounds = fc.array(fc.record({ edit: fc.nat(3), at: fc.nat(9), strips: fc.boolean() }), {
    minLength: 3,
    maxLength: 12,
  })
  await counted(
    'thinking and its prompt',
    300,
    fc.asyncProperty(rounds, async (plan) => {
      const of = format()
      const givenBehind = new Map<unknown, string>()
      const list: Turn[] = [{ role: 'user', content: 'begin' }]
      let edit: { readonly from: number; readonly to: number; readonly strips: boolean } | undefined
      for (const [index, { edit: kind, at, strips }] of plan.entries()) {
        if (kind === 0) edit = { from: 0, to: at, strips }
        if (kind === 1) edit = undefined
        const request = read(list, of)
        const { messages, origins } = whole(request.messages)
        const shown =
          edit === undefined ? { messages, origins } : summarised(messages, edit.from, edit.to, false)
        const honest = edit?.strips ? { ...shown, messages: shown.messages.map(stripReasoning) } : shown
        const sent = write(request, honest)
        const prompt = (end: number) =>
          JSON.stringify(sent.slice(0, end).map(({ role, content }) => [role, blocksOf(content)]))
        for (const [place, one] of sent.entries())
          for (const { signature } of thinkingOf(one)) {
            kept++
            expect(givenBehind.get(signature)).toBe(prompt(place))
          }
        stripped += list.flatMap(thinkingOf).length - sent.flatMap(thinkingOf).length
        const signature = `sig-${index}`
        givenBehind.set(signature, prompt(sent.length))
        const content = [
          { type: 'thinking', thinking: '', signature },
          { type: 'text', text: `answer ${index}` },
        ]
        request.readAnswer(JSON.stringify({ type: 'message', role: 'assistant', content }))
        list.push({ role: 'assistant', content }, { role: 'user', content: `question ${index}` })
      }
    }),
  )
  process.stdout.write(`thinking kept ${kept} times, stripped ${stripped} times\n`)
  expect(Math.min(kept, stripped)).toBeGreaterThan(100)
})

test('breakpoints of the gateway stand on blocks, at the place of the message that has them', async () => {
  const list = [
    { role: 'user', content: 'one' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'r' }] },
  ]
  const request = read(list)
  const marked = request.messages.map((message) => ({ ...message, ...MARK })) as Message[]
  const sent = write(request, { ...whole(request.messages), messages: marked })
  expect(sent.map(({ content }) => blocksOf(content).map((block) => 'cache_control' in block))).toEqual([
    [true],
    [true],
    [true],
  ])
})

test('a stream is read with citations, calls of the provider’s own tools, and pieces of input', async () => {
  const stream = read([{ role: 'user', content: 'a' }]).readStream(new Set(['lcm_grep']))
  const events: Loose[] = [
    { type: 'message_start', message: { usage: { input_tokens: 5, output_tokens: 1 } } },
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: 'x', name: 'lcm_grep', input: {} },
    },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"a":' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '1}' } },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
    },
    {
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'input_json_delta', partial_json: '{"query":"q"}' },
    },
    { type: 'content_block_stop', index: 1 },
    { type: 'content_block_start', index: 2, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: 'found' } },
    { type: 'content_block_delta', index: 2, delta: { type: 'citations_delta', citation: { url: 'u' } } },
    { type: 'content_block_stop', index: 2 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 7 } },
    { type: 'message_stop' },
  ]
  const shown = events
    .flatMap((event) => stream.take(JSON.stringify(event)))
    .map((event) => JSON.parse(event) as Loose)
  expect(shown.filter(({ type }) => type === 'content_block_start').map(({ index }) => index)).toEqual([0, 1])
  expect(stream.message).toEqual({
    role: 'assistant',
    content: [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } },
      { type: 'text', text: 'found', citations: [{ url: 'u' }] },
    ],
    tool_calls: [{ id: 'x', type: 'function', function: { name: 'lcm_grep', arguments: '{"a":1}' } }],
  })
  expect([stream.usage, stream.isFinished, stream.isOver]).toEqual([
    { input_tokens: 5, output_tokens: 7 },
    true,
    true,
  ])
})

test.each([
  ['messages', { messages: 'no list' }],
  ['a role that the API has not', { messages: [{ role: 'tool', content: 'a' }] }],
  ['a text that is none', { messages: [{ role: 'user', content: [{ type: 'text' }] }] }],
  ['a system prompt that is none', { system: 5, messages: [{ role: 'user', content: 'a' }] }],
])('a request with %s is not managed', async (_, body) => {
  const request = await format().readRequest({ model: 'claude-sonnet-5-5', ...body }, new Headers())
  expect(request.unmanaged).toBeDefined()
  expect(request.messages).toEqual([])
})
