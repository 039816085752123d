import { expect, test } from 'vitest'
import { listChats } from '../../src/chat/chat-record.ts'
import { agentBench, calls, say, scripted, told, words } from './agent-bench.ts'

const { signal } = new AbortController()

test('undo takes back the last question with all that followed, for the engine and the record too', async () => {
  const bench = await agentBench({ 'a.txt': 'x' })
  const model = scripted(
    words('One.'),
    calls(['read_file', { path: 'a.txt' }]),
    words('Zebra.'),
    words('Three.'),
  )
  const agent = await bench.open(model, { flags: { engine: 'lcm' } })
  await say(agent, 'First?')
  await say(agent, 'Second?')
  expect(await agent.undo()).toBe('Second?')
  expect(told(agent)).toEqual(['user: First?', 'assistant: One.'])
  await say(agent, 'Third?')
  expect(JSON.stringify(model.calls.at(-1)?.messages)).not.toMatch(/Second|Zebra/)
  await agent.close()
  const resumed = await bench.open(scripted(), { resume: agent.id })
  expect(told(resumed)).toEqual(['user: First?', 'assistant: One.', 'user: Third?', 'assistant: Three.'])
  expect([await resumed.undo(), await resumed.undo(), await resumed.undo()]).toEqual([
    'Third?',
    'First?',
    undefined,
  ])
})

test('begin goes on under a new id, and the session before can be resumed', async () => {
  const bench = await agentBench()
  const model = scripted(words('One.'), words('Two.'))
  const agent = await bench.open(model)
  await say(agent, 'First?')
  const { id } = agent
  await agent.begin()
  expect(agent.id).not.toBe(id)
  await say(agent, 'Second?')
  expect(model.calls[1]?.messages.filter(({ role }) => role === 'user')).toHaveLength(1)
  expect((await bench.withChats(listChats)).map(({ firstWords }) => firstWords).sort()).toEqual([
    'First?',
    'Second?',
  ])
  expect(agent.status().costs.requests).toBe(2)
})

test('compress makes the next prompt shorter, right after a resumption too', async () => {
  const bench = await agentBench()
  const long = Array.from({ length: 30 }, (_, index) => words(`${index} ${'word '.repeat(1_200)}`))
  const first = await bench.open(scripted(...long))
  for (let turn = 0; turn < 30; turn++) await say(first, `Question ${turn}`)
  await first.close()
  const agent = await bench.open(scripted(words('Short.')), { resume: first.id })
  const before = await agent.context(signal)
  const result = await agent.compress('the questions', signal)
  expect(result.outcome).toBe('compacted')
  const after = await agent.context(signal)
  expect(after.tokens).toBeLessThan(before.tokens * 0.9)
  expect(after.messages.map(({ content }) => content)).not.toContain('Question 2')
  expect(agent.history).toHaveLength(60)
  expect(agent.status()).toMatchObject({
    turns: 30,
    messages: 60,
    compactions: 1,
  })
})
