import { createTokenCounter } from '@palimpsest/tokens'
import { Option } from 'commander'
import about from '../../data/measures.json' with { type: 'json' }
import { generateDialogues } from '../dialogues/generate-dialogue.ts'
import { VERDICTS } from '../judge/ask-judge.ts'
import type { JudgeCheck } from '../judge/check-judge.ts'
import { JUDGE_MEASURES } from '../judge/judge-measures.ts'
import { createJudgeModels } from '../judge/judge-models.ts'
import { type JudgeReport, type JudgeRow, runJudge } from '../judge/run-judge.ts'
import { armTable, definitionsOf, measureTable } from '../report/measure.ts'
import {
  counted,
  countsText,
  decimal,
  dollars,
  left,
  outOf,
  right,
  type Section,
  tableOf,
  whole,
} from '../report/section.ts'
import { createRunCode } from '../run-code/run-code.ts'
import { defineMeasure, type Given } from './define-measure.ts'
import { DIALOGUE_TURNS } from './dialogues.ts'
import { BUDGETS, chooseArms, ENGINES, SEEDS } from './options.ts'
import { UsageError } from './usage-error.ts'

/** The sandbox for code of models, seen from the bench's folder. Node runs it as it is. */
const SANDBOX = 'src/run-code/sandbox.ts'

type JudgeOptions = Given & { readonly runCode?: true }

/** `bench judge`. Ctrl-C ends it early: answers were paid for, and those that came are kept. */
export const judge = defineMeasure<JudgeReport, JudgeOptions>({
  description:
    'lets models answer from the prompts of the dialogues, and judge; takes GEMINI_API_KEY, and costs money',
  options: [
    SEEDS,
    BUDGETS,
    ENGINES,
    new Option('--run-code', 'let models write functions too, and run them'),
  ],
  async run({ seeds, budgets, engines, runCode }, { root, env, progress }) {
    const { ARMS } = await import('../arms/arms.ts')
    const arms = chooseArms(ARMS, engines)
    const models = createJudgeModels(env)
    if (models === undefined) throw new UsageError('judge: there is no key; set GEMINI_API_KEY')
    const interrupt = new AbortController()
    const onInterrupt = () => interrupt.abort(new Error('interrupted'))
    process.once('SIGINT', onInterrupt)
    const report = await runJudge({
      ...models,
      arms,
      budgets,
      dialogues: generateDialogues(seeds, DIALOGUE_TURNS),
      tokens: createTokenCounter(),
      ...(runCode && { runCode: createRunCode(new URL(SANDBOX, root)) }),
      signal: interrupt.signal,
      progress,
    })
    process.off('SIGINT', onInterrupt)
    return report
  },
  sections: judgeSections,
})

export function judgeSections(report: JudgeReport): Section[] {
  const { answerer, judge, runs, dialogues, check, planned, answers, stopped, spend } = report
  const rows = report.rows.map(withTools)
  const sum = (key: 'probes' | 'neverStated' | 'tasks') =>
    whole(dialogues.reduce((total, each) => total + each[key], 0))
  return [
    {
      title: 'Answered and judged by models',
      text: [
        `\`${answerer}\` answers from the same projections of ${counted(dialogues.length, 'generated dialogue')}, ${runs} times each without a seed, which models do not take: ${sum('probes')} questions about what was said, ${sum('neverStated')} about what never was, ${sum('tasks')} lists and functions.`,
        `\`${judge}\` judges every fact of an answer, and matches every line of a list.`,
        ...(stopped === null
          ? []
          : [
              `INCOMPLETE: ${whole(answers.length)} of ${whole(planned)} answers are here, because the run ended early: ${stopped}`,
            ]),
        `Means are over facts (an item in one answer), with their 95 % interval from resampling dialogues; n stands in the head where it is the same for every arm.`,
      ],
    },
    checkSection(check),
    ...topicSections(report, rows),
    lookSection(report, rows),
    spendSection(spend),
  ]
}

const withTools = (row: JudgeRow): JudgeRow =>
  row.variant === 'tools' ? { ...row, arm: `${row.arm} + its tools` } : row

const mark = ({ check }: JudgeReport, name: string): string =>
  check.doubts.length > 0 ? `${name} (?)` : name

function topicSections(report: JudgeReport, rows: readonly JudgeRow[]): Section[] {
  const keys = Object.keys(about.judge) as (keyof typeof about.judge)[]
  // Measures of one topic are looked at together. What the judge has a part in is worth as much as the judge is.
  return [...Map.groupBy(keys, (key) => about.judge[key].topic)].map(([topic, group], index) => {
    const named = Object.fromEntries(
      group.map((key) => {
        const { isJudged, name } = about.judge[key]
        return [key, { ...JUDGE_MEASURES[key], name: isJudged ? mark(report, name) : name }]
      }),
    ) as typeof JUDGE_MEASURES
    return {
      level: 3,
      title: topic,
      text: index === 0 ? [tasksText(report.runsCode)] : [],
      points: definitionsOf(named),
      table: measureTable(rows, named),
    }
  })
}

function tasksText(runsCode: boolean): string {
  const functions = runsCode
    ? 'Functions ran in an interpreter of their own, against tests that follow from the numbers as they were corrected.'
    : 'FC is not measured: `--run-code` lets the answerer write functions, and runs them.'
  return `The measures of LoCoEval, on dialogues that are generated: LoCoEval-style, not LoCoEval. Means over answers. ${functions} The check of the judge is with single facts, not with lists.`
}

function lookSection(report: JudgeReport, rows: readonly JudgeRow[]): Section {
  return {
    level: 3,
    title: 'Answers: what to look at',
    text: 'The score of each run alone: how much the models differ from themselves. Accepted without the value: the judge took a fact for right whose value stands nowhere in the answer. What failed or was not judged is in no mean; what was cut off is judged as it is.',
    table: armTable(rows, [
      [
        mark(report, 'score by run'),
        ({ scoreByRun }) => scoreByRun.map((score) => decimal(score, 3)).join(', '),
      ],
      [mark(report, 'accepted without the value'), ({ acceptedWithoutValue }) => outOf(acceptedWithoutValue)],
      ['not judged', ({ unjudged }) => outOf(unjudged)],
      ['failed', ({ failed }) => outOf(failed)],
      ['cut off', ({ cutOff }) => outOf(cutOff)],
    ]),
  }
}

function checkSection({ leniency, severity, n, doubts, confusion }: JudgeCheck): Section {
  return {
    level: 3,
    title: 'Is the judge to be trusted?',
    text: [
      doubts.length === 0
        ? 'The judge passed its check.'
        : `THE JUDGE IS NOT TO BE TRUSTED: ${doubts.join('; ')}. What it judged stands here all the same, marked with (?).`,
      `It was given planted answers of which it is known what is right. It accepted ${decimal(leniency, 3)} of the vague and wrong ones (n ${whole(n.leniency)}) and refused ${decimal(severity, 3)} of the right ones (n ${whole(n.severity)}). Facts by what was planted and what it said of them:`,
    ],
    table: tableOf(confusion, [
      left('planted', ({ planted }) => planted),
      left('right is', ({ expected }) => expected),
      ...VERDICTS.map((verdict) =>
        right(verdict, ({ verdicts }: (typeof confusion)[number]) => whole(verdicts[verdict])),
      ),
      right('no verdict', ({ unjudged }) => whole(unjudged)),
    ]),
  }
}

function spendSection({ answerer, judge, calls, usd }: JudgeReport['spend']): Section {
  const unreported = answerer.unreported + judge.unreported
  return {
    level: 3,
    title: 'What the models took',
    text: [
      `${counted(calls, 'request')}, ${usd === null ? 'at a price that is not known' : dollars(usd)}.`,
      ...(unreported > 0
        ? [`${counted(unreported, 'answer')} came without a usage, not in the figures.`]
        : []),
    ],
    table: tableOf(
      [answerer, judge],
      [
        left('model', ({ model }) => model),
        right('requests', (spend) => whole(spend.calls)),
        right('failed tries', ({ failures }) => countsText(failures)),
        right('prompt tokens', ({ promptTokens }) => whole(promptTokens)),
        right('from the cache', ({ cacheReadTokens }) => whole(cacheReadTokens)),
        right('answer tokens', ({ completionTokens }) => whole(completionTokens)),
        right('US dollars', (spend) =>
          spend.usd === null ? 'price not known' : `${dollars(spend.usd)} (${spend.pricesOf})`,
        ),
      ],
    ),
  }
}
