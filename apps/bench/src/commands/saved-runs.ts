import { isMeasured } from '../report/long-sections.ts'
import type { AnyRun, Measured, Run, Runs } from '../report/run.ts'
import { UsageError } from './usage-error.ts'

/**
 * A run from the text of a file that `--json` wrote.
 *
 * @throws UsageError when it is another file.
 */
export function readRun(text: string): AnyRun {
  const run: Partial<AnyRun> | null = JSON.parse(text)
  if (run?.figures !== undefined && isMeasured(run.bench)) return run as AnyRun
  throw new UsageError('it is no file that --json of bench wrote')
}

/**
 * Runs by their command. Figures of `kept` may come from several runs, one for each engine.
 *
 * @throws UsageError for two runs of another command.
 */
export function joinRuns(runs: readonly AnyRun[]): Runs {
  const joined: Partial<Record<Measured, AnyRun>> = {}
  for (const run of runs) {
    const before = joined[run.bench]
    if (before !== undefined && run.bench !== 'kept')
      throw new UsageError(`two files are of bench ${run.bench}; name one`)
    joined[run.bench] = before === undefined ? run : joinKept(before as Run<'kept'>, run as Run<'kept'>)
  }
  return joined as Runs
}

/** The command of sessions stands first, whatever file does. */
function joinKept(before: Run<'kept'>, run: Run<'kept'>): Run<'kept'> {
  const [one, other] = before.figures.sessions === undefined ? [run, before] : [before, run]
  const [a, b] = [one.figures, other.figures]
  const values = a.values ?? b.values
  return {
    ...one,
    command: `${one.command}; ${other.command}`,
    figures: {
      sessions: [...(a.sessions ?? []), ...(b.sessions ?? [])],
      ...(values !== undefined && {
        values: {
          ...values,
          rows: [a, b].flatMap(({ values }) => values?.rows ?? []),
          failures: [a, b].flatMap(({ values }) => values?.failures ?? []),
        },
      }),
    },
  }
}
