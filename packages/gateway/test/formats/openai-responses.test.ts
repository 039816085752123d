import compressor from '@palimpsest/compressor'
import { createContextSession, stripReasoning } from '@palimpsest/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Item } from '../../src/formats/openai-responses/item.ts'
import { toMessages, writeItems, writePrompt } from '../../src/formats/openai-responses/item-messages.ts'
import { createOpenAIResponses } from '../../src/formats/openai-responses/openai-responses.ts'

const format = createOpenAIResponses()
const STATELESS = { isStateless: true }
const SHOWN = { origins: [], told: [], isLast: false }

/** A body as it would go to the upstream when the engine leaves everything as it was. */
async function through(body: object): Promise<object> {
  const request = format.readRequest(structuredClone({ model: 'm', store: false, ...body }), new Headers())
  expect(request.unmanaged).toBeUndefined()
  return request.write(request.messages, [], SHOWN)
}

const text = fc.string({ maxLength: 12 })
const id = fc.boolean()

/** The parts of users and models, known and not. */
const userPart = fc.oneof(
  text.map((value) => ({ type: 'input_text', text: value })),
  text.map((value) => ({ prompt_cache_breakpoint: {}, text: value, type: 'input_text' })),
  text.map((value) => ({ type: 'input_image', detail: 'high', image_url: `data:image/png;base64,${value}` })),
  text.map((value) => ({ type: 'input_image', file_id: value, detail: 'auto' })),
  text.map((value) => ({ type: 'input_file', filename: 'a.pdf', file_data: value })),
  text.map((value) => ({ type: 'input_file', file_url: value })),
  text.map((value) => ({ type: 'input_hologram', rays: [value] })),
)
const answerPart = fc.oneof(
  text.map((value) => ({ type: 'output_text', text: value, annotations: [{ type: 'url_citation' }] })),
  text.map((value) => ({ type: 'refusal', refusal: value })),
)
const userMessage = fc
  .tuple(fc.constantFrom('user', 'developer', 'system'), fc.oneof(text, fc.array(userPart, { minLength: 1 })))
  .map(([role, content]) => ({ role, content }))

let count = 0
const next = (kind: string) => `${kind}_${++count}`

/** One call, and its answer. */
const call = fc.tuple(fc.nat(5), text, id).map(([kind, value, hasId]): { call: Item; output?: Item } => {
  const call_id = next('call')
  const named = hasId ? { id: next('fc') } : {}
  const args = JSON.stringify({ value })
  if (kind === 0)
    return {
      call: { type: 'custom_tool_call', ...named, call_id, name: 'patch', input: value },
      output: { type: 'custom_tool_call_output', call_id, output: value },
    }
  if (kind === 1)
    return {
      call: {
        type: 'local_shell_call',
        call_id,
        status: 'completed',
        action: { type: 'exec', command: [value] },
      },
      output: { type: 'local_shell_call_output', call_id, output: value },
    }
  if (kind === 2)
    return {
      call: { type: 'shell_call', ...named, call_id, action: { commands: [value] } },
      output: { type: 'shell_call_output', call_id, output: [{ stdout: value, outcome: { type: 'exit' } }] },
    }
  if (kind === 3)
    return {
      call: { type: 'computer_call', ...named, call_id, actions: [] },
      output: {
        call_id,
        type: 'computer_call_output',
        output: { type: 'computer_screenshot', image_url: value },
      },
    }
  if (kind === 4) return { call: { type: 'web_search_call', ...named, status: 'completed', query: value } }
  return {
    call: { type: 'function_call', ...named, name: 'shell', arguments: args, call_id, status: 'completed' },
    output: { type: 'function_call_output', call_id, output: [{ type: 'input_text', text: value }] },
  }
})

const reasoning = text.map(
  (value): Item => ({
    type: 'reasoning',
    id: next('rs'),
    summary: [{ type: 'summary_text', text: value }],
    encrypted_content: `gAAAA${value}`,
  }),
)
const said = fc.tuple(id, fc.oneof(text, fc.array(answerPart, { minLength: 1 }))).map(
  ([hasId, content]): Item => ({
    type: 'message',
    role: 'assistant',
    ...(hasId && { id: next('msg') }),
    content,
  }),
)

/** One answer: everything that may follow reasoning may be without it too. */
const answer = fc
  .array(fc.tuple(fc.option(reasoning), fc.oneof(said, call)), { minLength: 1, maxLength: 4 })
  .map((steps): Item[] => {
    const pairs = steps.map(([thought, step]) => ({ thought, step: 'call' in step ? step : { call: step } }))
    return [
      ...pairs.flatMap(({ thought, step }) => [...(thought ? [thought] : []), step.call as Item]),
      ...pairs.flatMap(({ step }) => ('output' in step && step.output ? [step.output as Item] : [])),
    ]
  })
const agentMessage = text.map(
  (value): Item => ({
    type: 'agent_message',
    content: [
      { type: 'input_text', text: value },
      { type: 'encrypted_content', encrypted_content: 'gAAAA' },
    ],
  }),
)
const notice = fc.constantFrom<Item>(
  { type: 'configuration_update', reasoning: { effort: 'low' } },
  { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAAA' },
  { type: 'additional_tools', role: 'developer', tools: [{ type: 'namespace', name: 'functions' }] },
  { type: 'compaction_trigger' },
)
const conversation = fc
  .array(
    fc.oneof(
      fc.oneof(userMessage, agentMessage, notice).map((item): Item[] => [item]),
      answer,
    ),
    { minLength: 1, maxLength: 10 },
  )
  .map((turns) => turns.flat())

test('items that the engine leaves as they were go upstream as they came', async () => {
  let items = 0
  await fc.assert(
    fc.asyncProperty(conversation, fc.option(text), async (input, instructions) => {
      items += input.length
      const body = { model: 'm', store: false, instructions, metadata: { a: [1] }, input, x_unknown: true }
      expect(JSON.stringify(await through(body))).toBe(JSON.stringify(body))
    }),
    { numRuns: 1_000 },
  )
  console.log(`${items} items of 1,000 conversations came through as they were`)
})

test('behind an edited point, reasoning is gone and with it the ids that ask for it; the prefix stays', () => {
  let stripped = 0
  fc.assert(
    fc.property(conversation, fc.nat(), (input, place) => {
      const messages = toMessages([{ role: 'user', content: 'begin' }, ...input], STATELESS)
      const from = place % messages.length
      const edited = messages.map((message, index) => (index < from ? message : stripReasoning(message)))
      const before = writeItems(messages.slice(0, from))
      const written = writeItems(edited)
      const whole = writeItems(messages)
      expect(JSON.stringify(written.slice(0, before.length))).toBe(JSON.stringify(before))
      expect(written.slice(before.length).filter(({ type }) => type === 'reasoning')).toEqual([])
      expect(faultOf(written)).toBeUndefined()
      stripped += whole.length - written.length
      // Nothing else is lost.
      const bare = (items: Item[]) =>
        items.filter(({ type }) => type !== 'reasoning').map(({ id: _, ...rest }) => rest)
      expect(bare(written)).toEqual(bare(whole))
    }),
    { numRuns: 500 },
  )
  console.log(`${stripped} reasoning items were stripped`)
  expect(stripped).toBeGreaterThan(100)
})

test('whatever an engine makes of a conversation is well formed, and reasoning stays with its answer', async () => {
  let requests = 0
  let kept = 0
  let compactions = 0
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { minLength: 8, maxLength: 16 }), async (answers) => {
      const session = createContextSession({ engine: compressor, contextLength: 4_000, sessionId: next('s') })
      const input: Item[] = [
        { role: 'developer', content: 'rules' },
        { role: 'user', content: 'do it' },
      ]
      for (const items of [...answers, []]) {
        const messages = toMessages(input, { ...STATELESS, instructions: 'Be brief.' })
        const prepared = await session.prepare(messages)
        compactions += prepared.compactions.length
        const prompt = writePrompt(prepared.messages[0])
        const written = [...prompt.items, ...writeItems(prepared.messages.slice(1))]
        requests++
        expect(faultOf(written)).toBeUndefined()
        kept += written.filter(({ type }) => type === 'reasoning').length
        input.push(...items.map((item) => (item.output === undefined ? item : grown(item))))
        input.push({ role: 'user', content: 'go on' })
      }
      await session.end()
    }),
    { numRuns: 40 },
  )
  console.log(`${requests} requests, ${compactions} compactions, ${kept} reasoning items kept`)
  expect(compactions).toBeGreaterThan(20)
  expect(kept).toBeGreaterThan(200)
})

/** An output of some length, where it is a text. */
function grown(item: Item): Item {
  return typeof item.output === 'string' ? { ...item, output: 'words of the output '.repeat(120) } : item
}

test('an output without a call, calls without outputs and what an engine wrote itself', () => {
  const written = writeItems([
    { role: 'user', content: 'a summary' },
    {
      role: 'assistant',
      content: 'Two calls.',
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } },
        { id: 'b', type: 'custom', custom: { name: 'c', input: 'x' } },
      ],
    },
    { role: 'tool', tool_call_id: 'a', content: 'one' },
    { role: 'tool', tool_call_id: 'b', content: 'two' },
  ])
  expect(faultOf(written)).toBeUndefined()
  expect(written.map(({ type }) => type)).toEqual([
    ...['message', 'message', 'function_call', 'custom_tool_call'],
    ...['function_call_output', 'custom_tool_call_output'],
  ])
})

test('an output that comes late stands with its call, and one that names the item of its call finds it', () => {
  const f = (id: string) => ({
    type: 'function_call',
    id: `fc_${id}`,
    call_id: id,
    name: 'f',
    arguments: '{}',
  })
  const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'ok' })
  const shell = { type: 'local_shell_call', id: 'lsh_1', call_id: 'd', action: {} }
  const input = [f('a'), f('b'), output('a'), f('c'), output('b'), output('c'), shell]
  const messages = toMessages(
    [...input, { type: 'local_shell_call_output', id: 'lsh_1', output: 'ok' }],
    STATELESS,
  )
  expect(messages.map((message) => (message.role === 'tool' ? message.tool_call_id : message.role))).toEqual([
    ...['assistant', 'a', 'b', 'assistant', 'c', 'assistant', 'd'],
  ])
})

test('a note on the system prompt goes to the instructions, or behind the developer’s items', () => {
  const [alone] = toMessages([], { instructions: 'Be brief.', ...STATELESS })
  expect(writePrompt({ ...alone, role: 'system', content: 'Be brief. [note]' })).toEqual({
    instructions: 'Be brief. [note]',
    items: [],
  })
  const rules = { role: 'developer', content: [{ type: 'input_text', text: 'rules' }] }
  const [system] = toMessages([rules], { instructions: 'Be brief.', ...STATELESS })
  const note = { type: 'text', text: '[note]' } as const
  const content = [...((system?.content ?? []) as []), note]
  expect(writePrompt({ ...system, role: 'system', content })).toEqual({
    instructions: 'Be brief.',
    items: [rules, { type: 'message', role: 'developer', content: [{ type: 'input_text', text: '[note]' }] }],
  })
})

test('what sets up tools stands before the system prompt, and belongs to it', () => {
  const tools = { type: 'additional_tools', role: 'developer', tools: [{ type: 'custom', name: 'exec' }] }
  const rules = { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'rules' }] }
  const messages = toMessages([tools, rules, { role: 'user', content: 'hello' }], STATELESS)
  expect(messages.map(({ role, content }) => [role, content])).toEqual([
    ['system', 'rules'],
    ['user', 'hello'],
  ])
  expect(writePrompt(messages[0])).toEqual({ instructions: undefined, items: [tools, rules] })
})

test('what stands for a conversation in encrypted form is sent even when it is summarised with the rest', async () => {
  const compaction = { type: 'compaction', encrypted_content: 'gAAAA' }
  const input = [{ role: 'user', content: 'a' }, compaction, { role: 'user', content: 'b' }]
  const request = format.readRequest({ model: 'm', store: false, input }, new Headers())
  expect(request.write(request.messages, [], SHOWN)).toMatchObject({ input })
  const last = request.messages.slice(-1)
  expect(request.write(last, [], SHOWN)).toMatchObject({
    input: [compaction, { role: 'user', content: 'b' }],
  })
})

test('the engine’s tools are offered where the upstream keeps no answer', async () => {
  const mayOffer = async (fields: object) => {
    const body = { model: 'm', input: 'hi', ...fields }
    return format.readRequest(body, new Headers()).mayOffer
  }
  expect(await mayOffer({ store: false })).toBe(true)
  for (const fields of [{}, { store: true }, { store: false, tool_choice: 'none' }])
    expect(await mayOffer(fields)).toBe(false)
})

/** Why OpenAI would refuse items: pairs of calls and outputs, and reasoning that leads to nothing. */
function faultOf(items: readonly Item[]): string | undefined {
  const open = new Set<unknown>()
  for (const [index, { type, call_id: id, role }] of items.entries()) {
    if (type === 'reasoning') {
      const next = items[index + 1]
      const isLed = next?.role === 'assistant' || /_call$|^reasoning$/.test(String(next?.type))
      if (!isLed) return `reasoning ${index} leads to nothing`
    }
    if (String(type).endsWith('_call') && id !== undefined) open.add(id)
    if (String(type).endsWith('_output') && !open.delete(id)) return `output ${id} without a call`
    if (role === 'user' && open.size > 0) return `calls ${[...open]} without outputs`
  }
  return open.size === 0 ? undefined : `calls ${[...open]} without outputs`
}
