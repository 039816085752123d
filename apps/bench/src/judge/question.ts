import { type Message, messageText } from '@palimpsest/core'
import data from '../../data/dialogues.json' with { type: 'json' }
import {
  casesOf,
  type Dialogue,
  type FunctionTask,
  type Item,
  type Probe,
  settledItems,
  signatureOf,
  solveTask,
} from '../dialogues/dialogue.ts'
import { fillIn } from '../dialogues/items.ts'
import type { RunCode } from '../run-code/run-code.ts'
import { type Fact, type Judge, type Matches, matchList, readLines } from './ask-judge.ts'
import { type CallFailure, settleCall, UNREADABLE } from './model-meter.ts'

export interface Question {
  readonly message: number
  readonly text: string
  readonly facts: readonly Fact[]
  /** A list or a function that is asked for; absent where facts are. */
  readonly task?: SeedTask
}

interface StatedQuestion extends Question {
  readonly facts: readonly StatedFact[]
}

export function statedQuestion({ messages }: Dialogue, probe: Probe): StatedQuestion {
  const asked = messages[probe.message]
  const facts = settledItems(probe).map((item) => statedFact(item, probe.topic.title))
  return { message: probe.message, text: asked === undefined ? '' : messageText(asked), facts }
}

const NEVER_STATED = ['colour scheme', 'licence header', 'release day', 'on-call rota'] as const
/** Says nothing that the next question could be answered with, nor that one may answer that one does not know. */
const REPLY: Message = { role: 'assistant', content: 'Let us come back to that later.' }

/** Asks what was never said, and for what LoCoEval asks for, where nothing that is measured before it can change. */
export function extendDialogue(dialogue: Dialogue, runsCode: boolean) {
  const { messages, topics } = dialogue
  const texts = messages.map((message) => messageText(message).toLowerCase())
  const free = NEVER_STATED.filter((about) => !texts.some((text) => text.includes(about)))
  const neverStated = free.slice(0, topics.length).map((about, index) => {
    const title = topics[index]?.title ?? ''
    return {
      text: `Remind me of the ${title}: what did we say about the ${about}?`,
      facts: [{ about: `the ${about} of the ${title}`, value: null, wrong: null, item: null }],
    }
  })
  const tasks = seedTasks(dialogue, runsCode).map((task) => ({ text: task.text, facts: [], task }))
  const asked = [...neverStated, ...tasks].map(
    (question, index): Question => ({ ...question, message: messages.length + 2 * index }),
  )
  const more = asked.flatMap(({ text }): Message[] => [{ role: 'user', content: text }, REPLY])
  return {
    messages: [...messages, ...more],
    neverStated: asked.slice(0, neverStated.length),
    tasks: asked.slice(neverStated.length),
  }
}

export interface StatedFact extends Fact {
  readonly value: string
  readonly item: Item
}

export function statedFact(item: Item, title: string): StatedFact {
  return {
    about: fillIn(data.kinds[item.kind].about, { about: aboutOf(item), title }),
    value: item.value,
    wrong: item.wrong?.value ?? null,
    item,
  }
}

function aboutOf({ subject }: Item): string {
  return subject.slice(1).join(' ')
}

/** Something that is asked for at the end of a dialogue, and what a perfect memory would give. */
type SeedTask =
  | { readonly kind: 'TA' | 'IE'; readonly text: string; readonly gold: readonly string[] }
  | { readonly kind: 'FC'; readonly text: string; readonly task: FunctionTask }

const LIST = 'Give one line for each, which begins with "- ", and nothing else.'

/** All that came up; all that was settled about each topic; the function of each topic, where code may be run. */
export function seedTasks({ topics, raised }: Dialogue, runsCode: boolean): SeedTask[] {
  return [
    {
      kind: 'TA',
      text: `Before we finish: which parts of the product did I want something of in this whole conversation, small requests too? ${LIST}`,
      gold: raised.map(({ title }) => title),
    },
    ...topics.map(
      ({ title, items }): SeedTask => ({
        kind: 'IE',
        text: `List all that we settled about the ${title}, as it holds now: settings, technologies, special cases, rules, names of parameters, places, and the numbers of its function. Leave out what was said in two ways and never settled, and names of files, classes and functions. ${LIST}`,
        gold: items.map((item) => {
          const { about, value } = statedFact(item, title)
          return `${about}: ${value}`
        }),
      }),
    ),
    ...(runsCode ? topics : []).map(
      ({ title, task }): SeedTask => ({
        kind: 'FC',
        text: `Write the function of the ${title} in JavaScript, with the numbers that we settled: ${signatureOf(task)}. It gets whole numbers and needs nothing else. Answer with one block of code that holds the function, and nothing else.`,
        task,
      }),
    ),
  ]
}

export type TaskResult =
  | {
      readonly kind: 'TA' | 'IE'
      readonly gold: readonly string[]
      readonly lines: readonly string[]
      /** Null without an answer, and when the judge gave none that can be read. */
      readonly matches: Matches | null
    }
  | FunctionResult

type FunctionResult = { readonly kind: 'FC'; readonly isRight: boolean | null; readonly error: string | null }

interface GradeInput {
  readonly judge: Judge
  readonly runCode: RunCode | undefined
  readonly answer: string | null
}

/** Grades an answer. A judge that fails is part of the result; a sandbox that does not work rejects. */
export async function gradeTask(
  task: SeedTask,
  { judge, runCode, answer }: GradeInput,
): Promise<{ readonly result: TaskResult; readonly failure: CallFailure | null }> {
  if (task.kind === 'FC') {
    if (answer === null || runCode === undefined)
      return { result: { kind: 'FC', isRight: null, error: null }, failure: null }
    return { result: await runFunction(task.task, codeOf(answer), runCode), failure: null }
  }
  const { kind, gold } = task
  const lines = readLines(answer ?? '')
  if (answer === null) return { result: { kind, gold, lines, matches: null }, failure: null }
  const { value: matches, failure } = await settleCall('judge', matchList(judge, { gold, lines }))
  return {
    result: { kind, gold, lines, matches: matches ?? null },
    failure: matches === undefined ? UNREADABLE : failure,
  }
}

/** Runs every function's solution before anything is paid for. @throws Error when one fails, or the sandbox does not work. */
export async function checkSolutions(dialogues: readonly Dialogue[], runCode: RunCode): Promise<void> {
  for (const { task } of dialogues.flatMap(({ topics }) => topics)) {
    const { isRight, error } = await runFunction(task, solveTask(task), runCode)
    if (!isRight)
      throw new Error(`the solution of ${task.name} does not pass its own tests: ${error ?? 'wrong values'}`)
  }
}

/** The cases' outputs stay outside: what runs cannot look them up. */
async function runFunction(task: FunctionTask, program: string, runCode: RunCode): Promise<FunctionResult> {
  const cases = casesOf(task)
  const calls = cases.map(({ input }) => `${task.name}(${input.join(', ')})`)
  const report = await runCode({ program, expression: `[${calls.join(', ')}]` })
  if ('error' in report) return { kind: 'FC', isRight: false, error: report.error }
  const { value } = report
  const isRight = Array.isArray(value) && cases.every(({ output }, index) => value[index] === output)
  return { kind: 'FC', isRight, error: null }
}

/** The last block of code, or all of an answer that has none. Modules export what a plain program only declares. */
export function codeOf(answer: string): string {
  const blocks = [...answer.matchAll(/```[^\n]*\n([\s\S]*?)```/g)]
  return (blocks.at(-1)?.[1] ?? answer).replaceAll(/^\s*export\s+(?:default\s+)?(?=function|const|let)/gm, '')
}
