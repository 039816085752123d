import type { Message } from '@palimpsest/core'
import type { ChatCompletionMessageParam } from 'openai/resources'
import { expect, test } from 'vitest'
import { answerFromPrompt, filler, NOTE, READ_FILE } from './forgetful-model.ts'
import { startMockUpstream } from './mock-upstream.ts'
import { startTestGateway } from './test-gateway.ts'

const TURNS = 120
const WINDOW = 32_000
test('a client’s conversation of 120 turns stays inside a window of 32K, and what turn 3 said is found', async () => {
  const upstream = await startMockUpstream({ window: WINDOW, answer: answerFromPrompt, piece: 200 })
  const { client, inspector, log } = await startTestGateway({ baseUrl: upstream.baseUrl, window: WINDOW })
  const openai = client()
  const messages: ChatCompletionMessageParam[] = [
    { role: 'system', content: 'You are a careful engineer. Answer briefly.' },
  ]

  const ask = async (content: string): Promise<string> => {
    messages.push({ role: 'user', content })
    for (;;) {
      const request = { model: 'mock-large', messages, tools: [READ_FILE], max_tokens: 1_000 }
      const completion = await (messages.length % 2 === 0
        ? openai.chat.completions.stream(request).finalChatCompletion()
        : openai.chat.completions.create(request))
      const [choice] = completion.choices
      if (choice === undefined) throw new Error('there is no answer')
      messages.push(choice.message)
      const { tool_calls: calls = [] } = choice.message
      if (calls.length === 0) return choice.message.content ?? ''
      for (const { id } of calls)
        messages.push({ role: 'tool', tool_call_id: id, content: filler(`${id}${content}`, 300) })
    }
  }

  for (let turn = 1; turn <= TURNS; turn++) {
    const fact = turn === 3 ? NOTE : ''
    const kind = turn % 8 === 0 ? 'Read the module of' : 'Look at'
    const words = `${filler(`turn ${turn}`, 90)} ${turn === 3 ? 'beside a copper lantern ' : ''}${filler(`${turn}`, 90)}`
    await ask(`${kind} task ${turn}.${fact} ${words}`)
  }
  expect(await ask('Which archive bucket did I name?')).toContain('lumen-vault-73')
  const before = upstream.requests.length
  expect(await ask('Which lantern did I see?')).toBe('Let me look.\n\nIt is copper.')
  // The second fact was in no prompt any more: the model had to look it up, and the client saw nothing of that.
  expect(upstream.requests.length - before).toBe(2)

  const [view] = inspector.list()
  const sent = upstream.requests.map(({ promptTokens }) => promptTokens)
  const names = new Set(messages.flatMap((message) => callNames(message as Message)))
  const shown = await inspector.view(view?.id ?? '')
  expect(shown?.requests.at(-1)?.without).toBeGreaterThan(2 * WINDOW)
  expect(upstream.overflows).toBe(0)
  expect(Math.max(...sent)).toBeLessThan(WINDOW)
  expect([...names]).toEqual(['read_file'])
  expect(log).toEqual([])
  expect(view?.requests).toBe(upstream.requests.length)
  expect(inspector.list()).toHaveLength(1)
}, 300_000)

function callNames(message: Message): string[] {
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : []
  return calls.map((call) => (call.type === 'function' ? call.function.name : ''))
}
