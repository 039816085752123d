import { type CompletionModel, checkSequence } from '@palimpsest/core'
import { expect, test } from 'vitest'
import { agentBench, calls, say, scripted, speakAndHang, told, words } from './agent-bench.ts'

test('stopped while the model speaks, what it said stays, and the next turn goes on', async () => {
  const bench = await agentBench()
  const model = scripted(speakAndHang('It begins'), words('Next.'))
  const agent = await bench.open(model)
  const stop = new AbortController()
  const { end } = await say(agent, 'Tell me.', { stop, on: () => stop.abort() })
  expect(end).toEqual({ reason: 'stopped', text: 'It begins' })
  expect(told(agent)).toEqual(['user: Tell me.', 'assistant: It begins'])
  expect(agent.status().costs).toMatchObject({ requests: 1, unreported: 1 })
  await say(agent, 'Go on.')
  expect(told(agent).slice(1)).toEqual(['assistant: It begins', 'user: Go on.', 'assistant: Next.'])
})

test('a stopped answer is said anew by a retry', async () => {
  const bench = await agentBench()
  const agent = await bench.open(scripted(speakAndHang('Half'), words('Whole.')))
  const stop = new AbortController()
  await say(agent, 'Well?', { stop, on: () => stop.abort() })
  await agent.retry({ signal: new AbortController().signal, on: () => {} })
  expect(told(agent)).toEqual(['user: Well?', 'assistant: Whole.'])
})

test('stopped in a command, it ends, and no call is left without a result', async () => {
  const bench = await agentBench()
  const model = scripted(
    calls(['run_command', { command: 'echo begun; sleep 60' }], ['list_files', {}]),
    words('Fine.'),
  )
  const agent = await bench.open(model)
  const stop = new AbortController()
  const { end, events } = await say(agent, 'Run it.', {
    stop,
    on: (event) => {
      if (event.type === 'tool-start') setTimeout(() => stop.abort(), 100)
    },
  })
  expect(end.reason).toBe('stopped')
  expect(events.filter(({ type }) => type === 'tool-end')).toHaveLength(1)
  expect(told(agent).slice(2)).toEqual([
    'tool: begun\n(stopped by the user)',
    'tool: [no result was recorded for this call]',
  ])
  expect(checkSequence(agent.history)).toEqual([])
  expect((await say(agent, 'And?')).end.text).toBe('Fine.')
})

test('stopped in a compaction, the question stays and the conversation is whole', async () => {
  // A compaction beside the conversation stops no turn.
  const bench = await agentBench({ 'config.yaml': 'compression: { compact_at: threshold }\n' })
  const stop = new AbortController()
  const summarizer: CompletionModel = {
    name: 'double:hangs',
    complete() {
      stop.abort()
      return new Promise(() => {})
    },
  }
  const long = Array.from({ length: 8 }, (_, index) => words(`${index} ${'word '.repeat(900)}`))
  const agent = await bench.open(scripted(...long, words('Done.')), {
    flags: { engine: 'compressor', threshold: 0.5 },
    window: 12_000,
    summaries: { model: summarizer, line: '', notices: [] },
  })
  let turns = 0
  while (!stop.signal.aborted && turns < 8) await say(agent, `Question ${turns++}`, { stop })
  expect(stop.signal.aborted).toBe(true)
  expect(told(agent).at(-1)).toBe(`user: Question ${turns - 1}`)
  expect(checkSequence(agent.history)).toEqual([])
})
