import { Option } from 'commander'
import { decisionSections } from '../decisions/decision-sections.ts'
import { PARTS, type Part, readPart } from '../decisions/labelled/labelled-set.ts'
import type { DecisionsReport } from '../decisions/run-decisions.ts'
import { decisionsPage } from '../report/page/decisions-page.ts'
import { renderTerminal } from '../report/render-terminal.ts'
import { defineMeasure } from './define-measure.ts'
import { UsageError } from './usage-error.ts'

interface DecisionsOptions {
  readonly part: Part | 'all'
  readonly failures?: boolean
  readonly without?: string[]
  readonly each?: boolean
}

/** `bench decisions`. */
export const decisions = defineMeasure<DecisionsReport, DecisionsOptions>({
  description: 'precision and recall of the extractor without a model, on a labelled set',
  options: [
    new Option('--part <part>', 'which part of the set').choices([...PARTS, 'all']).default('all'),
    new Option('--failures', 'list what was missed and what was wrongly found'),
    new Option('--without <piece...>', 'leave out a reader (settings) or a list of cues (choose)'),
    new Option('--each', 'leave out each reader in turn, and each list of cues'),
  ],
  async run({ part, without = [], each = false }, { root, stdout }) {
    const { extractMessage } = await import('@palimpsest/decisions')
    const chosen: readonly Part[] = part === 'all' ? PARTS : [part]
    const parts = await Promise.all(chosen.map((name) => readPart(root, name)))
    if (!each && without.length === 0) {
      const { runDecisions } = await import('../decisions/run-decisions.ts')
      return runDecisions(extractMessage, parts)
    }
    const { PIECES, runWithout, withoutSection } = await import('../decisions/run-without.ts')
    const unknown = without.find((piece) => !PIECES.includes(piece))
    if (unknown !== undefined)
      throw new UsageError(`--without ${unknown}: no such piece; there are ${PIECES.join(', ')}`)
    for (const labelled of parts)
      stdout.write(
        renderTerminal([withoutSection(labelled.part, runWithout(each ? PIECES : without, labelled))]),
      )
    return undefined
  },
  sections: decisionSections,
  page: decisionsPage,
  async more({ parts }, { failures = false }) {
    const { renderFailures } = await import('../decisions/render-failures.ts')
    return failures ? renderFailures(parts) : ''
  },
})
