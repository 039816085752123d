import { styleText } from 'node:util'
import { sliceCharacters } from '@palimpsest/core'
import type { CasesRequest } from './read-arguments.ts'
import type { Reporter, Write } from './reporter.ts'
import { type ContractReport, NOTHING_RAN, ranNothing } from './reporter.ts'

/** The most that is shown of a reason, in characters: a screenful is read, a generated conversation is not. */
const REASON_CHARACTERS = 600

export interface PeopleReporterOptions {
  readonly write: Write
  /** The call, for the command that repeats a property. */
  readonly call: RepeatableCall
  /** Whether to tell the notes of the cases. */
  readonly verbose: boolean
}

/** For people: what failed as it fails, then what was skipped and a closing line. */
export function createPeopleReporter({ write, call, verbose }: PeopleReporterOptions): Reporter {
  let order: readonly string[] = []
  let seed = 0
  let done = 0
  /** The cases that failed, by their reason. */
  const failures = new Map<string, string[]>()

  /** A reason that many cases have, such as an engine that cannot be created, is told once. */
  const repetitions = () =>
    [...failures.values()].map(([first, ...others]) => {
      if (others.length === 0) return ''
      const count = others.length === 1 ? '' : ` (${others.length} cases)`
      return `the same as ${first}: ${idRanges(others, order)}${count}\n`
    })

  return {
    planned(plan) {
      order = plan.cases.map(({ id }) => id)
      seed = plan.seed
    },
    finished({ id, title, status, reason = '' }) {
      done++
      if (status !== 'failed') return
      const same = failures.get(reason)
      if (same !== undefined) return void same.push(id)
      failures.set(reason, [id])
      write(`${styleText('red', id)} ${title}\n${indented(shortened(reason))}\n`)
      if (isProperty(id)) write(indented(`again: ${repeatCommand(call, id, seed)}\n`))
    },
    ended(report) {
      write([...repetitions(), closing(report, verbose)].join(''))
    },
    interrupted() {
      write([...repetitions(), `interrupted after ${done} of ${order.length} cases\n`].join(''))
    },
  }
}

/** Whether a case tries generated conversations. */
function isProperty(id: string): boolean {
  return id.startsWith('P')
}

function closing(report: ContractReport, verbose: boolean): string {
  const { engine, capabilities, expected, cases, counts, durationMs } = report
  const skipped = Map.groupBy(
    cases.filter(({ status }) => status === 'skipped'),
    ({ reason }) => reason,
  )
  const lines = [...skipped].map(
    ([reason, group]) => `skipped ${group.map(({ id }) => id).join(' ')}: ${reason}`,
  )
  for (const { id, notes } of verbose ? cases : []) for (const note of notes) lines.push(`${id}: ${note}`)
  lines.push(`declared: ${capabilities.join(', ') || 'nothing'}${expectation(expected)}`)
  if (ranNothing(counts)) lines.push(NOTHING_RAN)
  const colour = counts.failed > 0 || ranNothing(counts) ? 'red' : 'green'
  const sums = `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`
  return `${lines.join('\n')}\n${engine}: ${styleText(colour, sums)} in ${(durationMs / 1000).toFixed(1)} s\n`
}

function expectation(expected: readonly string[]): string {
  return expected.length === 0 ? '' : ` (expected: ${expected.join(', ')})`
}

function shortened(reason: string): string {
  if (reason.length <= REASON_CHARACTERS) return reason
  return `${sliceCharacters(reason, 0, REASON_CHARACTERS)}… (--json has all of it)`
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '    ')
}

/** The part of a call that decides what a property tries. */
type RepeatableCall = Pick<CasesRequest, 'module' | 'options' | 'runs'>

/** The command that tries the conversations of a property again, for the shells of POSIX. */
export function repeatCommand(
  { module = '.', options, runs }: RepeatableCall,
  id: string,
  seed: number,
): string {
  return [
    'palimpsest-contract',
    quoted(module),
    id,
    // With "=", because a negative number would pass for an option.
    seed < 0 ? `--seed=${seed}` : `--seed ${seed}`,
    ...(Object.keys(options).length > 0 ? [`--options ${quoted(JSON.stringify(options))}`] : []),
    ...(runs === undefined ? [] : [`--runs ${runs}`]),
  ].join(' ')
}

function quoted(text: string): string {
  return /^[\w./:@~-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

/** Ids as people write them: `C04, C15 to C41`. What stands side by side in `order` becomes a range of one letter. */
export function idRanges(ids: readonly string[], order: readonly string[]): string {
  const ranges: string[][] = []
  for (const id of ids) {
    const last = ranges.at(-1)
    const before = last?.at(-1)
    const follows =
      before !== undefined && before[0] === id[0] && order.indexOf(id) === order.indexOf(before) + 1
    if (follows) last?.push(id)
    else ranges.push([id])
  }
  return ranges
    .map((range) => (range.length > 2 ? `${range[0]} to ${range.at(-1)}` : range.join(', ')))
    .join(', ')
}
