import { decimal, dollars, NOTHING, percent, whole } from '../report/format.ts'
import { left, right, type Section } from '../report/section.ts'
import { ratioTable } from '../speed/ratio-row.ts'
import { billSections } from './bill-sections.ts'
import { MATCHING_MODES } from './cost-profiles.ts'
import type { EngineCostRow } from './measure-engine-cost.ts'
import type { PlacementRow } from './measure-placement.ts'
import { PAUSES_TEXT } from './pacing.ts'
import { recordedSection } from './recorded-section.ts'
import type { CostFigures } from './run-cost.ts'

/** What every arm costs, where breakpoints stand, and what compactions cost in cache. */
export function costSections({ bills, placement, recorded, engines, planning }: CostFigures): Section[] {
  return [
    ...billSections(bills),
    placementSection(placement),
    ...(recorded === null ? [] : [recordedSection(recorded)]),
    engineSection(engines),
    {
      level: 3,
      title: 'Planning breakpoints',
      text: ['The time of a plan for a long request, against serialising the same messages.'],
      table: ratioTable(planning),
    },
  ]
}

/** What breakpoints cost against the least that they can cost. */
export function placementSection(rows: readonly PlacementRow[]): Section {
  const groups = Map.groupBy(rows, ({ session, model, scenario }) => `${session}\n${model}\n${scenario}`)
  return {
    level: 3,
    title: 'Breakpoints against the lower bound',
    text: [
      `What a strategy costs, over what the same requests cost at least with the same lifetime by somebody who knows the future; the worst of the ${MATCHING_MODES.length} ways in which a provider may match. Four characters count as a token. Pauses: the worked example has 8, 8 and 40 minutes; the generated sessions, ${PAUSES_TEXT}.`,
    ],
    table: {
      columns: [
        left('session'),
        right('requests'),
        left('prices of'),
        left('scenario'),
        ...['sticky', 'system_and_3', 'sticky: promised'].map(right),
      ],
      rows: [...groups.values()].flatMap((group) => {
        const [first] = group
        if (first === undefined) return []
        const worst = (strategy: PlacementRow['strategy']): string =>
          decimal(
            Math.max(...group.filter((row) => row.strategy === strategy).map((row) => row.placementRatio)),
            4,
          )
        const promise = group.find(({ target }) => target !== undefined)?.target
        const isKept = group.every(({ passed }) => passed !== false)
        return [
          [
            first.session,
            whole(first.requests),
            first.model,
            first.scenario,
            worst('sticky'),
            worst('system_and_3'),
            promise === undefined ? NOTHING : `≤ ${promise}, ${isKept ? 'kept' : 'MISSED'}`,
          ],
        ]
      }),
    },
  }
}

function engineSection(rows: readonly EngineCostRow[]): Section {
  return {
    level: 3,
    title: 'Compactions in large windows',
    text: [
      'One generated dialogue for all engines, with the thresholds that they have by default. Means over the compactions; what a warm one costs in cache is what writing the prompt behind it costs more than reading it would. US dollars for 1,000 requests, summaries included: the stub of a model writes 80 % of the length that it is asked for, and reads at full price.',
    ],
    table: {
      columns: [
        left('engine'),
        right('window'),
        left('pauses, timing'),
        ...[
          'requests',
          'compactions',
          'prompt behind one',
          'read across it',
          'a warm one costs',
          'share of the bill',
          'sticky ÷ bound',
          '1,000 requests',
        ].map(right),
      ],
      rows: rows.map(({ arm, window, pacing, compactAt, requests, compactions, placementRatio, usd }) => [
        arm,
        whole(window),
        `${pacing}, ${compactAt}`,
        whole(requests),
        whole(compactions.count),
        whole(compactions.prompt),
        percent(compactions.keptShare),
        dollars(compactions.usd),
        percent(compactions.billShare, 2),
        decimal(placementRatio, 4),
        dollars(usd.per1000),
      ]),
    },
  }
}
