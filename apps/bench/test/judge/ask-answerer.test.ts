import type { AssistantMessage, ChatCall, ToolSchema } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { askAnswerer } from '../../src/judge/ask-answerer.ts'
import { createModelMeter } from '../../src/judge/model-meter.ts'

const tools = ['lcm_grep', 'decisions_record'].map(
  (name): ToolSchema => ({ type: 'function', function: { name } }),
)

/** An answerer that says these one after the other, and what it was sent and which tools were run for it. */
async function ask(...messages: Omit<AssistantMessage, 'role'>[]) {
  const { signal } = new AbortController()
  const calls: ChatCall[] = []
  const run: string[] = []
  const chat = async (call: ChatCall) => {
    calls.push(call)
    return { message: { role: 'assistant', ...messages[calls.length - 1] }, finishReason: 'stop' } as const
  }
  const answer = await askAnswerer({
    model: { name: 'script', chat },
    meter: createModelMeter('script', signal, async () => {}),
    messages: [{ role: 'user', content: 'What is the quota?' }],
    tools,
    async callTool(name, args) {
      run.push(`${name} ${JSON.stringify(args)}`)
      return '{"hits":[]}'
    },
    signal,
  })
  return { answer, calls, run }
}

const call = (name: string, args = '{"query":"quota"}') => ({
  content: null,
  tool_calls: [{ id: 'c1', type: 'function' as const, function: { name, arguments: args } }],
})

describe('askAnswerer', () => {
  it('answers three rounds of calls, and then wants an answer', async () => {
    const grep = call('lcm_grep')
    const { answer, calls, run } = await ask(grep, grep, grep, { content: 'It is 300.' })
    expect(answer).toMatchObject({ text: 'It is 300.', toolCalls: 3, cutOff: false })
    expect(run).toEqual(Array(3).fill('lcm_grep {"query":"quota"}'))
    expect(calls.map((each) => each.tools?.length ?? 0)).toEqual([2, 2, 2, 0])
    expect(calls[3]?.messages).toHaveLength(1 + 3 * 2)
  })

  it('refuses what would change the prompts of later answers, and says so to the model', async () => {
    const { calls, run } = await ask(call('decisions_record'), { content: 'Noted.' })
    expect(run).toEqual([])
    expect(calls[1]?.messages.at(-1)).toMatchObject({ role: 'tool', tool_call_id: 'c1' })
    expect(calls[1]?.messages.at(-1)?.content).toContain('decisions_record is switched off')
  })

  it('answers arguments that are no object with an error', async () => {
    const { calls, run } = await ask(call('lcm_grep', '{"query":'), call('lcm_grep', '7'), {
      content: 'I see.',
    })
    expect(run).toEqual([])
    expect(calls[2]?.messages.at(-1)?.content).toContain('no JSON object')
  })

  it('asks again when the model says nothing', async () => {
    const { answer, calls } = await ask({ content: '' }, { content: '300' })
    expect(answer.text).toBe('300')
    expect(calls).toHaveLength(2)
  })
})
