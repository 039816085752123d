import { type CompletionModel, checkSequence } from '@palimpsest/core'
import { expect, test } from 'vitest'
import { listChats } from '../../src/chat/chat-record.ts'
import { agentBench, calls, say, scripted, told, words } from './agent-bench.ts'

test('a chat is resumed with its history and engine, by its id or as the latest of its workspace', async () => {
  const bench = await agentBench()
  const first = await bench.open(scripted(words('Noted.')), { flags: { engine: 'lcm' } })
  await say(first, 'The door is green.')
  const { id } = first
  await first.close()
  expect(await bench.withChats(listChats)).toMatchObject([
    { id, workspace: bench.workspace, firstWords: 'The door is green.' },
  ])
  const model = scripted(calls(['lcm_grep', { query: 'green' }]), words('Green.'))
  const second = await bench.open(model, { flags: {}, resume: 'latest' })
  expect(second.id).toBe(id)
  expect(second.facts.engine).toBe('lcm')
  const { events } = await say(second, 'Which colour?')
  expect(model.calls[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'tool-end', ok: true, result: expect.stringContaining('green') }),
  )
  await second.close()
  expect(told(await bench.open(scripted(), { resume: id }))).toEqual(told(second))
})

test('a chat that is not there, and an id that is none, are said', async () => {
  const bench = await agentBench()
  await expect(bench.open(scripted(), { resume: 'nope' })).rejects.toThrow(
    /there is no session "nope".*--list/,
  )
  await expect(bench.open(scripted(), { resume: '../../etc/passwd' })).rejects.toThrow(/there is no session/)
  await expect(bench.open(scripted(), { resume: 'latest' })).rejects.toThrow(/no session to resume/)
})

test('a call that was cut off with the process has a result afterwards', async () => {
  const bench = await agentBench()
  const agent = await bench.open(scripted(words('Yes.')))
  await say(agent, 'Hello?')
  await agent.close()
  const { message } = calls(['run_command', { command: 'rm a' }])
  await bench.withChats(async ({ store, principal }) => {
    const session = await store.session({ principal, key: agent.id }, 0)
    const { nextSeq } = await session.head()
    const messages = [{ role: 'user' as const, content: 'Remove a.' }, message]
    await session.append({ nextSeq, at: 1, messages: messages.map((one) => ({ message: one, tokens: 9 })) })
  })
  const resumed = await bench.open(scripted(words('Gone.')), { resume: agent.id })
  expect(resumed.history.at(-1)).toMatchObject({
    role: 'tool',
    content: expect.stringContaining('no result was recorded'),
  })
  expect(checkSequence(resumed.history)).toEqual([])
  await say(resumed, 'And?')
  await resumed.close()
  expect((await bench.open(scripted(), { resume: agent.id })).history).toHaveLength(7)
})

test('a chat belongs to the process that has it open', async () => {
  const bench = await agentBench()
  const agent = await bench.open(scripted(words('Yes.')))
  await say(agent, 'Hello?')
  await expect(bench.open(scripted(), { resume: agent.id })).rejects.toThrow(/is open in another process/)
  await agent.close()
  expect((await bench.open(scripted(), { resume: agent.id })).history).toHaveLength(2)
})

/** A model that writes summaries, and keeps what it was asked. */
function summariser() {
  const prompts: string[] = []
  const model: CompletionModel = {
    name: 'double:summariser',
    async complete({ prompt }) {
      prompts.push(prompt)
      return {
        text: `## Goal\nThe parser is written step by step, version ${prompts.length}.`,
        finishReason: 'stop',
      }
    },
  }
  return { prompts, summaries: { model, line: '', notices: [] } }
}

const { signal } = new AbortController()
const answer = () => words(`Noted. ${'The parser reads tokens one by one. '.repeat(150)}`)

test('the last summary is resumed, and the next one is made of it', async () => {
  const bench = await agentBench()
  const { prompts, summaries } = summariser()
  const first = await bench.open(scripted(...Array.from({ length: 12 }, answer)), { summaries })
  for (let turn = 0; turn < 12; turn++) await say(first, `Question ${turn}?`)
  expect((await first.compress(undefined, signal)).outcome).toBe('compacted')
  const before = await first.context(signal)
  await first.close()
  for (const time of [1, 2]) {
    const model = scripted(...Array.from({ length: 6 }, answer))
    const resumed = await bench.open(model, { resume: first.id, summaries })
    if (time === 1) expect((await resumed.context(signal)).messages).toEqual(before.messages)
    for (let turn = 0; turn < 6; turn++) await say(resumed, `Question ${time}.${turn}?`)
    expect(prompts).toHaveLength(time)
    expect((await resumed.compress(undefined, signal)).outcome).toBe('compacted')
    expect(prompts).toHaveLength(time + 1)
    expect(prompts.at(-1)).toMatch(/<previous_summary>\s*## Goal\s*The parser is written/)
    expect(prompts.at(-1)).not.toContain('Question 0?')
    expect(resumed.status().compactions).toBe(1)
    await resumed.close()
  }
})

test('a summary of what was taken back is not resumed', async () => {
  const bench = await agentBench()
  const { prompts, summaries } = summariser()
  const first = await bench.open(scripted(...Array.from({ length: 12 }, answer)), { summaries })
  for (let turn = 0; turn < 12; turn++) await say(first, `Question ${turn}?`)
  await first.compress(undefined, signal)
  await first.close()
  const again = await bench.open(scripted(), { resume: first.id, summaries })
  await again.compress(undefined, signal)
  for (let turn = 0; turn < 11; turn++) await again.undo()
  await again.close()
  const last = await bench.open(scripted(words('Yes.')), { resume: first.id, summaries })
  const { events } = await say(last, 'Still there?')
  expect(events.filter(({ type }) => type === 'warning')).toEqual([])
  expect((await last.context(signal)).messages).toHaveLength(5)
  expect(prompts).toHaveLength(1)
})
