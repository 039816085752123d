import type { AgentInputItem, ModelRequest } from '@openai/agents'
import { Usage } from '@openai/agents'
import compressor from '@palimpsest/compressor'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { contextEngine } from '../src/index.ts'

const text = fc.oneof(fc.string(), fc.constantFrom('', 'cents', '{"a": 1}'))
const parts = fc.array(
  fc.oneof(
    text.map((said) => ({ type: 'input_text', text: said })),
    fc.constant({ type: 'input_image', image: 'https://a.example/b.png', detail: 'low' }),
    fc.constant({ type: 'input_image', image: { id: 'file_1' } }),
    fc.constant({ type: 'input_file', file: 'data:text/plain;base64,YQ==', filename: 'a.txt' }),
    fc.constant({ type: 'audio', audio: 'YQ==', format: 'wav', providerData: { later: 1 } }),
  ),
  { minLength: 1, maxLength: 3 },
)
const user = fc.oneof(text, parts).map((content) => ({ type: 'message', role: 'user', content }))
const answer = text.map((said) => ({
  type: 'message',
  id: 'msg',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: said, providerData: { annotations: [] } }],
}))
const thought = fc.record({ type: fc.constant('reasoning'), id: fc.string(), content: fc.constant([]) })
const hosted = fc.constant({ type: 'hosted_tool_call', id: 'ws', name: 'web_search_call', output: undefined })

/** Calls of one answer, then their results. Ids are set later. */
const round = fc.array(
  fc.oneof(
    fc
      .tuple(fc.json(), fc.oneof(text, parts, fc.constant({ type: 'text', text: 'b' })))
      .map(([args, output]) => [
        { type: 'function_call', id: 'fc', name: 'read', arguments: args, status: 'completed' },
        { type: 'function_call_result', name: 'read', status: 'completed', output },
      ]),
    text.map((stdout) => [
      { type: 'shell_call', status: 'completed', action: { commands: ['ls'] } },
      { type: 'shell_call_output', output: [{ stdout, stderr: '', outcome: { type: 'timeout' } }] },
    ]),
    fc.constant([
      { type: 'computer_call', status: 'completed', action: { type: 'screenshot' } },
      { type: 'computer_call_result', output: { type: 'computer_screenshot', data: 'YQ==' } },
    ]),
    fc.constant([
      { type: 'apply_patch_call', status: 'completed', operation: { type: 'delete_file', path: 'a' } },
      { type: 'apply_patch_call_output', status: 'completed' },
    ]),
  ),
  { minLength: 1, maxLength: 3 },
)

const turn = fc
  .tuple(user, fc.array(fc.tuple(fc.option(thought), fc.option(hosted), round), { maxLength: 3 }), answer)
  .map(([question, rounds, last]) => [
    question,
    ...rounds.flatMap(([reasoning, search, pairs]) => [
      ...(reasoning ? [reasoning] : []),
      ...(search ? [search] : []),
      ...pairs.map(([call]) => call),
      ...pairs.map(([, result]) => result),
    ]),
    last,
  ])

/** Conversations in which each call has an id of its own. */
const conversations = fc.array(turn, { minLength: 1, maxLength: 4 }).map((turns) => {
  const open: string[] = []
  let count = 0
  return turns.flat().map((item): object => {
    const { type } = item as { readonly type: string }
    if (/_call_(?:result|output)$/.test(type)) return { ...item, callId: open.shift() }
    if (!/^(?:function|shell|computer|apply_patch)_call$/.test(type)) return { ...item }
    open.push(`call-${++count}`)
    return { ...item, callId: `call-${count}` }
  })
})

it('sends any conversation as it is, and knows it again when it comes out of a store', async () => {
  const numRuns = 100
  await fc.assert(
    fc.asyncProperty(conversations, async (items) => {
      const context = contextEngine({ engine: compressor, contextLength: 10_000_000 })
      const events: string[] = []
      context.session.subscribe(({ type }) => events.push(type))
      const inputs: ModelRequest['input'][] = []
      const model = context.wrap({
        async getResponse({ input }) {
          inputs.push(input)
          return { usage: new Usage(), output: [] }
        },
        getStreamedResponse: () => {
          throw new Error('nothing is streamed here')
        },
      })
      const ask = (input: readonly object[]) =>
        model.getResponse({
          input: input as AgentInputItem[],
          modelSettings: {},
          tools: [],
          outputType: 'text',
          handoffs: [],
          tracing: false,
        })
      const stored = [...JSON.parse(JSON.stringify(items)), { role: 'user', content: 'And?' }]
      await ask(items)
      await ask(stored)
      expect(inputs).toEqual([items, stored])
      expect(events).not.toContain('edited')
      expect(events).not.toContain('warning')
    }),
    { numRuns },
  )
  process.stdout.write(`items as they are: ${numRuns} conversations, 0 violations\n`)
})
