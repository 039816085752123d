import type { JudgeReport, JudgeRow } from '../../judge/judge-report.ts'
import { rowTable } from '../arm-table.ts'
import { decimal, dollars, interval, NOTHING, outOf, whole } from '../format.ts'
import type { Section } from '../section.ts'

/** What a model made of the projections. */
export function judgeSections(report: JudgeReport): Section[] {
  const { answerer, judge, runs, dialogues, check, rows, planned, answers, stopped, spend } = report
  return [
    {
      level: 2,
      title: 'Answered and judged by models',
      text: [
        `\`${answerer}\` answers from the same projections of ${dialogues.length} generated dialogues, ${runs} times each, and \`${judge}\` judges every fact of the answer. ${whole(answers.length)} of ${whole(planned)} answers; ${whole(spend.calls)} requests${spend.usd === null ? '' : `, ${dollars(spend.usd)}`}.`,
        ...(stopped === null ? [] : [`The run ended early: ${stopped}`]),
        `The judge was checked with planted answers: it accepted ${decimal(check.leniency, 3)} of the vague and wrong ones (n ${whole(check.n.leniency)}) and refused ${decimal(check.severity, 3)} of the right ones (n ${whole(check.n.severity)}).`,
        ...check.doubts,
        'Score: share of the facts that hold in the answer. Given shown: the score of facts that stood in the prompt, so that what the arm lost is told from what the answerer lost.',
      ],
      table: rowTable(rows, [
        ['tools', ({ variant }) => (variant === 'tools' ? 'yes' : 'no')],
        ['score', ({ score }) => interval(score)],
        ['n', ({ score }) => (score === null ? NOTHING : whole(score.n))],
        ['by run', ({ scoreByRun }) => scoreByRun.map((score) => decimal(score, 3)).join(', ')],
        ['minus truncate', ({ gain }) => interval(gain)],
        ['given shown', ({ scoreGivenShown }) => interval(scoreGivenShown)],
        ['stale', ({ stale }) => interval(stale)],
        ['abstained', ({ abstained }) => interval(abstained)],
        ['failed', ({ failed }) => outOf(failed)],
        ['not judged', ({ unjudged }) => outOf(unjudged)],
      ] satisfies readonly (readonly [string, (row: JudgeRow) => string])[]),
    },
  ]
}
