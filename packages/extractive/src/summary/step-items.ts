import { shorten } from '../text/shorten.ts'
import type { FileOperation } from '../tools/file-touch.ts'
import { type Item, quote, turnMark } from './item.ts'
import { failureText, runStatus } from './run-status.ts'
import type { Run, Step, Walk } from './walk-messages.ts'

const MAX_NAMES = 5
const MAX_COMMANDS = 4
/** Statements below this announce or are courteous; they report nothing. */
const MIN_REPORT = 0.95

/** What was done, step by step, with outcomes; `used`: statements that stand elsewhere in the summary. */
export function stepItems({ steps }: Walk, used: ReadonlySet<string>): Item[] {
  const items: Item[] = []
  for (const step of steps) {
    const actions = [...fileActions(step.runs), ...commandActions(step.runs)]
    const report = reportOf(step, used)
    if (report !== '') actions.push(`assistant: ${quote(report)}`)
    if (actions.length === 0) continue
    items.push({
      slot: 'Done',
      text: turnMark(step.turn) + actions.join('; '),
      turn: step.turn,
      weight: stepWeight(step, report),
    })
  }
  return items
}

function reportOf(step: Step, used: ReadonlySet<string>): string {
  const best = Math.max(0, ...step.report.map(({ weight }) => weight))
  return step.report
    .filter(
      ({ text, weight }) => weight >= MIN_REPORT && !used.has(text) && (step.closing || weight === best),
    )
    .map(({ text }) => text)
    .join(' ')
}

function stepWeight(step: Step, report: string): number {
  const changes = step.runs.some(({ call }) =>
    call.files.some(({ operation }) => operation !== 'read' && operation !== 'searched'),
  )
  const commands = step.runs.some(({ call }) => call.kind === 'shell' && !call.asks)
  const failed = step.runs.some((run) => runStatus(run) === 'failed')
  const said = report === '' ? 0 : step.closing ? 0.45 : 0.25
  return Math.min(1, 0.05 + said + (changes ? 0.25 : 0) + (commands ? 0.15 : 0) + (failed ? 0.15 : 0))
}

function fileActions(runs: readonly Run[]): string[] {
  const byOperation = new Map<string, Map<string, number>>()
  for (const run of runs) {
    if (run.call.kind === 'shell' && run.call.files.every(({ operation }) => operation === 'read')) continue
    const failed = runStatus(run) === 'failed'
    for (const { path, operation } of run.call.files) {
      const verb = failed ? `failed to ${INFINITIVE[operation]}` : operation
      const names = byOperation.get(verb) ?? new Map<string, number>()
      const name = path.slice(path.lastIndexOf('/') + 1)
      names.set(name, (names.get(name) ?? 0) + 1)
      byOperation.set(verb, names)
    }
  }
  const changed = [...byOperation.keys()].some((verb) => verb !== 'read' && verb !== 'searched')
  return [...byOperation]
    .filter(([verb]) => verb !== 'searched' && !(verb === 'read' && changed))
    .map(
      ([verb, names]) =>
        `${verb} ${listed(
          [...names].map(([name, count]) => (count > 1 ? `${name} ×${count}` : name)),
          MAX_NAMES,
        )}`,
    )
}

const INFINITIVE: Readonly<Record<FileOperation, string>> = {
  read: 'read',
  edited: 'edit',
  created: 'create',
  deleted: 'delete',
  searched: 'search',
}

function commandActions(runs: readonly Run[]): string[] {
  const outcomes = new Map<string, { run: Run; states: string[] }>()
  for (const run of runs) {
    const { call } = run
    if (call.kind === 'plan' || (call.kind === 'file' && call.files.length > 0)) continue
    // What only looks is worth a line when it failed.
    if (call.kind === 'shell' && call.asks && runStatus(run) !== 'failed') continue
    if (call.files.length > 0 && runStatus(run) === 'ok' && !/\d/.test(run.outcome?.detail ?? '')) continue
    const entry = outcomes.get(call.label) ?? { run, states: [] }
    entry.run = run
    entry.states.push(outcomeText(run))
    outcomes.set(call.label, entry)
  }
  const parts = [...outcomes].map(([label, { states }]) => {
    const last = states.at(-1) ?? ''
    return `${label} ${states.length > 1 ? `×${states.length}, last ` : '→ '}${last}`
  })
  return parts.length === 0 ? [] : [`ran ${listed(parts, MAX_COMMANDS)}`]
}

function outcomeText(run: Run): string {
  const status = runStatus(run)
  const counted = run.outcome?.detail ?? ''
  const detail = !/\d/.test(counted) && status === 'failed' ? failureText(run) : counted
  const useful = /\d|fail|pass|error|→|->/i.test(detail) ? shorten(detail, 90) : ''
  return useful === '' ? status : `${status}: ${quote(useful)}`
}

function listed(names: readonly string[], max: number): string {
  return names.slice(0, max).join(', ') + (names.length > max ? ` and ${names.length - max} more` : '')
}
