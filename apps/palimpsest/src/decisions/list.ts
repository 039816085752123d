import { type Decision, headline, isContested, readConversationKey, type Scope } from '@palimpsest/decisions'
import { colors } from '../colors.ts'
import { counted } from '../count.ts'
import { columns } from '../engines/engine-lines.ts'
import { printJson } from '../lcm/output.ts'
import { printable } from '../lcm/printable.ts'
import { chooseScopes, namedScope, type ScopeFlags } from './choose-scope.ts'
import { readLedger } from './read-ledger.ts'
import { type OpenedStore, withStore } from './with-store.ts'

export interface ListFlags extends ScopeFlags {
  /** Also what is over, what was only proposed, and what earlier conversations of a session decided. */
  readonly all?: boolean
}

/** Characters of a decision in a line of the list. */
const LINE_CHARACTERS = 100

/** `palimpsest decisions list`: what holds, or everything that the log knows. */
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

/** Scopes of conversations that are over; none when one scope is asked for. */
async function scopesLeft(
  { store, principal }: OpenedStore,
  scopes: readonly Scope[],
  flags: ListFlags,
): Promise<ReadonlySet<Scope>> {
  if (namedScope(flags) !== undefined) return new Set()
  const keys = (await store.list({ principal })).map(({ key }) => key)
  const newest = new Set(newestScopes(scopes, keys))
  return new Set(scopes.filter((scope) => !newest.has(scope)))
}

const NEEDS_A_MODEL =
  'a model reads decisions in a conversation: without one, only what the agent recorded itself is here'

const STANDING = new Set(['active', 'contested', 'open'])

/** The status; of the active ones, those that are contested, and questions and intentions that are open. */
export function stateOf(decision: Decision): string {
  if (isContested(decision)) return 'contested'
  const isOpen = decision.kind === 'question' || decision.kind === 'intention'
  return decision.status === 'active' && isOpen ? 'open' : decision.status
}

function line(decision: Decision): string {
  const text = printable(decision.kind === 'rule' ? `rule: ${decision.value}` : headline(decision))
  return text.length > LINE_CHARACTERS ? `${text.slice(0, LINE_CHARACTERS)}…` : text
}

const SESSION = 'session:'

/**
 * The scopes without those of conversations that their session has left behind: the engine marks a new one after a reset
 * with `~2`, the service one that was begun anew with `#2`. What was decided in an old one is on record and holds no more.
 *
 * @param keys Every session of the store: the newest conversation may have decided nothing yet.
 */
function newestScopes(scopes: readonly Scope[], keys: readonly string[]): readonly Scope[] {
  const newest = new Map<string, Place>()
  const places = new Map<string, Place>()
  for (const key of [...keys, ...scopes.flatMap((scope) => keyOf(scope) ?? [])]) {
    const place = placeOf(key)
    places.set(key, place)
    const before = newest.get(place.session)
    if (before === undefined || isBefore(before, place)) newest.set(place.session, place)
  }
  return scopes.filter((scope) => {
    const place = places.get(keyOf(scope) ?? '')
    const last = place && newest.get(place.session)
    return place === undefined || last === undefined || !isBefore(place, last)
  })
}

/** A conversation: the session, how often the service began it anew, and how often it was reset since. */
interface Place {
  readonly session: string
  readonly epoch: number
  readonly number: number
}

function placeOf(key: string): Place {
  const { sessionId, number } = readConversationKey(key)
  const [, session = sessionId, epoch = '1'] = /^(.+)#(\d{1,9})$/s.exec(sessionId) ?? []
  return { session, epoch: Number(epoch), number }
}

function isBefore(one: Place, other: Place): boolean {
  return one.epoch < other.epoch || (one.epoch === other.epoch && one.number < other.number)
}

function keyOf(scope: Scope): string | undefined {
  return scope.startsWith(SESSION) ? scope.slice(SESSION.length) : undefined
}
