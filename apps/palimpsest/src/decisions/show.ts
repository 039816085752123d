import { type Decision, type DecisionLedger, decidingSource, type Source } from '@palimpsest/decisions'
import { timeText } from '@palimpsest/lcm'
import { printJson, printLines } from '../lcm/output.ts'
import { printable } from '../lcm/printable.ts'
import { withStore } from '../stores/with-store.ts'
import { UsageError } from '../usage-error.ts'
import { chooseScopes, type ScopeFlags } from './choose-scope.ts'
import { stateOf } from './list.ts'
import { readLedger } from './read-ledger.ts'

export async function show(id: string, flags: ScopeFlags): Promise<number> {
  return withStore(flags, 'read', async (opened) => {
    const ledger = await readLedger(opened, await chooseScopes(opened, flags))
    const decision = find(ledger, id)
    const chain = chainOf(decision, ledger)
    if (flags.json) printJson({ ...decision, chain })
    else printLines(...factsOf(decision, ledger), '', ...saidOf(decision), ...chainLines(chain))
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

function chainOf(decision: Decision, ledger: DecisionLedger): Decision[] {
  const seen = new Set([decision.id])
  const waiting = [decision]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const id of [...next.supersedes, next.supersededBy ?? '']) {
      const other = ledger.get(id)
      if (other === undefined || seen.has(id)) continue
      seen.add(id)
      waiting.push(other)
    }
  }
  return ledger.all.filter(({ id }) => seen.has(id))
}

function factsOf(decision: Decision, ledger: DecisionLedger): string[] {
  const { id, scope, kind, category, subject, value, l1, reason, authority, by, ended, merged } = decision
  const facts: [string, string | undefined][] = [
    ['decision', id],
    ['status', `${stateOf(decision)}, ${authority}, found by the ${by}`],
    ['scope', scope],
    ['kind', `${kind}, ${category}`],
    ['subject', subject],
    ['value', value],
    [
      'in detail',
      [...(l1 === undefined ? [] : [l1]), ...merged.map(({ text }) => text)].join('; ') || undefined,
    ],
    ['because', reason],
    [
      'ended',
      ended &&
        [`${placeOf(ended.source)}: "${ended.source.quote}"`, ended.reason]
          .filter(Boolean)
          .join(', because '),
    ],
    [
      'contested',
      decision.contestedBy.map((other) => `${other} ${ledger.get(other)?.value}`).join(', ') || undefined,
    ],
    ['said first', timeText(decision.firstAt)],
    ['said last', timeText(decision.lastAt)],
  ]
  return facts.flatMap(([key, text]) => (text === undefined ? [] : [`${key.padEnd(11)} ${printable(text)}`]))
}

function placeOf({ session, turn, seq, role }: Source): string {
  return `${session}, turn ${turn}, m${seq}, ${role}`
}

function saidOf({ sources }: Decision): string[] {
  return sources.flatMap((source) => [printable(placeOf(source)), `  "${printable(source.quote)}"`])
}

function chainLines(chain: readonly Decision[]): string[] {
  const lines = chain.map(
    (decision) =>
      `  ${decision.id}  ${printable(decision.value)}, ${stateOf(decision)}, turn ${decidingSource(decision).turn}`,
  )
  return chain.length < 2 ? [] : ['', 'chain, the oldest first', ...lines]
}
