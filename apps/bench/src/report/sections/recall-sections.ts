import type { RecallReport, RecallRow } from '../../recall/recall-report.ts'
import { armTable, distinct, measureTable, middleBudget, rowTable } from '../arm-table.ts'
import { positionChart, TENTHS } from '../charts/position-chart.ts'
import { recallChart } from '../charts/recall-chart.ts'
import { NOTHING, outOf, percent, whole } from '../format.ts'
import { left, right, type Section, type Table } from '../section.ts'
import { REACH_MEASURES, RECALL_MEASURES } from './recall-measures.ts'
import { sessionsWithCases } from './sessions-with-cases.ts'
import { warningsText } from './warnings-text.ts'

/** What is still in the prompt, on recorded sessions, request by request. */
export function recallSections(report: RecallReport): Section[] {
  const { rows } = report
  return [
    {
      level: 2,
      title: 'Recall on recorded sessions',
      text: [
        'Every session is played message by message. Before each message, the arm says what it would send; the model’s answer is the recorded one. A figure is the mean over all cases with its 95 % interval, from resampling whole sessions, paired between arms; where only one session has cases there is none.',
        sessionsWithCases(report),
        ...report.skipped.map(({ file, reason }) => `\`${file}\` was skipped: ${reason}`),
      ],
      table: sessionTable(report),
    },
    ...RECALL_MEASURES.map((measure, index): Section => {
      return {
        level: 3,
        title: measure.name,
        text: [measure.definition],
        table: armTable(rows, measure),
        ...(index === 0 && { chart: recallChart(rows) }),
      }
    }),
    {
      level: 3,
      title: 'Reachable recall: by name, by context',
      text: [
        'Far re-references of both roles that are in the projection, or in the answers of so many calls of the arm’s tools. The calls are scripted; what an answer repeats of the query does not count. Arms without tools have their recall. The two ways to ask are to be read together: by name is the easiest search there is, by context a hard one.',
      ],
      points: REACH_MEASURES.map(({ name, definition }) => `${name}: ${definition}`),
      table: measureTable(rows, REACH_MEASURES),
    },
    positions(rows),
    kinds(rows),
    {
      level: 3,
      title: 'What was sent',
      text: [
        'Mean tokens of the projections, and of the tools that an arm gives the model beside them; requests whose messages took more than the budget; compactions, which for an arm without a memory are the requests that left something out; warnings of the engines.',
      ],
      table: rowTable(rows, [
        ['messages, tokens', ({ tokens }) => whole(tokens)],
        ['tools, tokens', ({ toolTokens }) => whole(toolTokens)],
        ['over the budget', ({ overBudget }) => outOf(overBudget)],
        ['compactions', ({ compactions }) => whole(compactions)],
        [
          'tokens of a search',
          ({ reached }) => (reached.tokensPerProbe === null ? NOTHING : whole(reached.tokensPerProbe)),
        ],
        ['warnings', ({ warnings }) => warningsText(warnings)],
      ]),
    },
  ]
}

function sessionTable({ sessions, budgets }: RecallReport): Table {
  return {
    columns: [
      left('session'),
      right('messages'),
      right('tokens'),
      right('identifiers'),
      ...budgets.map((budget) => right(`far beyond ${whole(budget)}: assistant, user`)),
    ],
    rows: sessions.map(({ name, messages, tokens, identifiers, far }) => [
      name,
      whole(messages),
      whole(tokens),
      whole(identifiers),
      ...budgets.map((budget) => {
        const counts = far.find((each) => each.budget === budget)
        return counts === undefined ? NOTHING : `${whole(counts.assistant)}, ${whole(counts.user)}`
      }),
    ]),
  }
}

function positions(rows: readonly RecallRow[]): Section {
  const budget = middleBudget(rows)
  const within = rows.filter((row) => row.budget === budget && row.position.some((share) => share > 0))
  return {
    level: 3,
    title: 'Position in the prompt',
    text: [
      `Where in the prompt the re-references stand that were found, by tenths of its tokens, within ${whole(budget)} tokens; where one stands in several places, the last counts. Models read the beginning and the end best.`,
    ],
    table: {
      columns: [left('arm'), ...TENTHS.map((tenth) => right(`${tenth} %`))],
      rows: within.map(({ arm, position }) => [arm, ...position.map((share) => percent(share, 0))]),
    },
    chart: positionChart(within, budget),
  }
}

function kinds(rows: readonly RecallRow[]): Section {
  const budget = middleBudget(rows)
  const within = rows.filter((row) => row.budget === budget)
  const names = distinct(within.flatMap(({ byKind }) => Object.keys(byKind))).sort()
  return {
    level: 3,
    title: 'Recall by kind of identifier',
    text: [`Far re-references of the assistant that were found, of all, within ${whole(budget)} tokens.`],
    table: {
      columns: [left('arm'), ...names.map((name) => right(name))],
      rows: within.map(({ arm, byKind }) => [
        arm,
        ...names.map((name) => {
          const { found = 0, n = 0 } = byKind[name] ?? {}
          return n === 0 ? NOTHING : outOf({ count: found, n })
        }),
      ]),
    },
  }
}
