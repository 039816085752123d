import { Option } from 'commander'
import { keptSections, renderValueFailures } from '../kept/kept-sections.ts'
import type { KeptReport } from '../kept/run-kept.ts'
import { keptPage } from '../report/page/kept-page.ts'
import { defineMeasure } from './define-measure.ts'
import { chooseArms, DATA, ENGINES, openSessions, option, parseBudgets, SEEDS } from './options.ts'

/** Windows of models that people run, in tokens. */
const WINDOWS = [8_000, 16_000, 32_000, 64_000, 200_000]

interface KeptOptions {
  readonly data?: string
  readonly windows: readonly number[]
  readonly engines?: readonly string[]
  readonly on: 'sessions' | 'dialogues' | 'both'
  readonly seeds: number
  readonly failures?: boolean
}

/** `bench kept`. */
export const kept = defineMeasure<KeptReport, KeptOptions>({
  description: 'what engines keep behind each compaction, beside the simplest projections of the same size',
  options: [
    DATA,
    option('--windows <list>', 'windows in tokens', parseBudgets, WINDOWS),
    ENGINES,
    new Option('--on <what>', 'recorded sessions, or generated dialogues in which values change')
      .choices(['sessions', 'dialogues', 'both'])
      .default('both'),
    SEEDS,
    new Option('--failures', 'list the values that an engine does not show as they are'),
  ],
  async run({ data, windows, engines: names, on, seeds }, { root, progress }) {
    const { createTokenCounter } = await import('@palimpsest/tokens')
    const engines = await import('../arms/engines.ts')
    const { runKept } = await import('../kept/run-kept.ts')
    const { runValues } = await import('../kept/values/run-values.ts')
    const input = {
      engines: chooseArms(engines.ENGINES, names),
      windows,
      tokens: createTokenCounter(),
      progress,
    }
    // Before anything is measured.
    const opened = on === 'dialogues' ? undefined : await openSessions(data, root)
    return {
      ...(opened !== undefined && { sessions: await runKept({ ...input, ...opened }) }),
      ...(on !== 'sessions' && { values: await runValues({ ...input, seeds }) }),
    }
  },
  sections: keptSections,
  page: keptPage,
  more: ({ values }, { failures }) => (failures === true ? renderValueFailures(values?.failures ?? []) : ''),
})
