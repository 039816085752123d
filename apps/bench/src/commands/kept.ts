import { createTokenCounter } from '@palimpsest/tokens'
import { Option } from 'commander'
import { ENGINES as OURS } from '../arms/engines.ts'
import { KEPT_MEASURES, type KeptRow, projectionSections, runKept } from '../kept/compare-projections.ts'
import { SIMPLE_PROJECTIONS } from '../kept/simple-projections.ts'
import { type KeptReport, runValues, VALUE_MEASURES, type ValuesReport } from '../kept/values/run-values.ts'
import { definitionsOf } from '../report/measure.ts'
import { keptPage } from '../report/page/kept-page.ts'
import type { Section } from '../report/section.ts'
import { defineMeasure, type Given } from './define-measure.ts'
import { chooseArms, DATA, ENGINES, openSessions, option, parseBudgets, SEEDS } from './options.ts'

const WINDOWS = [8_000, 16_000, 32_000, 64_000, 200_000]

type KeptOptions = Given & { readonly on: 'sessions' | 'dialogues' | 'both' }

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
  ],
  async run({ data, windows, engines: names, on, seeds }, { root, progress }) {
    const input = { engines: chooseArms(OURS, names), windows, tokens: createTokenCounter(), progress }
    // Before anything is measured.
    const opened = on === 'dialogues' ? undefined : await openSessions(data, root)
    return {
      ...(opened !== undefined && { sessions: await runKept({ ...input, ...opened }) }),
      ...(on !== 'sessions' && { values: await runValues({ ...input, seeds }) }),
    }
  },
  sections: keptSections,
  page: keptPage,
})

function keptSections({ sessions, values }: KeptReport): Section[] {
  return [
    ...(sessions === undefined ? [] : sessionSections(sessions)),
    ...(values === undefined ? [] : valueSections(values)),
  ]
}

function sessionSections(rows: readonly KeptRow[]): Section[] {
  return [
    {
      title: 'What is kept behind a compaction',
      text: 'Recorded sessions are replayed; after each compaction the projection is compared with simple ones of the same transcript in the same number of tokens. Engines have their default options, and no model writes. Shares of all cases, with a 95 % interval (bootstrap over sessions).',
      points: [
        ...definitionsOf(KEPT_MEASURES),
        ...SIMPLE_PROJECTIONS.map(({ name, description }) => `arm \`${name}\`: ${description}`),
      ],
    },
    ...projectionSections(rows, KEPT_MEASURES, { title: 'A', counted: ['names', 'relations', 'words'] }),
  ]
}

function valueSections({ rows, seeds }: ValuesReport): Section[] {
  return [
    {
      title: 'Values in dialogues',
      text:
        `Generated dialogues with a coding agent (${seeds}, about 100,000 tokens each): the user gives 16 subjects values, ` +
        'changes them once or twice, takes them back and confirms them, each in at least eight ways, with work between and ' +
        'mentions of old values behind. After each compaction every subject talked of so far is one case. Shares of all ' +
        'cases, with a 95 % interval (bootstrap over dialogues); the two of old values are of the subjects that have one.',
      points: definitionsOf(VALUE_MEASURES),
    },
    ...projectionSections(rows, VALUE_MEASURES, { title: 'Values in a', counted: ['current', 'oldAlone'] }),
  ]
}
