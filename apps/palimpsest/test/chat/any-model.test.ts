import { type ChatResponse, checkSequence, ModelError } from '@palimpsest/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChatEvent } from '../../src/chat/chat-agent.ts'
import { agentBench } from './agent-bench.ts'

const garbage = fc.oneof(
  fc.string(),
  fc.json(),
  fc.constantFrom('', '{', 'null', '[]', '{"path":"a.txt"}', '\ud800'),
)
const name = fc.oneof(
  fc.constantFrom('read_file', 'list_files', 'write_file', 'run_command', 'nope'),
  fc.string(),
)
const call = fc.oneof(
  fc.record({
    id: fc.oneof(fc.constantFrom('', 'same', 'other'), fc.constant(undefined), fc.integer()),
    type: fc.constantFrom('function', undefined),
    function: fc.record({
      name: fc.oneof(name, fc.constant(undefined)),
      arguments: fc.oneof(garbage, fc.object()),
    }),
  }),
  fc.record({ id: fc.string(), type: fc.constant('custom'), custom: fc.record({ name, input: garbage }) }),
  fc.constantFrom(null, 7, {}),
)
const message = fc.record({
  role: fc.constantFrom('assistant', 'user', 'tool', undefined),
  content: fc.oneof(
    garbage,
    fc.constantFrom(null, 7, [], [{ type: 'text', text: 'x' }], [null, { type: 'odd' }], {}),
  ),
  tool_calls: fc.oneof(fc.array(call, { maxLength: 4 }), fc.constantFrom(null, 'x', {})),
})

type Step =
  | { readonly do: 'answer'; readonly message: unknown; readonly finishReason: string }
  | { readonly do: 'fail' | 'stop' | 'hang' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      message,
      finishReason: fc.constantFrom('stop', 'length', 'content-filter'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('fail' as const, 'stop' as const, 'hang' as const) }),
  },
)

test('whatever a model does, the history is one that every provider takes, and the record says the same', async () => {
  const bench = await agentBench({ 'a.txt': 'x' })
  let steps: Step[] = []
  let stop = new AbortController()
  const agent = await bench.open(
    {
      name: 'double:mad',
      async chat({ onText }) {
        const next = steps.shift()
        if (next?.do === 'answer') return next as unknown as ChatResponse
        if (next === undefined)
          return { message: { role: 'assistant', content: 'Enough.' }, finishReason: 'stop' }
        if (next.do === 'fail') throw new ModelError('network', 'gone')
        onText?.('half a sentence')
        stop.abort()
        return next.do === 'hang' ? new Promise(() => {}) : Promise.reject(stop.signal.reason)
      },
    },
    { confirm: async () => 'no' },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (given) => {
      steps = [...given]
      stop = new AbortController()
      const open = new Set<string>()
      const on = (event: ChatEvent) => {
        if (event.type === 'tool-start') open.add(event.id)
        if (event.type === 'tool-end') open.delete(event.id)
      }
      await agent.say('Go on.', { signal: stop.signal, on }).catch((error: unknown) => {
        expect(error).toBeInstanceOf(ModelError)
      })
      expect(checkSequence(agent.history)).toEqual([])
      expect(open).toEqual(new Set())
    }),
    { numRuns: 60 },
  )
  const history = structuredClone(agent.history)
  await agent.close()
  expect((await bench.open(undefined, { resume: agent.id })).history).toEqual(history)
})
