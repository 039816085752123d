import type { SessionView, ViewMessage } from '../../src/view/session-view.ts'
import { largeView } from './large-view.ts'

const markdown =
  '# Plan\n\n- [x] one\n- [ ] two `code` [link](https://example.com)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> said\n\n```\nrun\n```'

/** Two views of one conversation that show every kind of thing that the page has, and one in which there is nothing. */
export function accessViews(): readonly SessionView[] {
  const base = largeView(120)
  const messages = base.messages.map((message, index): ViewMessage => {
    if (index === 1) return { ...message, text: markdown }
    if (message.calls === undefined) return index === 4 ? { ...message, isError: true } : message
    const edit = { file_path: 'src/a.ts', old_string: 'one\ntwo\n', new_string: 'one\nthree\n' }
    const calls = message.calls.map((call) => ({ ...call, arguments: JSON.stringify(edit) }))
    return { ...message, calls, reasoning: 'It has to be three.', attachments: ['image'] }
  })
  const compaction = { trigger: 'threshold', outcome: 'compacted' as const, reason: 'full' }
  const cache = { read: 900, written: 90, uncached: 10, usd: 0.01 }
  const full: SessionView = {
    ...base,
    id: 'full',
    title: 'a-session-with-a-rather-long-name-of-its-own.jsonl',
    engine: 'decisions over lcm',
    model: 'openai:gpt-6.2-sol',
    messages,
    requests: base.requests.map((request) => ({ ...request, cache })),
    compactions: [{ request: 5, ...compaction, tokensBefore: 20_000, tokensAfter: 5_000, kept: '40 last' }],
    warnings: [{ request: 3, code: 'late', message: 'The store answered late.' }],
    bill: {
      ...{ model: 'gpt-6.2-sol', asOf: '2026-10-16', with: 3, cacheReadShare: 0.9 },
      ...{ without: 5, reported: { prompts: 3, answers: 1 } },
      tools: 0,
      summaries: { requests: 1, usd: 0.5, isPaid: false },
    },
  }
  const answer = { text: 'The port is `8471`.', mark: 1 as const }
  const unknown = { text: 'not in the text', mark: 0 as const }
  const question = { question: 'Which port?', expected: '8471', seq: 1, without: unknown, with: answer }
  const answers: SessionView['answers'] = {
    ...{ recorded: '2026-11-29', by: 'a model' },
    ...{ without: { tokens: 40_000, right: 1.5 }, with: { tokens: 20_000, right: 5 } },
    questions: [1, 2, 3, 4, 5].map((seq) => ({ ...question, question: `${seq}: which port?`, seq })),
  }
  const none = {
    messages: [],
    requests: [],
    compactions: [],
    summaryNodes: [],
    decisions: null,
    warnings: [],
  }
  return [
    { ...full, answers },
    {
      ...full,
      id: 'other',
      engine: 'compressor',
      messages: messages.map(({ at: _, ...message }) => message),
    },
    { ...full, ...none, id: 'empty', bill: null },
  ]
}
