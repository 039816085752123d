import { type Decision, decidingSource } from './log/decision.ts'
import type { DecisionLedger } from './log/ledger.ts'
import { type Entry, entriesOf, SECTIONS } from './render/entries.ts'

/** The decisions of a log as a Markdown document: current ones by section, then ended ones. */
export function toMarkdown(
  ledger: DecisionLedger,
  { title, session }: { readonly title: string; readonly session: string },
): string {
  const entries = entriesOf(ledger, session)
  const sections = SECTIONS.flatMap((section) => {
    const own = entries.filter((entry) => entry.section === section)
    return own.length === 0
      ? []
      : [`## ${section[0]?.toUpperCase()}${section.slice(1)}`, own.map(itemOf).join('\n')]
  })
  const over = ledger.all.filter(({ status }) => status === 'superseded')
  const past =
    over.length === 0 ? [] : ['## Replaced', over.map((decision) => pastOf(decision, ledger)).join('\n')]
  return `${[`# ${title}`, ...sections, ...past].join('\n\n')}\n`
}

function itemOf({ line, detail }: Entry): string {
  return detail === '' ? line : `${line}\n${detail}`
}

function pastOf(
  { subject, value, ended, supersededBy = '', ...decision }: Decision,
  ledger: DecisionLedger,
): string {
  const next = ledger.get(supersededBy)
  const turns = `turn ${decidingSource(decision).turn} to ${ended?.source.turn ?? '?'}`
  const reason = ended?.reason === undefined ? '' : `, because ${ended.reason}`
  return `- ${subject}: ${value} (${turns}${next === undefined ? '' : `, then ${next.value}`}${reason})`.replace(
    /\s+/g,
    ' ',
  )
}
