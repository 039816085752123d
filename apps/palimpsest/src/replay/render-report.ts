import { relative } from 'node:path'
import type { SessionView } from '@palimpsest/inspector'
import type { Transcript } from '@palimpsest/transcripts'
import type { BillReport } from '../bill/replay-bill.ts'
import { colors } from '../colors.ts'
import { count, counted } from '../count.ts'
import { columns } from '../engines/engine-lines.ts'
import { printable } from '../lcm/printable.ts'
import type { ReplayDecisions, ReplayReport } from './replay-report.ts'
import type { Replay } from './replay-session.ts'

const SHOWN_ROWS = 40

/** Another engine on the same session. */
export interface ComparedReplay {
  readonly report: ReplayReport
  readonly summaries: string
}

interface ReportInput extends Pick<ComparedReplay, 'summaries'> {
  readonly file: string
  readonly transcript: Transcript
  readonly replay: Replay
  readonly answers?: SessionView['answers'] | undefined
  readonly compared: readonly ComparedReplay[]
}

export function renderReport(input: ReportInput): string {
  const { file, transcript, replay, summaries, answers, compared } = input
  const { report } = replay
  const parts = [
    colors.bold(`${relative(process.cwd(), file)} (${transcript.format})`),
    overview(replay, transcript, summaries),
    compactionTable(replay),
    `${colors.bold('what it costs')}\n${plainTable(billRows(report))}`,
    ...(compared.length === 0
      ? []
      : [
          `${colors.bold('side by side')}\n${plainTable([{ report, summaries }, ...compared].map(comparedRow))}`,
        ]),
    ...(answers ? [`${colors.bold(answersHead(answers))}\n${plainTable(answerRows(answers, report))}`] : []),
    lawLine(report),
    ...warningLines(report),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function overview({ report, details }: Replay, transcript: Transcript, summaries: string): string {
  const { session } = report
  const compacted = report.compactions.filter(({ outcome }) => outcome === 'compacted').length
  const skipped = transcript.skipped.map(({ reason, count }) => `${count} ${reason}`).join(', ')
  const profile = report.profile === null ? '' : `profile ${report.profile}, `
  const rows: [string, string][] = [
    ['engine', `${report.engine}, ${profile}window ${count(report.window)} tokens`],
    ['summaries', summaries],
    [
      'session',
      [
        counted(session.messages, 'message'),
        counted(session.tokens, 'token'),
        counted(session.userTurns, 'user turn'),
      ].join(', '),
    ],
    ['requests', count(report.requests)],
    ['tokens sent', count(report.tokensSent)],
    ['largest prompt sent', counted(report.maxProjectionTokens, 'token')],
  ]
  if (report.tooLarge > 0) {
    const share = `${count(report.tooLarge)} of ${count(report.requests)} prompts`
    rows.push(['too large', colors.red(`${share} exceed the window`)])
  }
  rows.push(['compactions', count(compacted)])
  if (report.decisions !== null) rows.push(...decisionRows(report.decisions))
  if (details.usageFactor !== 1) {
    const factor = details.usageFactor.toFixed(2)
    rows.push([
      'recorded usage',
      `${factor} × our counts, which this report shows; the threshold is in the provider's`,
    ])
  }
  if (skipped !== '') rows.push(['left out', skipped])
  if (transcript.malformed.length > 0) rows.push(['malformed lines', count(transcript.malformed.length)])
  return plainTable(rows)
}

function decisionRows({ active, contested, rules, open, ...counts }: ReplayDecisions): [string, string][] {
  const doubtful = contested === 0 ? '' : ` (${count(contested)} contested)`
  const over = counts.superseded + counts.retracted
  const inForce = `${count(active)} in force${doubtful}: ${counted(active - rules, 'decision')} and ${counted(rules, 'standing rule')}`
  const more = `${count(counts.proposed)} proposed, ${count(open)} open, ${count(over)} ended`
  return [
    ['decisions', `${inForce}; ${more}; ${count(active + open + counts.proposed + over)} on record`],
    [
      'decisions shown',
      `${counted(counts.blockTokens, 'token')} at the end; the list was written ${counted(counts.epochs, 'time')}`,
    ],
  ]
}

const COMPACTION_HEAD = ['request', 'at message', 'why', ' before', '  after', 'what was kept']

function compactionTable({ report, details }: Replay): string {
  const rows = report.compactions.map((compaction, index) => ({
    ...compaction,
    ...details.compactions[index],
  }))
  const compacted = rows.filter(({ outcome }) => outcome === 'compacted')
  if (compacted.length === 0) return ''
  const shown = compacted
    .slice(0, SHOWN_ROWS)
    .map(({ request, index, trigger, tokensBefore, tokensAfter, kept }) => [
      count(request).padStart(7),
      count(index ?? 0).padStart(10),
      trigger ?? '',
      count(tokensBefore).padStart(7),
      count(tokensAfter).padStart(7),
      kept ?? '',
    ])
  const [head = '', ...lines] = columns([COMPACTION_HEAD, ...shown])
    .trimEnd()
    .split('\n')
  const table = [colors.dim(head), ...lines].join('\n')
  const more = compacted.length - SHOWN_ROWS
  return table + (more > 0 ? `\n… and ${more} more (use --json to see all)` : '')
}

function lawLine({ invariants }: ReplayReport): string {
  const checked = `rules: ${counted(invariants.checked, 'prompt')} checked`
  if (invariants.violations.length === 0) return colors.green(`${checked}, no violation`)
  const shown = invariants.violations.slice(0, SHOWN_ROWS).map((violation) => {
    const { request, invariant, code, index, message } = violation
    return `  request ${request}: rule ${invariant} ${code} at message ${index}: ${message}`
  })
  const head = `${checked}, ${counted(invariants.violations.length, 'violation')}`
  return [colors.red(head), ...shown].join('\n')
}

const TOLD: readonly string[] = ['engine-not-found', 'engine-unavailable']

/** Warnings address programmers; these are the equivalents on the command line. */
const ADVICE: Readonly<Record<string, string>> = {
  'decisions-need-a-model': ' (here: --model <name>, or auxiliary.extraction in config.yaml)',
}

function warningLines({ warnings, compactions }: ReplayReport): string[] {
  const lines: string[] = []
  const untold = warnings.filter(({ request, code }) => request > 0 || !TOLD.includes(code))
  for (const [code, group] of Map.groupBy(untold, ({ code }) => code)) {
    const [first] = group
    const more = group.length > 1 ? ` (and ${group.length - 1} more)` : ''
    const place = first?.request ? ` at request ${first.request}` : ''
    lines.push(colors.yellow(`warning ${code}${place}${more}: ${first?.message}${ADVICE[code] ?? ''}`))
  }
  for (const [reason, group] of Map.groupBy(
    compactions.filter(({ outcome }) => outcome !== 'compacted'),
    attempt,
  )) {
    lines.push(colors.dim(`not compacted ${counted(group.length, 'time')}: ${reason}`))
  }
  return lines
}

function attempt({ outcome, reason }: { outcome: string; reason: string }): string {
  return `${outcome}, ${reason}`
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

function billRows({ bill, engine, session, window }: ReplayReport): [string, string][] {
  const { profile, without, tools } = bill
  const fits = session.tokens > window ? ', if it fitted into the window' : ''
  const whole =
    without === null
      ? 'not priced: more than 10,000 messages'
      : `${dollars(without)}, sent with each request${fits}`
  return [
    ['whole history', whole],
    [`with ${engine}`, `${dollars(bill.with)}, summaries included`],
    ['of which summaries', summaryText(bill)],
    ...(tools > 0
      ? [
          ['of which tools', `${dollars(tools)}, the schemas of the engine's tools in each prompt`] as [
            string,
            string,
          ],
        ]
      : []),
    ['read from cache', `${percent(bill.cacheReadShare)} of the tokens`],
    ['prices', `${profile.model}, ${profile.asOf}, ${lifetime(profile.ttl)}; answers are left out`],
    ...bill.notes.map((note): [string, string] => ['note', printable(note)]),
  ]
}

function comparedRow({ report, summaries }: ComparedReplay): [string, string] {
  const { engine, bill, compactions, maxProjectionTokens: largest } = report
  const made = compactions.filter(({ outcome }) => outcome === 'compacted').length
  const facts = [counted(made, 'compaction'), `largest prompt ${counted(largest, 'token')}`]
  return [engine, `${[dollars(bill.with), ...facts].join(', ')}; summaries: ${summaries}`]
}

type Answers = NonNullable<SessionView['answers']>

const answersHead = ({ questions }: Answers) =>
  `what a model answers at the end, of ${questions.length} questions`

function answerRows(answers: Answers, { engine }: ReplayReport): [string, string][] {
  const row = ({ right, tokens }: Answers['with']) => `${right} right, from ${counted(tokens, 'token')}`
  return [
    ['newest messages', `${row(answers.without)}: what is left when old ones are dropped`],
    [`with ${engine}`, row(answers.with)],
    ['answers', `recorded on ${answers.recorded}, by ${answers.by}`],
  ]
}

function summaryText({ profile, summaries: { requests, usd, isPaid } }: BillReport): string {
  if (requests === 0 && usd === 0) return 'nothing, none was written'
  const whose = isPaid ? 'as their model reported' : `as ${profile.model} would charge`
  return `${dollars(usd)} for ${counted(requests, 'request')}, ${whose}`
}

function lifetime(ttl: string): string {
  if (ttl === 'automatic') return 'cached by the provider itself'
  return ttl === 'off' ? 'no breakpoints' : `cache lifetime ${ttl}`
}

function dollars(usd: number): string {
  return `$${usd < 10 ? usd.toFixed(4) : usd.toFixed(2)}`
}

function plainTable(rows: [string, string][]): string {
  const width = Math.max(...rows.map(([label]) => label.length))
  return rows.map(([label, value]) => `${colors.dim(label.padEnd(width))}  ${value}`).join('\n')
}
