import { decimal, NOTHING, percent, whole } from '../report/format.ts'
import { type Column, left, right, type Section, tableOf } from '../report/section.ts'
import type { DecisionsReport } from './run-decisions.ts'
import { LABEL_KINDS, type Score } from './score-set.ts'

/** What the rules of the decision engine find in labelled messages. */
export function decisionSections({ parts }: DecisionsReport): Section[] {
  return [
    {
      level: 2,
      title: 'Decisions found without a model',
      text: [
        'The rules that read decisions out of messages, over a labelled set of conversations. Of `dev` and `held-out`, mistakes were looked at and mended. `unseen` was written without knowledge of the rules: its figures are the ones to quote. Strict: kind, slot and value must be right. Value: a right value in a wrong slot counts. n is what precision and recall are shares of.',
        ...parts.map(
          ({ part, conversations, messages, userMessages, negatives }) =>
            `\`${part}\`: ${whole(conversations)} conversations, ${whole(messages)} messages, ${whole(userMessages)} by users, of which ${whole(negatives)} decide nothing.`,
        ),
        ...parts.map(
          ({ part, speed: { extract, ratio } }) =>
            `\`${part}\`: ${decimal(extract, 1)} µs for a message, ${decimal(ratio, 2)} of counting its tokens.`,
        ),
      ],
      table: tableOf(
        parts.flatMap(({ part, scores }) =>
          scores.flatMap(({ measure, byKind, total }) => [
            ...LABEL_KINDS.map((kind) => ({ part, measure, kind, score: byKind[kind] })),
            { part, measure, kind: 'total', score: total },
          ]),
        ),
        [
          left('part', ({ part }) => part),
          left('measure', ({ measure }) => measure),
          left('kind', ({ kind }) => kind),
          ...SCORE_COLUMNS,
        ],
      ),
    },
    {
      level: 3,
      title: 'Decisions by language',
      text: [],
      table: tableOf(
        parts.flatMap(({ part, languages }) =>
          languages.flatMap(({ language, userMessages, strict, value }) => [
            { part, language, userMessages, measure: 'strict', score: strict },
            { part, language, userMessages, measure: 'value', score: value },
          ]),
        ),
        [
          left('part', ({ part }) => part),
          left('language', ({ language }) => language),
          right('user messages', ({ userMessages }) => whole(userMessages)),
          left('measure', ({ measure }) => measure),
          ...SCORE_COLUMNS,
        ],
      ),
    },
    {
      level: 3,
      title: 'Abstention: nothing found where nothing is decided',
      text: ['Messages that look as if they decided something, by why they do not.'],
      table: tableOf(reasonsOf(parts), [
        left('why', (why) => why),
        ...parts.map(({ part, scores: [strict] }) =>
          right(part, (why: string) => {
            const { right: count = 0, n = 0 } = strict?.negatives[why] ?? {}
            return n === 0 ? NOTHING : `${percent(count / n, 0)}, n ${whole(n)}`
          }),
        ),
      ]),
    },
  ]
}

const reasonsOf = (parts: DecisionsReport['parts']): string[] =>
  [...new Set(parts.flatMap(({ scores: [strict] }) => Object.keys(strict?.negatives ?? {})))].sort()

const SCORE_COLUMNS: readonly Column<{ readonly score: Score }>[] = [
  right('precision', ({ score }) => decimal(score.precision, 3)),
  right('n', ({ score }) => whole(score.findings)),
  right('recall', ({ score }) => decimal(score.recall, 3)),
  right('n', ({ score }) => whole(score.labels)),
  right('F1', ({ score }) => decimal(score.f1, 3)),
]
