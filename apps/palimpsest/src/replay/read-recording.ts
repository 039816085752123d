import { readFile } from 'node:fs/promises'
import { type CompletionModel, ModelError } from '@palimpsest/core'
import type { SessionView } from '@palimpsest/inspector'
import { RECORDED_FOLDER } from '../bundled-session.ts'
import { DECISIONS } from '../engines/decisions-options.ts'

export const RECORDED_ENGINE = DECISIONS
export const RECORDED_WINDOW = 64_000
/** The clock of the recorded run, which the dates of summaries show: 2026-01-01. */
export const RECORDED_AT = 1_767_225_600_000
/** Its name in `bench answers`. */
const RECORDED_ARM = 'decisions-over-lcm'

const SHOWN_FIRST = [8, 27, 44, 1]

type Answers = NonNullable<SessionView['answers']>

export interface Recording {
  /** Writes the summaries. */
  readonly model: CompletionModel
  /** Reads the decisions. */
  readonly reader: CompletionModel
  readonly description: string
  readonly answers: Answers
}

interface Question {
  readonly id: number
  readonly question: string
  readonly answer: string
  readonly message: number
}

interface Answered {
  readonly tokens: number
  readonly recorded: string
  readonly by: string
  readonly answers: readonly {
    readonly id: number
    readonly answer: string
    readonly mark: Answers['questions'][number]['with']['mark']
  }[]
}

/** A model's answers to the requests of a run, in their order. */
export interface RecordedRun {
  readonly summaries: readonly string[]
  readonly decisions: readonly string[]
}

function recordedModel(answers: readonly string[]): CompletionModel {
  let asked = 0
  return {
    name: 'the recorded model',
    async complete() {
      const text = answers[asked++]
      if (text === undefined)
        throw new ModelError('unknown', `${answers.length} answers are recorded, and more were asked for`)
      return { text, finishReason: 'stop' }
    },
  }
}

const read = async (name: string) => JSON.parse(await readFile(new URL(name, RECORDED_FOLDER), 'utf8'))

export async function readRecording(): Promise<Recording> {
  const names = ['run', 'questions', RECORDED_ARM, 'tail']
  const [run, questions, engine, tail] = await Promise.all(names.map((name) => read(`${name}.json`)))
  return {
    model: recordedModel(run.summaries),
    reader: recordedModel(run.decisions),
    description: `written by Claude: a run of ${engine.recorded} is replayed, without a key`,
    answers: answersOf({ questions, engine, tail }),
  }
}

interface Read {
  readonly questions: readonly Question[]
  readonly engine: Answered
  readonly tail: Answered
}

function answersOf({ questions, engine, tail }: Read): Answers {
  const rank = ({ id }: Question) =>
    SHOWN_FIRST.includes(id) ? SHOWN_FIRST.indexOf(id) : id + SHOWN_FIRST.length
  const of = ({ answers }: Answered, id: number) => {
    const { answer: text = '', mark = 0 } = answers.find((answer) => answer.id === id) ?? {}
    return { text, mark }
  }
  const score = ({ tokens, answers }: Answered) => ({
    tokens,
    right: answers.reduce((sum, { mark }) => sum + mark, 0),
  })
  return {
    recorded: engine.recorded,
    by: engine.by,
    without: score(tail),
    with: score(engine),
    questions: questions
      .toSorted((a, b) => rank(a) - rank(b))
      .map(({ id, question, answer: expected, message: seq }) => ({
        ...{ question, expected, seq },
        ...{ without: of(tail, id), with: of(engine, id) },
      })),
  }
}
