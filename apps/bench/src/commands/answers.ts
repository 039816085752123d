import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createTokenCounter } from '@palimpsest/tokens'
import { KINDS } from '../answers/recorded-answers.ts'
import type { AnswersReport } from '../answers/run-answers.ts'
import type { ArmScore } from '../answers/score-answers.ts'
import { left, NOTHING, right, type Section, tableOf, whole } from '../report/section.ts'
import { defineMeasure } from './define-measure.ts'
import { option, parseNames, readSession } from './options.ts'

interface AnswersOptions {
  readonly prompts?: URL
  readonly baseUrl?: string
  readonly arm?: readonly string[]
  readonly import?: URL
  readonly by: string
}

type AnswersFigures = AnswersReport & { readonly window: number }

const parseFolder = (path: string): URL => pathToFileURL(`${resolve(path)}/`)
const asText = (text: string): string => text

export const answers = defineMeasure<AnswersFigures, AnswersOptions>({
  description: 'what a model can still answer from the prompt of each arm, by recorded answers',
  options: [
    option('--prompts <folder>', 'write prompts and questions there, for whoever answers', parseFolder),
    option('--base-url <url>', 'OpenAI-compatible service for the summaries that are not recorded', asText),
    option('--arm <names>', 'arms that are recorded, written or imported (default: all)', parseNames),
    option('--import <folder>', 'record the answers and marks of a folder', parseFolder),
    option('--by <text>', 'who answered and marked what is imported', asText, 'a model, marked blind'),
  ],
  examples: `
Examples:
  bench answers                                                      scores what is recorded, offline
  bench answers --arm lcm,pi --base-url http://127.0.0.1:8123/v1     records summaries that are missing
  bench answers --prompts asked                                      writes asked/<arm>/arm.txt and asked/questions.json
  bench answers --import asked                                       reads asked/<arm>/answers.json and asked/marks.json`,
  async run({ baseUrl, arm: arms, prompts, by, ...options }, { root, progress, now }) {
    const { runAnswers } = await import('../answers/run-answers.ts')
    const { WINDOW } = await import('../answers/answer-arms.ts')
    const sessions = new URL('../palimpsest/sessions/', root)
    const { messages } = await readSession(fileURLToPath(new URL('ledger.jsonl', sessions)))
    const date = now().toISOString().slice(0, 10)
    const report = await runAnswers({
      folder: new URL('answers/', root),
      shipped: new URL('recorded/', sessions),
      ...{ messages, tokens: createTokenCounter(), progress, baseUrl, arms, prompts },
      ...(options.import && { import: { from: options.import, by, date } }),
    })
    return { window: WINDOW, ...report }
  },
  sections: answersSection,
})

function answersSection({ window, questions, arms }: AnswersFigures): Section {
  return {
    title: 'What a model can still answer',
    text:
      `${questions} questions on the bundled session, by a model that reads the prompt of the next request and nothing else, in a window of ${whole(window)} tokens ` +
      '(`whole` has all of the session). A question counts 1, 0.5 or 0. Kinds: a what the user asked, b what files and tools showed, c errors and their causes, d what was settled and why, e the state of the work. ' +
      'False: answers that state something untrue. Answers count only while the prompt is the same, byte for byte.',
    table: tableOf(arms, [
      left('arm', ({ arm }) => arm),
      right('tokens', ({ tokens }) => (tokens === undefined ? NOTHING : whole(tokens))),
      right(
        `right of ${questions}`,
        scored(({ right: sum }) => sum),
      ),
      ...KINDS.map((kind, index) =>
        right(
          kind,
          scored(({ kinds }) => kinds[index]),
        ),
      ),
      right(
        'false',
        scored(({ falsehoods }) => falsehoods),
      ),
      left('answered', ({ recorded = NOTHING, state }) => (state === 'current' ? recorded : state)),
    ]),
  }
}

const scored =
  (of: (score: NonNullable<ArmScore['score']>) => number | undefined) =>
  ({ score }: ArmScore): string =>
    score === undefined ? NOTHING : String(of(score) ?? NOTHING)
