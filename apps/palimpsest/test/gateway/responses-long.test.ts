import { type Loose, looseOf } from '@palimpsest/core'
import type OpenAI from 'openai'
import type { ResponseInputItem, ResponseOutputItem } from 'openai/resources/responses/responses'
import { expect, test } from 'vitest'
import { filler } from './forgetful-model.ts'
import { type ResponsesReply, startMockResponses } from './mock-responses.ts'
import type { ResponsesBody } from './responses-fault.ts'
import { startTestGateway } from './test-gateway.ts'

const STEPS = 40
const WINDOW = 16_000
const TOOLS: OpenAI.Responses.Tool[] = [
  { type: 'function', name: 'shell', strict: false, parameters: { type: 'object' } },
  { type: 'custom', name: 'apply_patch', description: 'Applies a patch.' },
]

/** Works in steps with reasoning: it calls tools until it was told of the last step, and the engine's now and then. */
function createModel() {
  let step = 0
  let isLookingUp = false
  return ({ tools = [] }: ResponsesBody): ResponsesReply => {
    const mayLookUp = tools.some(({ name }) => name === 'lcm_grep')
    if (mayLookUp && step % 9 === 4 && !isLookingUp) {
      isLookingUp = true
      return { thinks: true, calls: [{ name: 'lcm_grep', arguments: { query: 'task' } }] }
    }
    isLookingUp = false
    step++
    if (step > STEPS) return { thinks: true, text: 'All steps are done.' }
    const shell = { name: 'shell', arguments: { command: ['cat', `src/file-${step}.ts`] } }
    if (step % 5 === 0) return { thinks: true, text: `Step ${step}.`, calls: [shell, { ...shell }] }
    if (step % 7 === 0)
      return { thinks: true, calls: [{ name: 'apply_patch', input: filler(`patch ${step}`, 60) }] }
    return { thinks: true, calls: [shell] }
  }
}

/** An item as Codex sends it back: without what only answers have. */
function recorded(item: ResponseOutputItem): ResponseInputItem {
  const { id: _, status: __, parsed_arguments: ___, ...rest } = item as ResponseOutputItem & Loose
  if (item.type !== 'message') return rest as unknown as ResponseInputItem
  const content = item.content.map((part) => ({ type: part.type, text: looseOf(part).text }))
  return { type: 'message', role: 'assistant', content } as unknown as ResponseInputItem
}

function message(role: 'user' | 'developer', text: string): ResponseInputItem {
  return { type: 'message', role, content: [{ type: 'input_text', text }] }
}

test.each([
  ['decisions', recorded],
  ['compressor', recorded],
  ['lcm', recorded],
  ['lcm', (item: ResponseOutputItem) => item as ResponseInputItem],
])(
  'an agent with %s takes 40 steps with reasoning in a window of 16K',
  async (engine, send) => {
    const upstream = await startMockResponses({ window: WINDOW, answer: createModel() })
    const { client, log, inspector } = await startTestGateway({
      baseUrl: upstream.baseUrl,
      window: WINDOW,
      engine,
    })
    const openai = client()
    const input: ResponseInputItem[] = [
      { type: 'additional_tools', role: 'developer', tools: [] },
      message('developer', '<permissions instructions>Everything is allowed.</permissions instructions>'),
      message('user', '<environment_context><cwd>/work</cwd></environment_context>'),
      message('user', 'Do the task step by step.'),
    ]
    let text = ''
    let calls = 0
    let turns = 0
    while (turns < 2 * STEPS && text === '') {
      if (++turns === 20) input.push(message('developer', 'The approval policy has changed.'))
      const body = {
        model: 'gpt-5',
        instructions: 'You are a coding agent.',
        input,
        tools: TOOLS,
        store: false,
      }
      const include = ['reasoning.encrypted_content' as const]
      const stream = openai.responses.stream({ ...body, include }, { headers: { 'thread-id': 'thread-1' } })
      const { output, output_text: said } = await stream.finalResponse()
      input.push(...output.map(send))
      const before = calls
      for (const item of output) {
        if (item.type !== 'function_call' && item.type !== 'custom_tool_call') continue
        calls++
        const result = filler(`${item.call_id} ${turns}`, 350)
        if (item.type === 'function_call')
          input.push({ type: 'function_call_output', call_id: item.call_id, output: result })
        else input.push({ type: 'custom_tool_call_output', call_id: item.call_id, output: result })
      }
      if (calls === before) text = said
    }
    const sizes = upstream.requests.map(({ promptTokens }) => promptTokens)
    expect(text).toBe('All steps are done.')
    // The first request behind a compaction: this server binds reasoning to its beginning, and the gateway learns so.
    expect(upstream.refused.length).toBeLessThanOrEqual(1)
    expect(Math.max(...sizes)).toBeLessThan(WINDOW)
    expect(upstream.reasoningBack).toBeGreaterThan(STEPS)
    expect(log).toEqual([])
    expect(inspector.list()).toHaveLength(1)
  },
  120_000,
)
