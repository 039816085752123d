import Table from 'cli-table3'
import type { Estimate } from '../bootstrap.ts'
import type { AfterCompactionRow, NativeRow, RecallReport, RecallRow } from './recall-report.ts'

/** The report as tables for a terminal: for each budget recall, kinds and places, and what compactions kept. */
export function renderRecall(report: RecallReport): string {
  const { budgets, sessions, skipped, rows, afterCompaction, native } = report
  const within = <Row extends { readonly budget: number }>(list: readonly Row[], budget: number): Row[] =>
    list.filter((row) => row.budget === budget)
  return `${[
    sessionTable(report),
    ...skipped.map(({ file, reason }) => `Skipped ${file}: ${reason}`),
    'Far re-references by the assistant, by users: identifiers that a message uses and that were last seen further back.',
    `${sessions.length} sessions. Means with their 95 % interval (bootstrap over sessions).`,
    ...budgets.flatMap((budget) => [
      recallTable(budget, within(rows, budget)),
      ...reachTables(budget, within(rows, budget)),
      sizeTable(budget, within(rows, budget)),
      placeTable(budget, within(rows, budget)),
      compactionTable(budget, within(afterCompaction, budget)),
    ]),
    ...native.map(nativeTable),
  ].join('\n\n')}\n`
}

function sessionTable({ budgets, sessions }: RecallReport): string {
  return table(
    ['session', 'messages', 'tokens', 'identifiers', ...budgets.map((budget) => `beyond ${whole(budget)}`)],
    sessions.map(({ name, messages, tokens, identifiers, far }) => [
      name,
      ...[messages, tokens, identifiers].map(whole),
      ...far.map(({ assistant, user }) => `${assistant}, ${user}`),
    ]),
  )
}

function recallTable(budget: number, rows: readonly RecallRow[]): string {
  const n = (of: (row: RecallRow) => Estimate | null): number =>
    rows.map(of).find((estimate) => estimate !== null)?.n ?? 0
  return table(
    [
      `recall within ${whole(budget)} tokens`,
      `assistant, n ${n(({ assistant }) => assistant.mean)}`,
      'empty 0, full 1',
      'minus truncate',
      `user, n ${n(({ user }) => user.mean)}`,
    ],
    rows.map(({ arm, assistant, user }) => [
      arm,
      ...[assistant.mean, assistant.normalized, assistant.gain, user.mean].map(share),
    ]),
  )
}

/** Of the arms that had something to search for and tools to search with; no table when none had. */
function reachTables(budget: number, rows: readonly RecallRow[]): string[] {
  const searching = rows.filter(({ reached }) => reached.tokensPerProbe !== null)
  const [first] = searching
  if (first === undefined) return []
  const reach = table(
    [
      `in the prompt or by calls, both roles, n ${first.reached.at1?.n ?? 0}`,
      'by its name: 1 call',
      '3 calls',
      'by words around it: 1 call',
      '3 calls',
      'tokens read a search',
    ],
    searching.map(({ arm, reached, reachedByContext: byContext }) => [
      `${arm} within ${whole(budget)}`,
      ...[reached.at1, reached.at3, byContext?.at1 ?? null, byContext?.at3 ?? null].map(share),
      rounded(reached.tokensPerProbe),
    ]),
  )
  return [reach]
}

function sizeTable(budget: number, rows: readonly RecallRow[]): string {
  return table(
    [
      `prompts within ${whole(budget)} tokens`,
      'messages, tokens',
      'tools',
      'tokens a fact',
      'over budget',
      'compactions',
      'warnings',
    ],
    rows.map((row) => [
      row.arm,
      ...[row.tokens, row.toolTokens, row.tokensPerFact].map(rounded),
      `${row.overBudget.count} of ${row.overBudget.n}`,
      row.kind === 'bound' ? '–' : whole(row.compactions),
      Object.entries(row.warnings)
        .map(([code, count]) => `${code} ${count}`)
        .join('\n') || 'none',
    ]),
  )
}

function placeTable(budget: number, rows: readonly RecallRow[]): string {
  const kinds = [...new Set(rows.flatMap(({ byKind }) => Object.keys(byKind)))].sort()
  return table(
    [`within ${whole(budget)} tokens`, 'found in the tenths of the prompt, %', ...kinds],
    rows.map(({ arm, position, byKind }) => [
      arm,
      position.map((part) => Math.round(part * 100)).join(' '),
      ...kinds.map((kind) => `${byKind[kind]?.found ?? 0} of ${byKind[kind]?.n ?? 0}`),
    ]),
  )
}

function compactionTable(budget: number, rows: readonly AfterCompactionRow[]): string {
  return table(
    [
      `after compactions at ${whole(budget)} tokens`,
      'compactions',
      'tokens',
      'n',
      'projection',
      'equal tail',
      'ratio',
    ],
    rows.map(({ arm, compactions, tokens, projection, tail, ratio }) => [
      arm,
      whole(compactions),
      rounded(tokens),
      whole(projection?.n ?? 0),
      share(projection),
      share(tail),
      ratio?.toFixed(2) ?? '–',
    ]),
  )
}

function nativeTable({ session, message, n, shares }: NativeRow): string {
  return table(
    [
      `${session}, the host's own compaction before message ${message}, n ${n}`,
      'tokens',
      'share',
      'equal tail',
    ],
    shares.map(({ arm, tokens, share, tail }) => [
      arm,
      whole(tokens),
      share.toFixed(3),
      tail?.toFixed(3) ?? '–',
    ]),
  )
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const result = new Table({ head: [...head], style: { head: [], border: [], compact: true } })
  result.push(...rows.map((row) => [...row]))
  return result.toString()
}

function share(estimate: Estimate | null): string {
  if (estimate === null) return '–'
  const { mean, low, high } = estimate
  return `${mean.toFixed(3)} [${low.toFixed(2)}, ${high.toFixed(2)}]`
}

const whole = (value: number): string => value.toLocaleString('en-US')
const rounded = (value: number | null): string => (value === null ? '–' : whole(Math.round(value)))
