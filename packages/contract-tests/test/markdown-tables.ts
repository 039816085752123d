import type { HostCase } from '../src/host/index.ts'
import type { ContractCase } from '../src/index.ts'

/** A broken engine and the cases that it failed. */
export interface FoundMistake {
  readonly name: string
  readonly failed: readonly string[]
}

/** All cases of the suite, as a table. */
export function renderCases(cases: readonly ContractCase[]): string {
  const rows = cases.map(({ id, title, requires = [], since }) => [id, title, requires.join(', '), since])
  return renderTable(['case', 'what holds', 'only with', 'since'], rows)
}

/** All cases of the suite for hosts, as a table. */
export function renderHostCases(cases: readonly HostCase[]): string {
  return renderTable(
    ['case', 'what holds', 'since'],
    cases.map(({ id, title, since }) => [id, title, since]),
  )
}

/** Mistakes of something and the cases that find them, as a table. `ids` are those of all cases, in their order. */
export function renderMistakes(
  what: 'engine' | 'host',
  mistakes: readonly FoundMistake[],
  ids: readonly string[],
): string {
  const rows = mistakes.map(({ name, failed }) => [name, renderIds(failed, ids)])
  return renderTable([`${what === 'engine' ? 'an engine' : 'a host'} that …`, 'fails'], rows)
}

/** The text with another body between the marks of a section. */
export function replaceSection(text: string, name: string, body: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`]
  const [before, rest] = text.split(start)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined)
    throw new Error(`there is no section between ${start} and ${end}`)
  return `${before}${start}\n${body}\n${end}${after}`
}

/** Ids one after the other; three or more neighbours as `C15–C22`. */
function renderIds(failed: readonly string[], ids: readonly string[]): string {
  const runs: string[][] = []
  for (const id of failed) {
    const run = runs.at(-1)
    if (run !== undefined && ids.indexOf(id) === ids.indexOf(run.at(-1) ?? '') + 1) run.push(id)
    else runs.push([id])
  }
  return runs.map((run) => (run.length < 3 ? run.join(' ') : `${run[0]}–${run.at(-1)}`)).join(' ')
}

/** A table of Markdown. */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}
