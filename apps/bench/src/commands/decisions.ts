import { extractMessage } from '@palimpsest/decisions'
import { Command, Option } from 'commander'
import type { Part } from '../decisions/labelled/labelled-set.ts'
import { checkOutputs } from './check-outputs.ts'
import type { Surroundings } from './surroundings.ts'
import { writeJson } from './write-json.ts'

interface DecisionsOptions {
  readonly part: Part | 'all'
  readonly failures?: boolean
  readonly json?: string
}

/** `bench decisions`. */
export function decisionsCommand({ stdout }: Surroundings): Command {
  return new Command('decisions')
    .description('precision and recall of the extractor without a model, on a labelled set')
    .addOption(
      new Option('--part <part>', 'which part of the set').choices(['dev', 'held-out', 'all']).default('all'),
    )
    .option('--failures', 'list what was missed and what was wrongly found')
    .option('--json <file>', 'write the figures to a file too')
    .action(async ({ part, failures = false, json }: DecisionsOptions) => {
      checkOutputs({ '--json': json })
      const { runDecisions } = await import('../decisions/run-decisions.ts')
      const { renderDecisions } = await import('../decisions/render-decisions.ts')
      const report = await runDecisions(extractMessage, part === 'all' ? ['dev', 'held-out'] : [part])
      await writeJson(json, report)
      stdout.write(renderDecisions(report, failures))
    })
}
