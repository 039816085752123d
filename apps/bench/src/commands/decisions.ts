import { extractMessage } from '@palimpsest/decisions'
import { Command, Option } from 'commander'
import { PARTS, type Part, readPart } from '../decisions/labelled/labelled-set.ts'
import { checkOutputs } from './check-outputs.ts'
import { finishRun } from './finish-run.ts'
import type { Surroundings } from './surroundings.ts'
import { UsageError } from './usage-error.ts'

interface DecisionsOptions {
  readonly part: Part | 'all'
  readonly failures?: boolean
  readonly json?: string
  readonly without?: string[]
  readonly each?: boolean
}

/** `bench decisions`. */
export function decisionsCommand(surroundings: Surroundings): Command {
  return new Command('decisions')
    .description('precision and recall of the extractor without a model, on a labelled set')
    .addOption(new Option('--part <part>', 'which part of the set').choices([...PARTS, 'all']).default('all'))
    .option('--failures', 'list what was missed and what was wrongly found')
    .option('--json <file>', 'write the figures to a file too')
    .option('--without <piece...>', 'leave out a reader (settings) or a list of cues (choose)')
    .option('--each', 'leave out each reader in turn, and each list of cues')
    .action(
      async (
        { part, failures = false, json, without = [], each = false }: DecisionsOptions,
        command: Command,
      ) => {
        checkOutputs({ '--json': json })
        const chosen: readonly Part[] = part === 'all' ? PARTS : [part]
        const parts = await Promise.all(chosen.map((name) => readPart(surroundings.root, name)))
        if (each || without.length > 0) {
          const { PIECES, runWithout } = await import('../decisions/run-without.ts')
          const { renderWithout } = await import('../decisions/render-without.ts')
          const unknown = without.find((piece) => !PIECES.includes(piece))
          if (unknown !== undefined)
            throw new UsageError(`--without ${unknown}: no such piece; there are ${PIECES.join(', ')}`)
          for (const [index, conversations] of parts.entries())
            surroundings.stdout.write(
              renderWithout(chosen[index] ?? '', runWithout(each ? PIECES : without, conversations)),
            )
          return
        }
        const { runDecisions } = await import('../decisions/run-decisions.ts')
        const report = await runDecisions(extractMessage, parts)
        await finishRun('decisions', report, command, surroundings)
        if (!failures) return
        const { renderFailures } = await import('../decisions/render-failures.ts')
        surroundings.stdout.write(renderFailures(report.parts))
      },
    )
}
