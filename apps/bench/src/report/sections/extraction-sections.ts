import { LABEL_KINDS, type Score } from '../../decisions/score-set.ts'
import type { ExtractionReport, Times } from '../bench-report.ts'
import { decimal, NOTHING, percent, whole } from '../format.ts'
import { left, right, type Section } from '../section.ts'

/** What the rules of the decision engine find in labelled messages. */
export function extractionSections({ parts }: ExtractionReport, times: Times['extraction']): Section[] {
  return [
    {
      level: 2,
      title: 'Decisions found without a model',
      text: [
        'The rules that read decisions out of messages, over a labelled set of conversations, a quarter of them not in English. `dev` may be looked at while the rules are written, `held-out` may not: its figures are the ones to quote. Strict: kind, slot and value must be right. Value: a right value in a wrong slot counts. n is what precision and recall are shares of.',
        ...parts.map(
          ({ part, conversations, messages, userMessages, negatives }) =>
            `\`${part}\`: ${whole(conversations)} conversations, ${whole(messages)} messages, ${whole(userMessages)} by users, of which ${whole(negatives)} decide nothing.`,
        ),
        ...(times ?? []).map(
          ({ part, extract, ratio }) =>
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

const reasonsOf = (parts: ExtractionReport['parts']): string[] =>
  [...new Set(parts.flatMap(({ scores: [strict] }) => Object.keys(strict?.negatives ?? {})))].sort()

function scoreCells({ precision, findings, recall, labels, f1 }: Score): string[] {
  return [decimal(precision, 3), whole(findings), decimal(recall, 3), whole(labels), decimal(f1, 3)]
}
