import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { listChats } from '../../../src/chat/records/list-chats.ts'
import { engineModule } from '../../plugin-folder.ts'
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

test('another engine goes on with the whole conversation; one that is not there leaves the old one', async () => {
  const bench = await agentBench()
  const model = scripted(words('One.'), words('Two.'), words('Three.'))
  const agent = await bench.open(model, { flags: { engine: 'decisions' } })
  await say(agent, 'First?')
  await expect(agent.useEngine('no-such-engine')).rejects.toThrow(/no-such-engine/)
  expect(agent.facts.engine).toBe('decisions')
  await agent.useEngine('compressor')
  await say(agent, 'Second?')
  expect(model.calls[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
  await agent.useEngine('decisions')
  await say(agent, 'Third?')
  expect(model.calls[2]?.messages.filter(({ role }) => role === 'user')).toHaveLength(3)
  await agent.useEngine('lcm')
  expect(agent.facts.engineLine).toBe('Engine lcm, chosen with /engine')
  await agent.close()
  expect((await bench.open(scripted(), { flags: {}, resume: agent.id })).facts).toMatchObject({
    engine: 'lcm',
    engineLine: 'Engine lcm, that of this session',
  })
})

test('reset forgets under the same id, begin goes on under a new one', async () => {
  const bench = await agentBench()
  const model = scripted(words('One.'), words('Two.'), words('Three.'))
  const agent = await bench.open(model)
  await say(agent, 'First?')
  const { id } = agent
  await agent.reset()
  expect([agent.id, agent.history]).toEqual([id, []])
  // There is nothing to go on with.
  expect(await listChats(bench.home)).toEqual([])
  await say(agent, 'Second?')
  await agent.begin()
  expect(agent.id).not.toBe(id)
  await say(agent, 'Third?')
  expect(model.calls.map(({ messages }) => messages.filter(({ role }) => role === 'user').length)).toEqual([
    1, 1, 1,
  ])
  const listed = await listChats(bench.home)
  expect(listed.map(({ firstWords }) => firstWords).sort()).toEqual(['Second?', 'Third?'])
  await agent.useEngine('lcm')
  await agent.begin()
  expect(agent.facts.engineLine).toBe('Engine lcm, chosen with /engine')
  expect(agent.costs().requests).toBe(3)
})

test('the engine hears of each: reset forgets and starts anew, begin ends it and starts another one', async () => {
  const bench = await agentBench({ 'config.yaml': 'context:\n  engine: calm\n' })
  const log: string[] = []
  Reflect.set(globalThis, 'heard', log)
  onTestFinished(() => void Reflect.deleteProperty(globalThis, 'heard'))
  const hook = (name: string, say: string) =>
    [`${name}: nothing`, `${name}: async (given) => { heard.push(${say}) }`] as const
  const module = [
    hook('onSessionStart', "['start', given.sessionId, given.platform, given.model].join(' ')"),
    hook('onSessionReset', "'reset'"),
    hook('onSessionEnd', "['end', given.map(({ role }) => role)].join(' ')"),
    hook('dispose', "'dispose'"),
  ].reduce((text, [from, to]) => text.replace(from, to), engineModule('calm'))
  const folder = join(bench.workspace, 'plugins/context_engine/calm')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'plugin.yaml'), 'name: calm\n')
  await writeFile(join(folder, 'index.js'), module)
  const agent = await bench.open(scripted(words('One.'), words('Two.'), words('Three.')), { flags: {} })
  // An engine is tried once before anything is said.
  log.length = 0
  await say(agent, 'First?')
  const first = agent.id
  await agent.reset()
  await say(agent, 'Second?')
  await agent.begin()
  await say(agent, 'Third?')
  const start = (id: string) => `start ${id} cli double:scripted`
  const ended = ['end system,user,assistant', 'dispose']
  // Another engine is tried, too.
  expect(log.filter((line, at) => line !== 'dispose' || log[at - 1]?.startsWith('end'))).toEqual([
    start(first),
    'reset',
    start(first),
    ...ended,
    start(agent.id),
  ])
  expect((await stat(join(bench.home, 'engines/calm'))).isDirectory()).toBe(true)
})

test('compress makes the next prompt shorter, right after a resumption too', async () => {
  const bench = await agentBench()
  const long = Array.from({ length: 30 }, (_, index) => words(`${index} ${'word '.repeat(700)}`))
  const first = await bench.open(scripted(...long))
  for (let turn = 0; turn < 30; turn++) await say(first, `Question ${turn}`)
  await first.close()
  const agent = await bench.open(scripted(words('Short.')), { resume: first.id })
  const before = await agent.context(signal)
  const result = await agent.compress('the questions', signal)
  expect(result.outcome).toBe('compacted')
  const after = await agent.context(signal)
  expect(after.tokens).toBeLessThan(before.tokens * 0.9)
  expect(after.messages.map(({ content }) => content)).not.toContain('Question 12')
  expect(agent.history).toHaveLength(60)
  expect(await agent.status()).toMatchObject({
    engine: 'compressor',
    turns: 30,
    messages: 60,
    compactions: 1,
    window: 64_000,
  })
})

test('a look at the context is what the next request has, and no part of the conversation', async () => {
  const bench = await agentBench()
  const model = scripted(words('One.'))
  const agent = await bench.open(model)
  await say(agent, 'First?')
  const { messages, tools, tokens } = await agent.context(signal)
  expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant'])
  expect(tools).toHaveLength(6)
  expect(tokens).toBeGreaterThan(500)
  expect(agent.history).toHaveLength(2)
  expect(model.calls).toHaveLength(1)
})
