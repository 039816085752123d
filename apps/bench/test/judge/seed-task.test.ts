import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { roughTokenCounter } from '@palimpsest/core'
import { afterAll, describe, expect, it } from 'vitest'
import { truncate } from '../../src/arms/bounds.ts'
import { type Dialogue, solveTask } from '../../src/dialogues/dialogue.ts'
import { generateDialogue } from '../../src/dialogues/generate-dialogue.ts'
import type { JudgedAnswer } from '../../src/judge/answer-dialogue.ts'
import { JUDGE_MEASURES } from '../../src/judge/judge-measures.ts'
import { createJudgeModels } from '../../src/judge/judge-models.ts'
import { checkSolutions, codeOf, seedTasks, type TaskResult } from '../../src/judge/question.ts'
import { runJudge } from '../../src/judge/run-judge.ts'
import { createRunCode } from '../../src/run-code/run-code.ts'
import { matchesIn } from './support/judges.ts'

const whole = generateDialogue({ seed: 3, turns: 30 })
const [topic] = whole.topics
if (topic === undefined) throw new Error('there is a topic')
/** A dialogue of which nothing is left but what is asked for at its end. */
const dialogue: Dialogue = {
  ...whole,
  topics: [topic],
  probes: [],
  raised: [topic.title, 'recipe ranking', 'firmware rollout', 'tenant onboarding'].map((title, message) => ({
    title,
    message,
  })),
  messages: whole.messages.slice(0, 1),
}
const [, ie] = seedTasks(dialogue, true)
const items = ie?.kind === 'IE' ? ie.gold : []
const stale = topic.task.numbers.map(({ value, wrong }) => Number(wrong?.value ?? value))
const fenced = (code: string) => `Here you are:\n\n\`\`\`js\n${code}\n\`\`\`\n`

const NOT_STATED = JSON.stringify({ verdicts: [{ fact: 1, verdict: 'not-stated' }] })
const NEVER_SAID = 'Nothing was said about that.'

/** The answers in three runs: right, right in part, vague. */
const SCRIPTS: readonly [question: RegExp, answers: readonly [string, string, string]][] = [
  [/^Remind me/, [NEVER_SAID, NEVER_SAID, NEVER_SAID]],
  [
    /^Before we finish/,
    [
      dialogue.raised.map(({ title }) => `- ${title}`).join('\n'),
      '- recipe ranking\n- the login page\n- firmware rollout\n- a new logo',
      'Several parts of the product, as discussed.',
    ],
  ],
  [
    /^List all that we settled/,
    [
      items.map((item) => `- ${item}`).join('\n'),
      // One that holds, the same once more, one with another value.
      `- ${items[0]}\n- ${items[0]}\n- ${items[1]?.replace(/: .*/, ': 77')}`,
      items.map((item) => `- ${item.replace(/: .*/, ': as we agreed')}`).join('\n'),
    ],
  ],
  [
    /^Write the function/,
    [
      fenced(`export ${solveTask(topic.task)}`),
      fenced(solveTask(topic.task, stale)),
      'It computes what we agreed on.',
    ],
  ],
]

interface Body {
  readonly contents: { readonly parts: { readonly text?: string }[] }[]
}

const asked = new Map<RegExp, number>()
let judge = matchesIn
/** Gemini on this machine: answers by its scripts, and judges as `judge` does. */
const server = createServer(async (request, response) => {
  const { contents }: Body = JSON.parse(await text(request))
  const prompt =
    contents
      .at(-1)
      ?.parts.map((part) => part.text)
      .join('') ?? ''
  const [question, answers] = SCRIPTS.find(([each]) => each.test(prompt)) ?? []
  const turn = question === undefined ? 0 : (asked.get(question) ?? 0)
  if (question !== undefined) asked.set(question, turn + 1)
  const content = answers?.[turn % 3] ?? (prompt.includes(NEVER_SAID) ? NOT_STATED : judge(prompt))
  response.setHeader('content-type', 'application/json').end(
    JSON.stringify({
      candidates: [
        { content: { role: 'model', parts: [{ text: content }] }, finishReason: 'STOP', index: 0 },
      ],
      usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 },
    }),
  )
}).listen(0, '127.0.0.1')
afterAll(() => server.close())

async function run(more: { readonly runsCode: boolean }) {
  const { port } = server.address() as AddressInfo
  const models = createJudgeModels(
    { GEMINI_API_KEY: 'test-key' },
    {
      fetch: (input, init) => {
        const { pathname, search } = new URL(String(input))
        return fetch(`http://127.0.0.1:${port}${pathname}${search}`, init)
      },
    },
  )
  if (models === undefined) throw new Error('there is a key')
  const report = await runJudge({
    ...models,
    ...(more.runsCode && {
      runCode: createRunCode(new URL('../../src/run-code/sandbox.ts', import.meta.url)),
    }),
    arms: [truncate],
    dialogues: [dialogue],
    budgets: [8_000],
    tokens: roughTokenCounter,
    progress: { step: () => {}, done: () => {}, end: () => {} },
  })
  expect(report.stopped).toBeNull()
  expect(report.answers).toHaveLength(report.planned)
  return report
}

describe('TA, IE and FC', () => {
  it('are F1 of matched lists, and the share of functions that pass', async () => {
    judge = matchesIn
    const { rows, answers } = await run({ runsCode: true })
    const [row] = rows
    // Four titles. All four; two of four lines; none of one line: 1, 2·2/(4+4), 0.
    expect(row?.ta?.mean).toBeCloseTo((1 + 0.5 + 0) / 3, 10)
    // n items. All; one of three lines, since a fact counts once; none of n lines: 1, 2·1/(3+n), 0.
    const n = items.length
    expect(n).toBeGreaterThan(6)
    expect(row?.ie?.mean).toBeCloseTo((1 + 2 / (3 + n) + 0) / 3, 10)
    // With the numbers that hold; with those that were corrected; without code.
    expect(row?.fc).toMatchObject({ mean: 1 / 3, n: 3 })
    const functions = answers.flatMap(({ task }) => (task?.kind === 'FC' ? [task] : []))
    expect(functions.filter(({ error }) => error === null)).toHaveLength(2)
  })

  it('leaves FC out unless code may be run, and asks for no function then', async () => {
    asked.clear()
    const { rows, answers, runsCode } = await run({ runsCode: false })
    expect(runsCode).toBe(false)
    expect(answers.map(({ task }) => task?.kind)).not.toContain('FC')
    expect(rows[0]).toMatchObject({ fc: null })
    expect([...asked.keys()].map(String)).not.toContain(String(/^Write the function/))
  })

  it('takes nothing from a judge that talks nonsense', async () => {
    judge = () => '{"lines": "all of them, they are wonderful"}'
    const { rows, answers } = await run({ runsCode: false })
    expect(rows[0]).toMatchObject({ ta: null, ie: null })
    const unread = answers.filter(({ task }) => task !== null)
    for (const { failure } of unread) expect(failure).toMatchObject({ of: 'judge', kind: 'unreadable' })
  })
})

/** An answer to a list of four topics, of whose `lines` so many are right. */
function listed(matched: number, lines: number): JudgedAnswer {
  const matches = Array.from({ length: lines }, (_, index) => (index < matched ? index : null))
  const task: TaskResult = { kind: 'TA', gold: ['a', 'b', 'c', 'd'], lines: matches.map(String), matches }
  const place = { arm: 'some', budget: 8_000, variant: 'prompt', seed: 1, message: 9, run: 1 } as const
  return { ...place, promptTokens: 1, text: '', toolCalls: 0, cutOff: false, failure: null, facts: [], task }
}

describe('checkSolutions', () => {
  it('passes what is right, and ends before a wrong sandbox costs anything', async () => {
    const sandbox = createRunCode(new URL('../../src/run-code/sandbox.ts', import.meta.url))
    await expect(checkSolutions([whole], sandbox)).resolves.toBeUndefined()
    await expect(checkSolutions([whole], async () => ({ value: [0, 0, 0] }))).rejects.toThrow(
      /own tests: wrong values/,
    )
    await expect(checkSolutions([whole], async () => ({ error: 'out of order' }))).rejects.toThrow(
      /out of order/,
    )
  })
})

describe('the measures of lists', () => {
  it('is F1 of the matched lines, and 0 for a list without a line', () => {
    const f1Of = (answer: JudgedAnswer) => JUDGE_MEASURES.ta.of({ answers: [answer], tail: [] })
    // 2·2/(4+4).
    expect(f1Of(listed(2, 4))).toMatchObject({ mean: 0.5 })
    expect(f1Of(listed(0, 0))).toMatchObject({ mean: 0 })
  })
})

describe('codeOf', () => {
  it.each([
    ['const a = 1\n', 'Before:\n```js\nconst b = 2\n```\nBetter:\n```js\nconst a = 1\n```'],
    ['function f() {}\n', '```\nexport default function f() {}\n```'],
    ['function f() {}', 'export function f() {}'],
  ])('finds %j', (code, answer) => {
    expect(codeOf(answer)).toBe(code)
  })
})
