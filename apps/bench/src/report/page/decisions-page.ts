import type { Part } from '../../decisions/labelled/labelled-set.ts'
import { decimal, whole } from '../format.ts'
import type { Run } from '../run.ts'
import { left, right, type Section } from '../section.ts'
import { madeBy } from './made-by.ts'

/** The part of the labelled set whose figures are the ones to quote: the others were looked at, and flatter. */
const QUOTED: Part = 'unseen'

/** How well rules read decisions, language by language. */
export function decisionsPage({ command, figures: { parts } }: Run<'decisions'>): Section[] {
  const quoted = parts.filter(({ part }) => part === QUOTED)
  return [
    {
      level: 2,
      title: 'Decisions read by rules',
      text: [
        `${madeBy(command)} Labelled conversations by someone who did not know the rules (part \`unseen\`). Right means kind, subject and value. Precision: of the decisions that were found, those that are right. Recall: of those that were made, those that were found.`,
      ],
      table: {
        columns: [left('language'), ...['user messages', 'precision', 'found', 'recall', 'made'].map(right)],
        rows: quoted.flatMap(({ languages }) =>
          languages.map(({ language, userMessages, strict }) => [
            language,
            whole(userMessages),
            decimal(strict.precision, 2),
            whole(strict.findings),
            decimal(strict.recall, 2),
            whole(strict.labels),
          ]),
        ),
      },
    },
  ]
}
