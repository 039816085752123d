import { type Decision, headline, isContested } from '@palimpsest/decisions'
import { colors } from '../colors.ts'
import { columns } from '../engines/engine-lines.ts'
import { printJson } from '../lcm/output.ts'
import { printable } from '../lcm/printable.ts'
import { withStore } from '../stores/with-store.ts'
import { chooseScopes, type ScopeFlags } from './choose-scope.ts'
import { readLedger } from './read-ledger.ts'

export interface ListFlags extends ScopeFlags {
  readonly all?: boolean
}

const LINE_CHARACTERS = 100

export async function list(flags: ListFlags): Promise<number> {
  return withStore(flags, 'read', async (opened) => {
    const scopes = await chooseScopes(opened, flags)
    const { all } = await readLedger(opened, scopes)
    const shown = all.filter((decision) => flags.all || STANDING.has(stateOf(decision)))
    if (flags.json) {
      printJson(shown)
      return 0
    }
    const rows = shown.map((decision) => [
      decision.id,
      stateOf(decision),
      decision.authority,
      printable(decision.scope),
      line(decision),
    ])
    if (rows.length > 0)
      process.stdout.write(columns([['ID', 'STATUS', 'AUTHORITY', 'SCOPE', 'DECISION'], ...rows]))
    const hidden = all.length - shown.length
    const more = hidden === 0 ? '' : `; ${hidden} more that are over or were only proposed: --all`
    if (rows.length === 0) process.stdout.write(colors.dim(`no decision holds${more}\n`))
    if (all.length === 0) process.stdout.write(colors.dim(`${NEEDS_A_MODEL}\n`))
    return 0
  })
}

const NEEDS_A_MODEL =
  'a model reads decisions in a conversation: without one, only what the agent recorded itself is here'

const STANDING = new Set(['active', 'contested', 'open'])

export function stateOf(decision: Decision): string {
  if (isContested(decision)) return 'contested'
  const isOpen = decision.kind === 'question' || decision.kind === 'intention'
  return decision.status === 'active' && isOpen ? 'open' : decision.status
}

function line(decision: Decision): string {
  const text = printable(decision.kind === 'rule' ? `rule: ${decision.value}` : headline(decision))
  return text.length > LINE_CHARACTERS ? `${text.slice(0, LINE_CHARACTERS)}…` : text
}
