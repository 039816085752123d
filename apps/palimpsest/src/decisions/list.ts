import type { Decision } from '@palimpsest/decisions'
import { colors } from '../colors.ts'
import { columns } from '../engines/engine-lines.ts'
import { printJson } from '../lcm/output.ts'
import { printable } from '../lcm/printable.ts'
import { chooseScopes, type ScopeFlags } from './choose-scope.ts'
import { readLedger } from './read-ledger.ts'
import { withStore } from './with-store.ts'

export interface ListFlags extends ScopeFlags {
  /** What is over and what was only proposed too. */
  readonly all?: boolean
}

/** Characters of a decision in a line of the list. */
const LINE_CHARACTERS = 100

/** `palimpsest decisions list`: what holds, or everything that the log knows. */
export async function list(flags: ListFlags): Promise<number> {
  return withStore(flags, 'read', async (opened) => {
    const { all } = await readLedger(opened, await chooseScopes(opened, flags))
    const shown = all.filter(({ status }) => flags.all || status === 'active')
    if (flags.json) {
      printJson(shown)
      return 0
    }
    const hasScopes = new Set(all.map(({ scope }) => scope)).size > 1
    const rows = shown.map((decision) => [
      decision.id,
      stateOf(decision),
      decision.authority,
      ...(hasScopes ? [printable(decision.scope)] : []),
      line(decision),
    ])
    const head = ['ID', 'STATUS', 'AUTHORITY', ...(hasScopes ? ['SCOPE'] : []), 'DECISION']
    if (rows.length > 0) process.stdout.write(columns([head, ...rows]))
    const hidden = all.length - shown.length
    const more = hidden === 0 ? '' : `; ${hidden} more that are over or were only proposed: --all`
    if (rows.length === 0) process.stdout.write(colors.dim(`no decision holds${more}\n`))
    return 0
  })
}

/** The status, with what is doubtful about it. */
export function stateOf({ status, contestedBy, suspectOf }: Decision): string {
  if (contestedBy.length > 0) return 'contested'
  return suspectOf === undefined ? status : 'suspect'
}

function line({ slot, area, choice, l0 }: Decision): string {
  const text = printable(l0.trim() === '' ? `${slot}: ${choice}` : l0)
  const part = area === '' ? '' : ` (${printable(area)})`
  return `${text.length > LINE_CHARACTERS ? `${text.slice(0, LINE_CHARACTERS)}…` : text}${part}`
}
