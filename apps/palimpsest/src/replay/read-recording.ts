import { readFile } from 'node:fs/promises'
import type { EngineDefinition } from '@palimpsest/core'
import type { SessionView } from '@palimpsest/inspector'
import { RECORDED_FOLDER } from '../bundled-session.ts'
import { RECORDED_ENGINE, recordedEngine } from './recorded-engine.ts'

export const RECORDED_WINDOW = 64_000

const SHOWN_FIRST = [8, 27, 44, 1]

type Answers = NonNullable<SessionView['answers']>

export interface Recording {
  readonly definition: EngineDefinition
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

const read = async (name: string) => JSON.parse(await readFile(new URL(name, RECORDED_FOLDER), 'utf8'))

export async function readRecording(): Promise<Recording> {
  const names = ['run', 'questions', RECORDED_ENGINE, 'tail']
  const [run, questions, engine, tail] = await Promise.all(names.map((name) => read(`${name}.json`)))
  return {
    definition: recordedEngine(run),
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
