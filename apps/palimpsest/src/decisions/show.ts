import type { Decision, DecisionLedger, Source, SupersededLink } from '@palimpsest/decisions'
import { timeText } from '@palimpsest/lcm'
import { printJson, printLines } from '../lcm/output.ts'
import { printable } from '../lcm/printable.ts'
import { UsageError } from '../usage-error.ts'
import { chooseScopes, type ScopeFlags } from './choose-scope.ts'
import { stateOf } from './list.ts'
import { readLedger } from './read-ledger.ts'
import { withStore } from './with-store.ts'

/** `palimpsest decisions show <id>`: one decision, who said it where, and its chain. The beginning of an id will do. */
export async function show(id: string, flags: ScopeFlags): Promise<number> {
  return withStore(flags, 'read', async (opened) => {
    const ledger = await readLedger(opened, await chooseScopes(opened, flags))
    const decision = find(ledger, id)
    const chain = chainOf(decision, ledger)
    const dependants = ledger.all.filter(({ dependsOn }) => dependsOn.includes(decision.id))
    if (flags.json) printJson({ ...decision, chain, dependants })
    else printLines(...factsOf(decision, ledger), '', ...saidOf(decision), ...chainLines(chain, dependants))
    return 0
  })
}

function find({ all }: DecisionLedger, id: string): Decision {
  const exact = all.find((decision) => decision.id === id)
  const found =
    exact === undefined ? all.filter((decision) => id !== '' && decision.id.startsWith(id)) : [exact]
  const [first, ...others] = found
  if (first === undefined)
    throw new UsageError(`there is no decision ${printable(id)}; palimpsest decisions list --all has them`)
  if (others.length === 0) return first
  const ids = found.slice(0, 5).map((decision) => decision.id)
  throw new UsageError(
    `${printable(id)} is the beginning of ${found.length} decisions, such as ${ids.join(', ')}; name one`,
  )
}

/** The decisions before and after it, each once, in the order of the log. */
function chainOf(decision: Decision, ledger: DecisionLedger): Decision[] {
  const seen = new Set([decision.id])
  const waiting = [decision]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const { id } of [...next.supersedes, ...next.supersededBy]) {
      const other = ledger.get(id)
      if (other === undefined || seen.has(id)) continue
      seen.add(id)
      waiting.push(other)
    }
  }
  return ledger.all.filter(({ id }) => seen.has(id))
}

function factsOf(decision: Decision, ledger: DecisionLedger): string[] {
  const { id, scope, slot, area, choice, reason, authority, by, firstAt, lastAt } = decision
  const name = (other: string) => `${other} ${printable(ledger.get(other)?.choice ?? 'unknown')}`
  const facts: [string, string | undefined][] = [
    ['decision', id],
    ['status', `${stateOf(decision)}, ${authority}, found by ${by}`],
    ['scope', scope],
    ['slot', area === '' ? slot : `${slot}, in the part ${area}`],
    ['choice', choice],
    ['because', reason],
    [
      'ended',
      decision.ended && [endOf(decision.ended), decision.ended.reason].filter(Boolean).join(', because '),
    ],
    ['contested', decision.contestedBy.map(name).join(', ') || undefined],
    ...decision.remarks.map((source): [string, string] => ['left open', endOf({ source })]),
    ['suspect', decision.suspectOf && `it rests on ${name(decision.suspectOf)}, which is over`],
    ['rests on', decision.dependsOn.map(name).join(', ') || undefined],
    ['names', decision.entities.join(', ') || undefined],
    ['said first', timeText(firstAt)],
    ['said last', timeText(lastAt)],
  ]
  return facts.flatMap(([key, value]) =>
    value === undefined ? [] : [`${key.padEnd(11)} ${printable(value)}`],
  )
}

function endOf({ source }: Pick<SupersededLink, 'source'>): string {
  return `${placeOf(source)}: "${source.quote}"`
}

function placeOf({ session, turn, message, role }: Source): string {
  return `${session}, turn ${turn}, message ${message}, ${role}`
}

function saidOf({ sources }: Decision): string[] {
  return sources.flatMap((source) => [printable(placeOf(source)), `  "${printable(source.quote)}"`])
}

function chainLines(chain: readonly Decision[], dependants: readonly Decision[]): string[] {
  const line = (decision: Decision) =>
    `  ${decision.id}  ${printable(decision.choice)}${decision.area === '' ? '' : ` (${printable(decision.area)})`}, ${stateOf(decision)}`
  return [
    ...(chain.length < 2 ? [] : ['', 'chain, the oldest first', ...chain.map(line)]),
    ...(dependants.length === 0 ? [] : ['', 'rests on it', ...dependants.map(line)]),
  ]
}
