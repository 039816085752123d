import { createTokenCounter } from '@palimpsest/tokens'
import { Command, Option } from 'commander'
import type { KeptReport } from '../kept/kept-report.ts'
import { createProgress } from '../progress.ts'
import { checkOutputs } from './check-outputs.ts'
import { finishRun } from './finish-run.ts'
import { openSessions } from './open-sessions.ts'
import { parseBudgets, parseFolder, parseNames, parseNumber } from './parse-options.ts'
import type { Surroundings } from './surroundings.ts'
import { UsageError } from './usage-error.ts'

/** Windows of models that people run, in tokens. */
const WINDOWS = [8_000, 16_000, 32_000, 64_000, 200_000]

interface KeptOptions {
  readonly data?: string
  readonly windows: readonly number[]
  readonly engines?: readonly string[]
  readonly on: 'sessions' | 'dialogues' | 'both'
  readonly seeds: number
  readonly failures?: boolean
  readonly json?: string
}

/** `bench kept`. */
export function keptCommand(surroundings: Surroundings): Command {
  const { root, stdout, stderr } = surroundings
  return new Command('kept')
    .description('what engines keep behind each compaction, beside the simplest projections of the same size')
    .option('--data <folder>', 'session files (default: the bundled session)', parseFolder)
    .option('--windows <list>', 'windows in tokens', parseBudgets, WINDOWS)
    .option('--engines <names>', 'some engines (default: all)', parseNames)
    .addOption(
      new Option('--on <what>', 'recorded sessions, or generated dialogues in which values change')
        .choices(['sessions', 'dialogues', 'both'])
        .default('both'),
    )
    .option('--seeds <number>', 'how many generated dialogues', parseNumber, 8)
    .option('--failures', 'list the values that an engine does not show as they are')
    .option('--json <file>', 'write the figures to a file too')
    .action(async (options: KeptOptions, command: Command) => {
      const { data, windows, engines: names, on, seeds, failures, json } = options
      checkOutputs({ '--json': json })
      const { KEPT_ENGINES } = await import('../kept/kept-engines.ts')
      const unknown = names?.find((name) => KEPT_ENGINES.every((engine) => engine.name !== name))
      if (unknown !== undefined) {
        const known = KEPT_ENGINES.map(({ name }) => name).join(', ')
        throw new UsageError(`--engines: there is no ‘${unknown}’. There are: ${known}`)
      }
      const engines = KEPT_ENGINES.filter(({ name }) => names?.includes(name) ?? true)
      const input = { engines, windows, tokens: createTokenCounter(), progress: createProgress(stderr) }
      const { runKept } = await import('../kept/run-kept.ts')
      const { runValues } = await import('../kept/values/run-values.ts')
      const { renderValueFailures } = await import('../kept/values/value-sections.ts')
      // Before anything is measured.
      const opened = on === 'dialogues' ? undefined : await openSessions(data, root)
      const report: KeptReport = {
        ...(opened !== undefined && { sessions: await runKept({ ...input, ...opened }) }),
        ...(on !== 'sessions' && { values: await runValues({ ...input, seeds }) }),
      }
      await finishRun('kept', report, command, surroundings)
      if (failures === true) stdout.write(renderValueFailures(report.values?.failures ?? []))
    })
}
