import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkSequence, ModelError } from '@palimpsest/core'
import { expect, test } from 'vitest'
import { agentBench, calls, say, scripted, words } from './agent-bench.ts'

test('a turn reads, edits and answers, and the model sees each result before it goes on', async () => {
  const bench = await agentBench({ 'a.ts': 'const answer = 41\n' })
  const model = scripted(
    calls(['read_file', { path: 'a.ts' }], ['search_files', { pattern: 'answer' }]),
    calls(['edit_file', { path: 'a.ts', old_text: '41', new_text: '42' }]),
    ({ onText }) => {
      onText?.('It is 42')
      return words('It is 42 now.')
    },
  )
  const agent = await bench.open(model)
  const { end, events } = await say(agent, 'Mend the answer.')
  expect(end).toEqual({ reason: 'answered', text: 'It is 42 now.' })
  expect(await readFile(join(bench.workspace, 'a.ts'), 'utf8')).toBe('const answer = 42\n')
  expect(
    events
      .filter(({ type }) => type.startsWith('tool'))
      .map((event) => ('name' in event ? `${event.type} ${event.name}` : '')),
  ).toEqual([
    'tool-start read_file',
    'tool-end read_file',
    'tool-start search_files',
    'tool-end search_files',
    'tool-start edit_file',
    'tool-end edit_file',
  ])
  expect(events).toContainEqual({ type: 'text', text: 'It is 42' })
  const second = model.calls[1]?.messages ?? []
  expect(second.at(-2)).toMatchObject({ role: 'tool', tool_call_id: 'c0' })
  expect(second.at(-2)?.content).toContain('const answer = 41')
  expect(second.at(-1)?.content).toContain('a.ts:1: const answer = 41')
  expect(checkSequence(agent.history)).toEqual([])
})

test('the model gets the tools of host and engine, the workspace and its AGENTS.md, and no word of the window', async () => {
  const bench = await agentBench({ 'AGENTS.md': 'Tabs, not spaces.' })
  const model = scripted(words('Hello.'))
  const agent = await bench.open(model, {
    flags: { engine: 'decisions' },
    clock: { now: () => Date.UTC(2026, 10, 22) },
  })
  await say(agent, 'Hello?')
  const [call] = model.calls
  const names = call?.tools?.map((tool) => tool.function.name) ?? []
  expect(names.slice(0, 6)).toEqual([
    'read_file',
    'list_files',
    'search_files',
    'edit_file',
    'write_file',
    'run_command',
  ])
  expect(names).toContain('lcm_grep')
  const system = String(call?.messages[0]?.content)
  for (const part of [bench.workspace, '2026-11-22', 'Tabs, not spaces.']) expect(system).toContain(part)
  expect(system).not.toMatch(/window|context|tokens/i)
})

test('a model that fails keeps the question, and what tools did, for another try', async () => {
  const bench = await agentBench({ 'a.txt': 'x' })
  const fail = () => {
    throw new ModelError('overloaded', 'come back later')
  }
  const model = scripted(calls(['read_file', { path: 'a.txt' }]), fail, words('x.'))
  const agent = await bench.open(model)
  await expect(say(agent, 'What is in a.txt?')).rejects.toThrow('come back later')
  expect(agent.history.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  const retried = await agent.retry({ signal: new AbortController().signal, on: () => {} })
  expect(retried).toEqual({ reason: 'answered', text: 'x.' })
  expect(agent.history.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
  expect(agent.retry({ signal: new AbortController().signal, on: () => {} })).toBeUndefined()
})

test('a prompt that the provider finds too long is sent again, shorter, once', async () => {
  const bench = await agentBench()
  const long = Array.from({ length: 40 }, (_, index) => words(`Answer ${index}. ${'word '.repeat(200)}`))
  const overflow = () => {
    throw new ModelError('context-overflow', 'too long', { contextLength: 6_000 })
  }
  const model = scripted(...long, overflow, words('Short.'))
  const agent = await bench.open(model)
  for (let turn = 0; turn < 40; turn++) await say(agent, `Question ${turn}`)
  const { end, events } = await say(agent, 'And now?')
  expect(end.text).toBe('Short.')
  expect(events.some((event) => event.type === 'compaction' && event.trigger === 'overflow')).toBe(true)
  const [refused, sent] = model.calls.slice(-2).map(({ messages }) => JSON.stringify(messages).length)
  expect(sent).toBeLessThan((refused ?? 0) / 2)
})

test('a model that calls tools for ever is ended, and can be told to go on', async () => {
  const bench = await agentBench()
  const model = scripted(...Array.from({ length: 51 }, () => calls(['list_files', {}])))
  const agent = await bench.open(model)
  expect((await say(agent, 'Loop.')).end.reason).toBe('too-many-rounds')
  expect(model.calls).toHaveLength(50)
  expect(checkSequence(agent.history)).toEqual([])
})

test('a paste that no window takes is refused before anything is kept', async () => {
  const bench = await agentBench()
  const agent = await bench.open(scripted())
  await expect(say(agent, 'x'.repeat(10_000_000))).rejects.toThrow(/10,000,000 characters.*save it as a file/)
  await expect(say(agent, 'word '.repeat(80_000))).rejects.toThrow(
    /window of 64,000 tokens takes.*save it as a file/,
  )
  await expect(say(agent, ' \n')).rejects.toThrow('blank')
  expect(agent.history).toEqual([])
})
