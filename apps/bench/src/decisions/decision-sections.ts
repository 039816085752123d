import { decimal, NOTHING, percent, whole } from '../report/format.ts'
import { left, right, type Section } from '../report/section.ts'
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
      table: {
        columns: [
          left('part'),
          left('measure'),
          left('kind'),
          ...['precision', 'n', 'recall', 'n', 'F1'].map(right),
        ],
        rows: parts.flatMap(({ part, scores }) =>
          scores.flatMap(({ measure, byKind, total }) => [
            ...LABEL_KINDS.map((kind) => [part, measure, kind, ...scoreCells(byKind[kind])]),
            [part, measure, 'total', ...scoreCells(total)],
          ]),
        ),
      },
    },
    {
      level: 3,
      title: 'Decisions by language',
      text: [],
      table: {
        columns: [
          ...['part', 'language'].map(left),
          right('user messages'),
          left('measure'),
          ...['precision', 'n', 'recall', 'n', 'F1'].map(right),
        ],
        rows: parts.flatMap(({ part, languages }) =>
          languages.flatMap(({ language, userMessages, strict, value }) => [
            [part, language, whole(userMessages), 'strict', ...scoreCells(strict)],
            [part, language, whole(userMessages), 'value', ...scoreCells(value)],
          ]),
        ),
      },
    },
    {
      level: 3,
      title: 'Abstention: nothing found where nothing is decided',
      text: ['Messages that look as if they decided something, by why they do not.'],
      table: {
        columns: [left('why'), ...parts.map(({ part }) => right(part))],
        rows: reasonsOf(parts).map((why) => [
          why,
          ...parts.map(({ scores: [strict] }) => {
            const { right: count = 0, n = 0 } = strict?.negatives[why] ?? {}
            return n === 0 ? NOTHING : `${percent(count / n, 0)}, n ${whole(n)}`
          }),
        ]),
      },
    },
  ]
}

const reasonsOf = (parts: DecisionsReport['parts']): string[] =>
  [...new Set(parts.flatMap(({ scores: [strict] }) => Object.keys(strict?.negatives ?? {})))].sort()

function scoreCells({ precision, findings, recall, labels, f1 }: Score): string[] {
  return [decimal(precision, 3), whole(findings), decimal(recall, 3), whole(labels), decimal(f1, 3)]
}
