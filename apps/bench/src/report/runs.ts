import type { Made } from '../commands/define-measure.ts'
import { MEASURES } from '../commands/measures.ts'
import { UsageError } from '../commands/usage-error.ts'

export type Figures = {
  readonly [Name in keyof typeof MEASURES]: Parameters<(typeof MEASURES)[Name]['sections']>[0]
}

export type Measured = keyof Figures

export interface Run<Name extends Measured> extends Made {
  readonly bench: Name
  readonly figures: Figures[Name]
}

export type AnyRun = { [Name in Measured]: Run<Name> }[Measured]

export type Runs = { readonly [Name in Measured]?: Run<Name> }

/** @throws UsageError when `--json` did not write the text. */
export function readRun(text: string): AnyRun {
  const run: Partial<AnyRun> | null = JSON.parse(text)
  if (run?.figures !== undefined && Object.hasOwn(MEASURES, String(run.bench))) return run as AnyRun
  throw new UsageError('it is no file that --json of bench wrote')
}

/** Figures of `kept` may come from several runs. @throws UsageError for two runs of another command. */
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
        values: { ...values, rows: [a, b].flatMap(({ values }) => values?.rows ?? []) },
      }),
    },
  }
}
