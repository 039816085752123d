import { type Decision, headline, isContested } from '@palimpsest/decisions'
import { colors } from '../colors.ts'
import { counted } from '../count.ts'
import { columns } from '../engines/engine-lines.ts'
import { printJson } from '../lcm/output.ts'
import { printable } from '../lcm/printable.ts'
import { type OpenedStore, sessionsOf, withStore } from '../stores/with-store.ts'
import { chooseScopes, namedScope, type ScopeFlags } from './choose-scope.ts'
import { readLedger } from './read-ledger.ts'

export interface ListFlags extends ScopeFlags {
  readonly all?: boolean
}

const LINE_CHARACTERS = 100

export async function list(flags: ListFlags): Promise<number> {
  return withStore(flags, 'read', async (opened) => {
    const scopes = await chooseScopes(opened, flags)
    const left = await scopesLeft(opened, scopes, flags)
    const { all } = await readLedger(opened, scopes)
    const shown = all.filter(
      (decision) => flags.all || (STANDING.has(stateOf(decision)) && !left.has(decision.scope)),
    )
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
    const over = left.size === 0 ? '' : `, of ${counted(left.size, 'earlier conversation')} too`
    const more = hidden === 0 ? '' : `; ${hidden} more that are over or were only proposed${over}: --all`
    if (rows.length === 0) process.stdout.write(colors.dim(`no decision holds${more}\n`))
    if (all.length === 0) process.stdout.write(colors.dim(`${NEEDS_A_MODEL}\n`))
    if (rows.length > 0 && left.size > 0) process.stdout.write(colors.dim(`${hidden} more${over}: --all\n`))
    return 0
  })
}

async function scopesLeft(
  { store, principal }: OpenedStore,
  scopes: readonly string[],
  flags: ScopeFlags,
): Promise<ReadonlySet<string>> {
  if (namedScope(flags) !== undefined) return new Set()
  const newest = new Map<string, number>()
  for await (const { key } of sessionsOf(store, principal)) {
    const { session, epoch } = placeOf(key)
    newest.set(session, Math.max(epoch, newest.get(session) ?? 0))
  }
  const isLeft = (scope: string): boolean => {
    if (!scope.startsWith(SESSION)) return false
    const { session, epoch } = placeOf(scope.slice(SESSION.length))
    return epoch < (newest.get(session) ?? 0)
  }
  return new Set(scopes.filter(isLeft))
}

const SESSION = 'session:'

/** The service marks a restarted session with `#2`. */
function placeOf(key: string): { readonly session: string; readonly epoch: number } {
  const [, session = key, epoch = '1'] = /^(.+)#(\d{1,9})$/s.exec(key) ?? []
  return { session, epoch: Number(epoch) }
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
