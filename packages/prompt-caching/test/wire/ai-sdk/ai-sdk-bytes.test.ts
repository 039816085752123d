import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenRouter } from '@openrouter/ai-sdk-provider'
import { generateText, type Instructions, jsonSchema, type ModelMessage, type ToolSet, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { aiSdkWire } from '../../../src/wire/ai-sdk/ai-sdk-wire.ts'
import { anchor, blocksOf, findAll, onMessage } from '../blocks.ts'
import { anthropicAnswer, chatAnswer, recordingFetch, type WireBody } from './provider-fetch.ts'

interface Call {
  messages: ModelMessage[]
  instructions?: Instructions
  tools?: ToolSet
}

const EPHEMERAL = { type: 'ephemeral' }
const HOUR = { type: 'ephemeral', ttl: '1h' }

const tools: ToolSet = {
  read: tool({
    description: 'Reads a file.',
    inputSchema: jsonSchema({ type: 'object' }),
    execute: () => 'content',
  }),
  bash: tool({
    description: 'Runs a command.',
    inputSchema: jsonSchema({ type: 'object' }),
    execute: () => 'output',
  }),
}
const parallel = (count: number): ModelMessage[] => [
  {
    role: 'assistant',
    content: Array.from({ length: count }, (_, at) => ({
      type: 'tool-call' as const,
      toolCallId: `c${at}`,
      toolName: 'read',
      input: { path: `${at}.ts` },
    })),
  },
  {
    role: 'tool',
    content: Array.from({ length: count }, (_, at) => ({
      type: 'tool-result' as const,
      toolCallId: `c${at}`,
      toolName: 'read',
      output: { type: 'text' as const, value: `content ${at}` },
    })),
  },
]

/** The body that goes to Anthropic. */
async function sentToAnthropic(call: Call): Promise<WireBody> {
  const { fetch, bodies } = recordingFetch(anthropicAnswer({ type: 'text', text: 'Done.' }))
  const model = createAnthropic({ apiKey: 'none', fetch })('claude-opus-5-5')
  const { warnings } = await generateText({ model, ...call })
  expect(warnings).toEqual([])
  return bodies[0] as WireBody
}

async function sentToOpenRouter(call: Call): Promise<WireBody> {
  const { fetch, bodies } = recordingFetch(chatAnswer)
  const model = createOpenRouter({ apiKey: 'none', fetch })('anthropic/claude-opus-5.5')
  // Addresses stay addresses: nothing is downloaded.
  await generateText({ model, ...call, experimental_download: async (all) => all.map(() => null) })
  return bodies[0] as WireBody
}

describe('through @ai-sdk/anthropic', () => {
  const wire = aiSdkWire<Call>()

  it('system prompt, message and tail are marked where the plan says, and never a tool', async () => {
    const call: Call = {
      instructions: 'Always the same.',
      tools,
      messages: [
        { role: 'user', content: 'Read two files.' },
        ...parallel(2),
        {
          role: 'user',
          content: [
            { type: 'text', text: 'And now?' },
            { type: 'text', text: 'Quickly.' },
          ],
        },
      ],
    }
    const marked = wire.apply(call, [
      anchor({ at: 'tool', index: 1 }, '1h'),
      anchor({ at: 'system', block: 0 }, '1h'),
      onMessage(0),
      onMessage(3, 1),
    ])
    const body = await sentToAnthropic(marked)
    expect(findAll(body.tools, 'cache_control')).toEqual([])
    expect(body.system).toEqual([{ type: 'text', text: 'Always the same.', cache_control: HOUR }])
    expect(body.messages[0]?.content).toEqual([
      { type: 'text', text: 'Read two files.', cache_control: EPHEMERAL },
    ])
    expect(body.messages[2]?.content.at(-1)).toEqual({
      type: 'text',
      text: 'Quickly.',
      cache_control: EPHEMERAL,
    })
    expect(findAll(body, 'cache_control')).toHaveLength(3)
  })

  it('thinking, blank text, what the model said and what the provider ran are never marked', async () => {
    const call: Call = {
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: ' ' },
            { type: 'text', text: 'Search.' },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'They met.', providerOptions: { anthropic: { type: 'compaction' } } },
            { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 'c2ln' } } },
            { type: 'text', text: '' },
            {
              type: 'tool-call',
              toolCallId: 's1',
              toolName: 'web_search',
              input: {},
              providerExecuted: true,
            },
            {
              type: 'tool-result',
              toolCallId: 's1',
              toolName: 'web_search',
              output: { type: 'json', value: [] },
            },
            { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: {} },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: { type: 'json', value: {} } },
          ],
        },
      ],
    }
    const blocks = blocksOf(wire, call)
    const read = blocks.map(({ kind, carries }) => `${kind}${carries ? ' carries' : ''}`)
    expect(read).toEqual([
      'other',
      'other carries',
      'other',
      'other',
      'other',
      'other',
      'tool-use',
      'tool-result carries',
    ])
    const body = await sentToAnthropic(
      wire.apply(
        call,
        blocks.map(({ ref }) => anchor(ref)),
      ),
    )
    const marked = findAll(body, 'content')
      .flat()
      .filter((part) => (part as { cache_control?: unknown }).cache_control)
    expect(marked.map((part) => (part as { type: string }).type)).toEqual(['text', 'tool_result'])
  })
})

describe('through @openrouter/ai-sdk-provider', () => {
  const wire = aiSdkWire<Call>()
  const call: Call = {
    instructions: 'You help.',
    tools,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Read' },
          { type: 'text', text: 'all.' },
        ],
      },
      ...parallel(5),
    ],
  }

  it('every block that carries is marked on the wire, and no other', async () => {
    const media: ModelMessage = {
      role: 'user',
      content: [
        { type: 'text', text: 'Look:' },
        { type: 'file', mediaType: 'image', data: new URL('https://example.com/b.png') },
        { type: 'file', mediaType: 'image/png', data: new URL('https://example.com/a.png') },
        { type: 'file', mediaType: 'application/pdf', data: 'JVBERi0=' },
        { type: 'file', mediaType: 'application/pdf', data: new URL('data:application/pdf;base64,JVBERi0=') },
      ],
    }
    const rich = { ...call, messages: [...call.messages, media] }
    for (const { ref, carries } of blocksOf(wire, rich)) {
      const body = await sentToOpenRouter(wire.apply(rich, [anchor(ref)]))
      expect(findAll(body, 'cache_control')).toHaveLength(carries ? 1 : 0)
    }
  })
})
