import { checkSequence, type Message } from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readTranscript, type Transcript, TranscriptError } from '../src/index.ts'
import { toLines, withFile } from './support/recording.ts'

const runs = 150

// Few ids, so that orphans, repetitions and collisions are common.
const id = fc.constantFrom('1', '2', '3', '')
const text = fc.constantFrom('', ' ', 'hello', 'Grüße', '\ud800', '__proto__')
const junk = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom('{"type":', 'plain text', '[', '{"__proto__":{"role":"user"}}', ''),
  // No value of JavaScript: it becomes neither a string nor a number.
  fc.constant({ toString: 1 }),
)
const odd = <T>(usual: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 8, arbitrary: usual }, { weight: 1, arbitrary: junk })
const args = fc.oneof(fc.constantFrom('{}', '{"a":', '', '{"a":1}'), fc.dictionary(text, fc.integer()))
const usage = fc.record({
  input: fc.nat(9),
  output: fc.nat(9),
  input_tokens: fc.nat(9),
  output_tokens: fc.nat(9),
})

const piContent = fc.array(
  odd(
    fc.oneof(
      fc.record({ type: fc.constant('text'), text }),
      fc.record({ type: fc.constant('thinking'), thinking: text }),
      fc.record({ type: fc.constant('toolCall'), id, name: fc.constantFrom('read', ''), arguments: args }),
      fc.record({ type: fc.constant('image'), data: text, mimeType: text }),
    ),
  ),
  { maxLength: 3 },
)
const piMessage = fc.oneof(
  fc.record({ role: fc.constant('user'), content: odd(fc.oneof(text, piContent)) }),
  fc.record({
    role: fc.constant('assistant'),
    content: odd(piContent),
    usage,
    stopReason: fc.constantFrom('stop', 'toolUse', 'aborted', 'error'),
  }),
  fc.record({
    role: fc.constant('toolResult'),
    toolCallId: odd(id),
    content: piContent,
    isError: fc.boolean(),
  }),
  fc.record({
    role: fc.constantFrom('bashExecution', 'custom', 'compactionSummary', 'wizard'),
    content: text,
    command: odd(text),
  }),
)
const piLine = fc.oneof(
  fc.record({ type: fc.constant('message'), message: piMessage }),
  fc.record({ type: fc.constant('message'), id, parentId: fc.option(id), message: piMessage }),
  fc.record({
    type: fc.constantFrom('compaction', 'branch_summary', 'label'),
    id,
    parentId: id,
    summary: text,
  }),
)

const claudeContent = fc.array(
  odd(
    fc.oneof(
      fc.record({ type: fc.constant('text'), text }),
      fc.record({ type: fc.constant('thinking'), thinking: text }),
      fc.record({ type: fc.constant('tool_use'), id, name: fc.constant('Read'), input: args }),
      fc.record({ type: fc.constant('tool_result'), tool_use_id: id, content: text, is_error: fc.boolean() }),
    ),
  ),
  { maxLength: 3 },
)
const uuid = fc.integer({ min: 0, max: 40 }).map(String)
const claudeMessage = (type: 'user' | 'assistant') =>
  fc.record(
    {
      type: fc.constant(type),
      uuid,
      parentUuid: fc.option(uuid),
      requestId: fc.constantFrom('r1', 'r2'),
      isSidechain: fc.constantFrom(false, false, false, true),
      isMeta: fc.constantFrom(false, false, true),
      isCompactSummary: fc.constantFrom(false, false, false, true),
      message: fc.record({ role: fc.constant(type), id, content: odd(fc.oneof(text, claudeContent)), usage }),
    },
    { requiredKeys: ['type', 'message'] },
  )
const claudeLine = fc.oneof(
  claudeMessage('user'),
  claudeMessage('assistant'),
  fc.record({ type: fc.constantFrom('system', 'progress'), uuid, subtype: fc.constant('compact_boundary') }),
  fc.record({
    type: fc.constant('queue-operation'),
    sessionId: fc.constant('s'),
    operation: fc.constantFrom('enqueue', 'dequeue', 'remove', 'popAll'),
    content: text,
  }),
)

const codexItem = fc.oneof(
  fc.record({
    type: fc.constant('message'),
    role: fc.constantFrom('user', 'assistant', 'developer', 'wizard'),
    content: fc.array(odd(fc.record({ type: fc.constantFrom('input_text', 'output_text'), text })), {
      maxLength: 2,
    }),
  }),
  fc.record({
    type: fc.constantFrom('function_call', 'custom_tool_call'),
    call_id: id,
    name: text,
    arguments: args,
    input: text,
  }),
  fc.record({
    type: fc.constantFrom('function_call_output', 'custom_tool_call_output'),
    call_id: odd(id),
    output: odd(text),
  }),
  fc.record({ type: fc.constantFrom('reasoning', 'local_shell_call', 'web_search_call'), id }),
)
const codexLine = fc.oneof(
  fc.record({ type: fc.constant('response_item'), payload: odd(codexItem) }),
  fc.record({ type: fc.constant('compacted'), payload: fc.record({ message: text }) }),
  fc.record({
    type: fc.constant('event_msg'),
    payload: fc.oneof(
      fc.record({ type: fc.constant('token_count'), info: fc.record({ last_token_usage: usage }) }),
      fc.record({ type: fc.constantFrom('turn_aborted', 'thread_rolled_back'), num_turns: fc.nat(2) }),
    ),
  }),
)

const openaiMessage = fc.oneof(
  fc.record({ role: fc.constantFrom('user', 'system', 'developer', 'wizard'), content: odd(text), id }),
  fc.record(
    {
      role: fc.constant('assistant'),
      content: odd(text),
      tool_calls: odd(
        fc.array(
          odd(
            fc.record({
              id,
              type: fc.constant('function'),
              function: fc.record({ name: fc.constant('f'), arguments: args }),
            }),
          ),
          { maxLength: 3 },
        ),
      ),
      function_call: fc.record({ name: text, arguments: args }),
    },
    { requiredKeys: ['role'] },
  ),
  fc.record({
    role: fc.constantFrom('tool', 'function'),
    tool_call_id: odd(id),
    name: odd(text),
    content: odd(text),
  }),
)
const openaiLine = fc.oneof(
  { weight: 8, arbitrary: openaiMessage },
  { weight: 1, arbitrary: fc.record({ messages: fc.array(openaiMessage, { maxLength: 5 }) }) },
)

const opencodePart = fc.oneof(
  fc.record({ type: fc.constantFrom('text', 'reasoning', 'step-start', 'compaction'), text: odd(text) }),
  fc.record({ type: fc.constant('file'), mime: odd(fc.constant('image/png')), url: odd(text) }),
  fc.record({
    type: fc.constant('tool'),
    callID: odd(id),
    tool: odd(fc.constantFrom('f', '')),
    state: fc.record({
      status: fc.constantFrom('completed', 'error', 'running'),
      input: odd(fc.dictionary(text, fc.integer())),
      output: odd(text),
      error: odd(text),
    }),
  }),
  fc.record({
    type: fc.constant('step-finish'),
    tokens: fc.record({ input: odd(fc.nat(9)), output: odd(fc.nat(9)), reasoning: odd(fc.nat(9)) }),
  }),
)
const opencodeLine = fc.record({
  info: odd(fc.record({ role: fc.constantFrom('user', 'assistant', 'wizard'), id })),
  parts: odd(fc.array(odd(opencodePart), { maxLength: 4 })),
})

const geminiPart = fc.oneof(
  fc.record({ text: odd(text), thought: fc.constantFrom(true, false, undefined) }),
  fc.record({
    functionCall: odd(fc.record({ id, name: odd(text), args: odd(fc.dictionary(text, fc.integer())) })),
  }),
  fc.record({ functionResponse: odd(fc.record({ id: odd(id), response: odd(fc.dictionary(text, text)) })) }),
)
const geminiContent = odd(fc.oneof(text, fc.array(odd(geminiPart), { maxLength: 3 })))
const geminiLine = fc.oneof(
  fc.record({
    id,
    type: fc.constantFrom('user', 'gemini', 'gemini', 'info'),
    content: geminiContent,
    toolCalls: odd(
      fc.array(odd(fc.record({ id: odd(id), name: odd(text), args, result: geminiContent })), {
        maxLength: 2,
      }),
    ),
    tokens: odd(usage),
  }),
  fc.record({ $rewindTo: id }),
  fc.record({
    $set: odd(
      fc.record({ messages: odd(fc.array(fc.record({ type: fc.constant('user'), content: text }))) }),
    ),
  }),
)
const qwenLine = fc.record({
  uuid,
  parentUuid: fc.option(uuid),
  sessionId: fc.constant('s'),
  type: fc.constantFrom('user', 'assistant', 'tool_result', 'system'),
  subtype: fc.constantFrom('chat_compression', 'ui_telemetry'),
  message: odd(
    fc.record({ role: fc.constant('user'), parts: odd(fc.array(odd(geminiPart), { maxLength: 3 })) }),
  ),
  usageMetadata: odd(usage),
})
const copilotLine = fc.record({
  type: fc.constantFrom(
    'user.message',
    'assistant.message',
    'tool.execution_complete',
    'session.compaction_complete',
    'x',
  ),
  id,
  data: odd(
    fc.record({
      content: odd(text),
      messageId: odd(id),
      toolCallId: odd(id),
      result: odd(fc.record({ content: odd(text) })),
      toolRequests: odd(
        fc.array(odd(fc.record({ toolCallId: odd(id), name: odd(text), arguments: args })), { maxLength: 3 }),
      ),
    }),
  ),
})
const gooseLine = fc.record({
  role: odd(fc.constantFrom('user', 'assistant')),
  created: odd(fc.nat(9)),
  metadata: odd(fc.record({ userVisible: fc.boolean() })),
  content: odd(
    fc.array(
      odd(
        fc.oneof(
          fc.record({ type: fc.constant('text'), text: odd(text) }),
          fc.record({
            type: fc.constant('toolRequest'),
            id: odd(id),
            toolCall: odd(fc.record({ value: odd(fc.record({ name: odd(text), arguments: args })) })),
          }),
          fc.record({
            type: fc.constant('toolResponse'),
            id: odd(id),
            toolResult: odd(fc.record({ value: odd(fc.array(odd(fc.record({ text })))) })),
          }),
        ),
      ),
      { maxLength: 3 },
    ),
  ),
})

async function read(content: string): Promise<Transcript | undefined> {
  try {
    return await withFile(content, (path) => readTranscript(path))
  } catch (error) {
    if (TranscriptError.isInstance(error)) return undefined
    throw error
  }
}

function messagesOf({ entries }: Transcript): Message[] {
  return entries.map(({ message }) => message)
}

describe.each([
  ['pi', piLine, { type: 'message', message: { role: 'user', content: 'first' } }],
  ['claude-code', claudeLine, { type: 'user', message: { role: 'user', content: 'first' } }],
  [
    'codex',
    codexLine,
    { type: 'response_item', payload: { type: 'message', role: 'user', content: 'first' } },
  ],
  ['openai', openaiLine, { role: 'user', content: 'first' }],
  ['opencode', opencodeLine, { info: { role: 'user' }, parts: [{ type: 'text', text: 'first' }] }],
  [
    'gemini-cli',
    geminiLine,
    { sessionId: 's', startTime: 't', messages: [{ id: 'a', type: 'user', content: 'first' }] },
  ],
  [
    'qwen-code',
    qwenLine,
    { uuid: 'a', parentUuid: null, sessionId: 's', type: 'user', message: { parts: [{ text: 'first' }] } },
  ],
  ['copilot', copilotLine, { type: 'user.message', id: 'a', data: { content: 'first' } }],
  ['goose', gooseLine, { role: 'user', created: 1, content: [{ type: 'text', text: 'first' }] }],
] as const)('whatever is in a %s file', (format, line, first) => {
  const records = fc.array(odd<unknown>(line), { maxLength: 25 })

  it('the messages are a valid sequence, or one typed error says why there are none', async () => {
    let valid = 0
    await fc.assert(
      fc.asyncProperty(records, async (records) => {
        const transcript = await read(toLines([first, ...records]))
        if (transcript === undefined) return
        valid++
        const messages = messagesOf(transcript)
        const ids = messages.flatMap(({ id }) => id ?? [])
        expect(transcript.format).toBe(format)
        expect(checkSequence(messages)).toEqual([])
        expect(new Set(ids).size).toBe(ids.length)
        const calls = messages.flatMap((message) =>
          message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [],
        )
        expect(new Set(calls).size).toBe(calls.length)
        for (const { beforeEntry } of transcript.nativeCompactions) {
          expect(beforeEntry).toBeLessThanOrEqual(messages.length)
          expect(messages[beforeEntry]?.role).not.toBe('tool')
        }
      }),
      { numRuns: runs },
    )
    // Plain messages have to fit together, which random ones seldom do.
    expect(valid).toBeGreaterThan(format === 'openai' ? runs / 8 : runs / 2)
  })

  it('the messages read the same when they are written one a line and read again', async () => {
    await fc.assert(
      fc.asyncProperty(records, async (records) => {
        const transcript = await read(toLines([first, ...records]))
        if (transcript === undefined) return
        const again = await read(toLines(messagesOf(transcript)))
        expect(again && messagesOf(again)).toEqual(messagesOf(transcript))
      }),
      { numRuns: runs },
    )
  })
})

it('any text is read or refused with a typed error', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(junk, fc.string())), async (records) => {
      await read(toLines(records))
    }),
    { numRuns: runs },
  )
})
