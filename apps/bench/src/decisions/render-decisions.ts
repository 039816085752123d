import Table from 'cli-table3'
import type { Finding } from './finding.ts'
import type { Label } from './labelled/label.ts'
import type { DecisionsReport, PartReport } from './run-decisions.ts'
import { type Failure, LABEL_KINDS, type Score, type Share } from './score-set.ts'

/** The report as tables; with `failures`, every miss and false alarm of the strict measure behind them. */
export function renderDecisions({ node, parts }: DecisionsReport, failures = false): string {
  return `${[`Node ${node}. n: what precision and recall are shares of.`, ...parts.map((part) => renderPart(part, failures))].join('\n\n')}\n`
}

function renderPart(report: PartReport, failures: boolean): string {
  const { part, conversations, messages, userMessages, negatives, scores, speed } = report
  const lines = [
    `${part}: ${conversations} conversations, ${messages} messages, ${userMessages} by users, of which ${negatives} decide nothing`,
    scoreTable(report),
    ...scores.map(
      ({ measure, slot, replaces, area }) =>
        `${measure}: slot right ${share(slot)}, old value right ${share(replaces)}, area right ${share(area)}`,
    ),
    `nothing found where nothing is decided: ${Object.entries(scores[0]?.negatives ?? {})
      .map(([why, count]) => `${why} ${share(count)}`)
      .join(', ')}`,
    `${speed.extract.toFixed(1)} µs for a message, ${speed.ratio.toFixed(2)} of counting its tokens (${speed.count.toFixed(1)} µs)`,
  ]
  if (failures) lines.push(...(scores[0]?.failures ?? []).map(renderFailure))
  return lines.join('\n')
}

function scoreTable({ scores }: PartReport): string {
  const table = new Table({
    head: ['measure', 'kind', 'precision', 'n', 'recall', 'n', 'F1'],
    style: { head: [], border: [], compact: true },
    colAligns: ['left', 'left', 'right', 'right', 'right', 'right', 'right'],
  })
  for (const { measure, byKind, total } of scores) {
    for (const kind of LABEL_KINDS) table.push([measure, kind, ...scoreCells(byKind[kind])])
    table.push([measure, 'total', ...scoreCells(total)])
  }
  return table.toString()
}

function scoreCells({ precision, findings, recall, labels, f1 }: Score): string[] {
  return [decimal(precision), String(findings), decimal(recall), String(labels), decimal(f1)]
}

const decimal = (value: number | null): string => (value === null ? '–' : value.toFixed(3))
const share = ({ right, n }: Share): string => `${right}/${n}`

function renderFailure({ id, message, role, text, score }: Failure): string {
  return [
    `\n${id} [${message}] ${role}: ${text}`,
    ...score.misses.map((label) => `  missed  ${describeLabel(label)}`),
    ...score.alarms.map((finding) => `  wrong   ${describeFinding(finding)}`),
  ].join('\n')
}

function describeLabel({ kinds, slot, value, replaces, area }: Label): string {
  return describe(kinds.join('/'), slot, value, replaces, area)
}

function describeFinding({ kind, slot, value, replaces, area, quote }: Finding): string {
  return `${describe(kind, slot, value, replaces, area === '' ? undefined : area)}  «${quote}»`
}

function describe(kind: string, slot: string, value: string, replaces?: string, area?: string): string {
  return [
    kind,
    `${slot}:`,
    value === '' ? '(all)' : value,
    ...(replaces === undefined ? [] : [`instead of ${replaces}`]),
    ...(area === undefined ? [] : [`in ${area}`]),
  ].join(' ')
}
