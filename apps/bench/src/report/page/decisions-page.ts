import type { Part } from '../../decisions/labelled/labelled-set.ts'
import type { DecisionsReport } from '../../decisions/run-decisions.ts'
import { decimal, madeBy, whole } from '../format.ts'
import { left, right, type Section, tableOf } from '../section.ts'

/** The part of the labelled set whose figures are the ones to quote: the others were looked at, and flatter. */
const QUOTED: Part = 'unseen'

/** How well rules read decisions, language by language. */
export function decisionsPage({ parts }: DecisionsReport, command: string): Section[] {
  const quoted = parts.filter(({ part }) => part === QUOTED)
  return [
    {
      level: 2,
      title: 'Decisions read by rules',
      text: [
        `${madeBy(command)} Labelled conversations by someone who did not know the rules (part \`unseen\`). Right means kind, subject and value. Precision: of the decisions that were found, those that are right. Recall: of those that were made, those that were found.`,
      ],
      table: tableOf(
        quoted.flatMap(({ languages }) => languages),
        [
          left('language', ({ language }) => language),
          right('user messages', ({ userMessages }) => whole(userMessages)),
          right('precision', ({ strict }) => decimal(strict.precision, 2)),
          right('found', ({ strict }) => whole(strict.findings)),
          right('recall', ({ strict }) => decimal(strict.recall, 2)),
          right('made', ({ strict }) => whole(strict.labels)),
        ],
      ),
    },
  ]
}
